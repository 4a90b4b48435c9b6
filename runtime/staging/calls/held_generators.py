"""Generators that a generator function of this package takes elements from inside of a branch.

No variable of the function holds them, so the branch is not one that uses an iterator from outside:
code that goes on with one is refused, since a loop that may have been left has it.
"""

from typing import Any

from runtime.staging.generators import is_consumable
from runtime.tracing import trace


class HeldGenerators(list[Any]):
    """The generators of one recording."""


class Held:
    """The place of a generator."""

    __slots__ = ("number",)

    def __init__(self, number: int):
        self.number = number


def hold(items: Any) -> Any:
    """The place of a generator that can be consumed; other iterables themselves."""
    if not is_consumable(items):
        return items
    generators = trace.current().state(HeldGenerators)
    generators.append(items)
    return Held(len(generators) - 1)


def held(items: Any) -> Any:
    """The generator at a place; other iterables themselves."""
    if type(items) is not Held:
        return items
    return trace.current().state(HeldGenerators)[items.number]
