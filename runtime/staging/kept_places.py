"""Places outside of a function whose value from before a call may stay.

    if x > 0:                       the graph writes `level` after each run: 1, or the value from
        settings.level = 1          before, which is a constant of the graph

Where one path of a branch does not write, or a loop may run no iteration, the value from before the
call is part of the graph.  If no code of the function reads the place, no guard compares it.  Each
such place is compared before each run.
"""

import weakref
from dataclasses import dataclass, field
from typing import Any

from autograph.backend import Undefined
from autograph.staging.heap_diff import HeapSlot
from autograph.staging.mutations import MutableLocation
from autograph.staging.object_state import MISSING
from runtime.staging.calls.outside_answers import Answer, NotComparable, OutsideAnswers, comparable
from runtime.tracing import trace
from runtime.tracing.descriptions import described


@dataclass
class KeptPlaces:
    """The attributes and items that some path of a block leaves as they were before it."""

    values: dict[tuple, list] = field(default_factory=dict)  # by container and key

    def has(self, slot: HeapSlot) -> bool:
        """Whether a path leaves the value from before the call in a place."""
        known = self.values.get((id(slot.container), slot.key), ())
        if slot.before is MISSING:
            return any(isinstance(value, Undefined) for value in known)
        return any(value is slot.before for value in known)


def note_kept(location: MutableLocation, value: Any) -> None:
    """Notes that a path leaves a location with the value from before a block."""
    if not location.is_variable and len(location.key) == 3:
        values = trace.current().state(KeptPlaces).values
        values.setdefault(location.key[1:], []).append(value)


class KeptValue(Answer):
    """The value of a place from before a call, which must be there at each call."""

    def __init__(self, slot: HeapSlot):
        super().__init__(_reader(slot), (), {})
        self._path, self._before = slot.path, slot.before
        self.contents = self.contents_now()

    def contents_now(self) -> Any:
        """The contents of the place now; the identity of an object that cannot be compared."""
        found = self.again()
        try:
            return comparable(found)
        except NotComparable:
            return type(found), id(found)

    def shown(self) -> str:
        """The place as the user writes it."""
        return self._path.lstrip(".")


def _reader(slot):
    """A function that reads a place without keeping its container alive, if that is possible."""
    container, key = slot.container, slot.key
    try:
        held = weakref.ref(container)
    except TypeError:
        return slot.reader()

    def read():
        found = held()
        if found is None:
            return MISSING
        return HeapSlot(found, key, "", None, None).reader()()

    return read


def guard_kept(slots: list[HeapSlot]) -> None:
    """Makes the graph valid only while the places that it may leave as they were are the same.

    Called once the places have their values from before the call.
    """
    recorder = trace.current()
    kept, asked = recorder.state(KeptPlaces), recorder.state(OutsideAnswers)
    for slot in slots:
        if kept.has(slot):
            one = KeptValue(slot)
            if one.is_same():
                asked.answers.append(one)
            else:  # reading it changes it
                asked.fleeting.append(described(slot.before))
