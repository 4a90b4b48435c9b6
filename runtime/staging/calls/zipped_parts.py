"""The iterables of a `zip` beside a generator that calls its consumer, by the number of the `zip`.

No variable of `zip_elements` holds them, so its branch is not one that uses an iterator from
outside: code that goes on with one is refused, since a loop that may have been left has it.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from autograph.constructs.boolean import and_
from runtime.tracing import trace


@dataclass
class ByPosition:
    """An iterable: the element at a position, and whether there is one."""

    element_at: Callable[[Any], Any]
    has_one: Callable[[Any], Any]


@dataclass
class Zipped:
    """A generator, and the iterables before and after it."""

    before: list[ByPosition]
    generator: Any
    after: list[ByPosition]

    def parts(self, is_before: bool) -> list[ByPosition]:
        """The iterables on one side of the generator."""
        return self.before if is_before else self.after


class ZippedGenerators(list[Zipped]):
    """The generators of a recording that a `zip` takes elements from."""


def _zipped(number: int) -> Zipped:
    return trace.current().state(ZippedGenerators)[number]


def held_generator(number: int) -> Any:
    """The generator."""
    return _zipped(number).generator


def all_have(number: int, is_before: bool, position: Any) -> Any:
    """Whether the iterables on one side have an element at a position."""
    found: Any = True
    for part in _zipped(number).parts(is_before):
        found = and_(found, functools.partial(part.has_one, position))
    return found


def all_at(number: int, is_before: bool, position: Any) -> list:
    """The elements at a position of the iterables on one side."""
    return [part.element_at(position) for part in _zipped(number).parts(is_before)]
