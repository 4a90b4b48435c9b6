"""Places: what a block of code may change, found by looking before and after.

    changes = Changes(state, body, orelse)
    body()
    found = changes.found()          {place: what it holds now}, for every place that changed
    changes.restore()                everything as it was before

A place is a variable of the block's state, an attribute, an item, a whole list of the user's, or
the contents of an array that is written into.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from types import CellType
from typing import Any

from autograph.backend import State, Undefined
from autograph.staging.heap_diff import HeapSnapshot
from autograph.staging.object_state import MISSING
from autograph.staging.walrus_state import walrus_state
from runtime.errors import StagingError, staging_error
from runtime.ir.pytree import flatten, transform
from runtime.ir.types import Type
from runtime.staging.lists.rebound import with_elements
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.variables import held_now, put_back, written_since
from runtime.tracing.aliases import Kind, kind_of, snapshot_of
from runtime.tracing.tensor import Tensor


@dataclass(frozen=True)
class Place:
    """Somewhere that code can put a value; two places are equal if they are the same place."""

    key: tuple
    path: str = field(compare=False)  # what the user would write
    before: Any = field(compare=False)
    put: Callable[[Any], None] | None = field(compare=False, default=None)
    read: Callable[[], Any] | None = field(compare=False, default=None)
    element: Type | None = field(
        compare=False, default=None
    )  # what the user says of a list's elements

    @property
    def is_variable(self) -> bool:
        """Whether it is a variable of the block's state."""
        return self.put is None

    @property
    def is_list(self) -> bool:
        """Whether it holds the contents of a list that may grow."""
        return self.key[0] == "list"


class Changes:
    """What some blocks may change."""

    def __init__(self, state: State, *blocks: Callable | None, roots: tuple = ()):
        self._state = state
        self._values = state.get()
        self._bound = walrus_state(*[block for block in blocks if block is not None])
        self._bound_before = self._bound.get()  # also those that nobody reads behind the blocks
        self._heap = HeapSnapshot(*blocks, roots=roots)
        self._held = held_now()
        self.variables = [
            Place(("variable", i), name, value)
            for i, (name, value) in enumerate(zip(state.names, self._values, strict=True))
        ]

    def found(self) -> dict[Place, Any]:
        """The places that hold something else than before, and what they hold."""
        found = {
            place: value if value is place.before else transform(_as_it_is, value)
            for place, value in zip(self.variables, self._state.get(), strict=True)
            if not _same_unbound(place.before, value)
        }
        for slot in self._heap.changes():
            if isinstance(slot.container, TraceList):
                found[self._list_place(slot)] = _as_they_are(slot.container.contents())
            elif isinstance(slot.container, Tensor):
                found[_array_place(slot)] = slot.container.snapshot()
            elif isinstance(slot.container, (set, deque, bytearray)):
                raise _cannot_follow(slot)
            else:
                kind = "cell" if isinstance(slot.container, CellType) else "slot"
                key = (kind, id(slot.container), slot.key)
                before = _undefined_if_missing(slot.before, slot.path)
                put = _putter(slot)
                after = _undefined_if_missing(slot.after, slot.path)
                found[Place(key, slot.path, before, put)] = _as_they_are(after)
        found.update((_array_place(s), s.container.snapshot()) for s in written_since(self._held))
        return found

    def _list_place(self, slot):
        held = self._heap.before(slot.container)
        before = held.get("staged", tuple(held.values()))
        path = self._heap.path(slot.container)
        items = slot.container
        return Place(("list", id(items)), path, before, items.put, element=items.element)

    def read_variables(self) -> dict[Place, Any]:
        """What the variables hold now."""
        return {
            place: value if value is place.before else transform(_as_it_is, value)
            for place, value in zip(self.variables, self._state.get(), strict=True)
        }

    def restore(self) -> None:
        """Undoes every change."""
        self._heap.restore()
        put_back(self._held)
        self._bound.set(self._bound_before)
        self._state.set(self._values)

    def write(self, values: dict[Place, Any]) -> None:
        """Puts values into places; variables that are not named keep what they held before."""
        self._state.set(tuple(values.get(place, place.before) for place in self.variables))
        for place, value in values.items():
            if not place.is_variable:
                place.put(value)


def may_share(place: Place, value: Any) -> bool:
    """Whether a place that holds `value` may hold an array that another one holds."""
    if place.is_list:
        return isinstance(value, tuple)
    return place.key[0] not in ("array", "position")


def held_at_end(place: Place, found: dict[Place, Any]) -> Any:
    """What a place held when a block was done that left `found`, arrays with what was written
    there; these remember which arrays they are."""

    def written(leaf):
        now = found.get(_key_of_array(leaf)) if type(leaf) is Tensor else None
        return leaf if now is None else snapshot_of(now._at, leaf)

    return transform(
        lambda leaf: with_elements(written(leaf), written), found.get(place, place.before)
    )


def _cannot_follow(slot):
    kind = type(slot.container).__name__
    return staging_error(
        f"a {kind} is changed in a staged branch or loop ({slot.path})",
        "Graphs follow lists, dicts, attributes and arrays; what this holds depends on the run.",
        "Use a list or an array, or change it outside of the branch or loop.",
    )


def one_sided(place: Place) -> StagingError:
    """The error about a key or attribute that is there on some paths only."""
    return staging_error(
        f"{place.path} is there after one path through a staged branch or loop, not after another",
        "Whether a key or attribute exists must be known while the graph is recorded: `in`, `len`, "
        "`get` and `hasattr` ask for it.",
        "Give it a value before the branch or loop.",
    )


def _as_it_is(leaf):
    """A value of its own in place of a view, whose base is about to be as it was before."""
    return leaf.snapshot() if _is_view(leaf) else leaf


def _as_they_are(value):
    """A value without views; the very same one where there are none."""
    leaves, _ = flatten(value)
    return transform(_as_it_is, value) if any(map(_is_view, leaves)) else value


def _is_view(leaf):
    return kind_of(leaf) in (Kind.VIEW, Kind.SELECT)


def _key_of_array(tensor):
    return Place(("array", id(tensor)), "", None)


def _array_place(slot):
    array = slot.container
    before = Tensor(*slot.before)
    return Place(("array", id(array)), slot.path, before, lambda new: _stand_for(array, new))


def _stand_for(array, new):
    array._at = new._at


def _same_unbound(before, value):
    return value is before or isinstance(value, Undefined) and isinstance(before, Undefined)


def _undefined_if_missing(value, path):
    return Undefined(path) if value is MISSING else value


def _putter(slot):
    return lambda value: slot.write(MISSING if isinstance(value, Undefined) else value)
