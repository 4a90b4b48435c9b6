"""Iterables that combine others, at least one of which is staged.

    zip(xs, ys)              Combined(pair, xs, ys)
    map(f, xs)               Combined(f, xs)
    enumerate(xs, start)     Combined(pair, range(start, ...), xs)

An element of the combination is made from the elements of its parts at the same position.  A
backend derives from `Combined` and supplies the positions.
"""

import itertools
from collections.abc import Callable, Iterator
from typing import Any

from autograph.backend import backend_of
from autograph.constructs.boolean import and_


class Combined:
    """The iterable of `combine(*elements)`, with an element of each part."""

    def __init__(self, combine: Callable, *parts: Any):
        self.combine = combine
        self.parts = parts

    def __iter__(self) -> Iterator:
        known = [backend_of(part).elements(part) for part in self.parts]
        return itertools.starmap(self.combine, zip(*known, strict=False))

    def element(self, position: Any, element_at: list[Callable]) -> Any:
        """The element at a position, given a function for each part."""
        return self.combine(*(at(position) for at in element_at))

    @staticmethod
    def is_inside(position: Any, conditions: list[Callable]) -> Any:
        """Whether all parts have an element at a position, given a function for each part.

        A part is tested only if those before it have one, as `zip` does.
        """
        found: Any = True
        for condition in conditions:
            found = and_(found, lambda condition=condition: condition(position))
        return found
