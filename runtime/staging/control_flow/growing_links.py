"""Linked structures that grow by one object in each iteration of a staged loop.

    for i in range(n):            head holds i + 1 nodes after iteration i: no type of a graph
        head = Node(i, head)      describes all iterations

The loop's types do not settle, and this is why.
"""

from typing import Any

from autograph.staging.abstract_values import AbstractValue
from autograph.staging.pytree import Structure
from runtime.errors import LoopError, staging_error
from runtime.staging.lists.links import LINKS

MANY = 6  # recordings in a row, each of which finds one more object inside of another


class Growth:
    """How deep the carried values of a loop were, recording by recording."""

    def __init__(self) -> None:
        self._depths: list[int] = []

    def check(self, carried: dict[Any, AbstractValue]) -> None:
        """Raises `LoopError` if a structure gets one more object in each recording."""
        found = {location: _depth(value.structure) for location, value in carried.items()}
        self._depths = [*self._depths[-MANY:], max(found.values(), default=0)]
        pairs = zip(self._depths, self._depths[1:], strict=False)
        if len(self._depths) <= MANY or not all(one < other for one, other in pairs):
            return
        deepest = max(found, key=lambda location: found[location])
        raise staging_error(
            f"{deepest.path} holds one more {_kind(carried[deepest].structure)} after each "
            "iteration of this loop",
            "The loop is staged: how many there are in the end is known only at run time, and a "
            "graph has a fixed number of them.",
            LINKS,
            LoopError,
        )


def _depth(structure: Structure) -> int:
    return 1 + max(map(_depth, structure.children), default=0)


def _kind(structure: Structure) -> str:
    """The container that a structure holds in itself, in words."""
    names: list[str] = []
    pending = [structure]
    while pending:
        one = pending.pop()
        if one.of is not None:
            names.append(f"object of {one.of.__qualname__.rpartition('.')[2]}")
        elif one.kind in (tuple, list, dict):
            names.append(one.kind.__name__)
        pending += one.children
    return max(names, key=names.count, default="object")
