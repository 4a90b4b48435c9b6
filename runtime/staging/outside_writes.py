"""What a function in forward mode writes outside of it, as further results.

def f(t):                         values, ends = replay of f: t * 2, and the new items of a
    a[0] = t               ->     a has these items after the call, as in Python
    return t * 2
"""

from collections.abc import Callable
from typing import Any

from autograph.staging.mutations import MutableLocation
from autograph.staging.walrus_state import walrus_state
from runtime.staging.checkpoints import opened
from runtime.staging.control_flow.mutations import GraphMutationTracker, held_at_end


class OutsideWrites:
    """The writes of a function to places outside of it: undone, and made again after its replay."""

    def __init__(self, function: Callable):
        block, objects = opened(function)
        self._changes = GraphMutationTracker(walrus_state(block), block, roots=objects)
        self._changes.runs_once = True
        self._places: list[MutableLocation] = []

    def taken(self) -> list[Any]:
        """The values that were written, at the end of the function; the places are restored."""
        found = self._changes.changes()
        ends = [held_at_end(place, found) for place in found]
        self._places = list(found)
        self._changes.restore()
        return ends

    def make(self, values: list[Any]) -> None:
        """Writes the values of the replayed function."""
        self._changes.write(dict(zip(self._places, values, strict=True)))
