"""Mutable locations: where a block of code may leave another value, found before and after.

    tracker = MutationTracker(state, body, orelse)
    body()
    changes = tracker.changes()      {location: its new value}, for every location that changed
    tracker.restore()                everything as it was before
    ...
    tracker.write(values)            the joined values

A location is a variable of the block's state, an attribute or an item.  A backend derives from
`MutationTracker` for the contents of its own values.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from types import CellType
from typing import Any

from autograph.backend import State, Undefined
from autograph.errors import ContainerError, IterationError, OneSidedError
from autograph.staging.errors import staging_error
from autograph.staging.heap_diff import HeapSlot, HeapSnapshot
from autograph.staging.object_state import MISSING
from autograph.staging.pytree import flatten, transform, unflatten
from autograph.staging.walrus_state import walrus_state


@dataclass(frozen=True)
class MutableLocation:
    """A location that code can write to; two are equal if they are the same location."""

    key: tuple
    path: str = field(compare=False)  # as the user would write it
    before: Any = field(compare=False)
    put: Callable[[Any], None] | None = field(compare=False, default=None)
    read: Callable[[], Any] | None = field(compare=False, default=None)

    @property
    def is_variable(self) -> bool:
        """Whether it is a variable of the block's state."""
        return self.put is None

    @property
    def is_slot(self) -> bool:
        """Whether it is an attribute or an item."""
        return self.key[0] == "slot"


class MutationTracker:
    """Finds and undoes the changes of some blocks: to variables, and to objects they can reach."""

    runs_once = False  # whether the blocks run once in each run: they may use iterators up

    def __init__(self, state: State, *blocks: Callable | None, roots: tuple = (), named=None):
        self._state = state
        self._values = state.get()
        self._walrus = walrus_state(*[block for block in blocks if block is not None])
        self._walrus_before = self._walrus.get()  # also variables that no later code reads
        self.heap = HeapSnapshot(*blocks, roots=roots, named=named)
        if self.heap.acting is not None:
            raise _acting(self.heap.acting)
        self.variables = [
            MutableLocation(("variable", i), name, value)
            for i, (name, value) in enumerate(zip(state.names, self._values, strict=True))
        ]

    # -- may be overridden -------------------------------------------------------------------------

    def detached(self, leaf: Any) -> Any:
        """A value that does not change when the blocks are undone; by default the value itself."""
        return leaf

    def location(self, slot: HeapSlot) -> tuple[MutableLocation, Any]:
        """The location for a change on the heap, and its new value.

        Raises `StagingError` for containers whose changes cannot be staged.
        """
        if self.heap.is_foreign(slot.container):
            raise _foreign(slot)
        if isinstance(slot.container, (set, deque, bytearray)):
            raise _cannot_follow(slot)
        kind = "cell" if isinstance(slot.container, CellType) else "slot"
        before = _undefined_if_missing(slot.before, slot.path)
        key = (kind, id(slot.container), slot.key)
        location = MutableLocation(key, slot.path, before, _writer(slot))
        return location, self.all_detached(_undefined_if_missing(slot.after, slot.path))

    # -- changes -----------------------------------------------------------------------------------

    def changes(self) -> dict[MutableLocation, Any]:
        """The locations that have another value than before, and these values."""
        changed = {
            location: value if value is location.before else transform(self.detached, value)
            for location, value in zip(self.variables, self._state.get(), strict=True)
            if not _is_unchanged(location.before, value)
        }
        changed.update(map(self.location, self.heap.changes()))
        for container, path in self.heap.reordered():
            raise _reordered(container, path)
        for iterator, path in () if self.runs_once else self.heap.advanced():
            raise advanced(iterator, path)
        return changed

    def variable_values(self) -> dict[MutableLocation, Any]:
        """The current values of the variables."""
        return {
            location: value if value is location.before else transform(self.detached, value)
            for location, value in zip(self.variables, self._state.get(), strict=True)
        }

    def restore(self) -> None:
        """Undoes every change."""
        self.heap.restore()
        self._walrus.set(self._walrus_before)
        self._state.set(self._values)

    def write(self, values: dict[MutableLocation, Any]) -> None:
        """Writes values to locations; variables that are not among them get their old values."""
        self._state.set(tuple(values.get(location, location.before) for location in self.variables))
        for location, value in values.items():
            if location.put is not None:
                location.put(value)

    def all_detached(self, value: Any) -> Any:
        """A value with its leaves detached; the value itself if that changes none."""
        leaves, structure = flatten(value)
        detached = [self.detached(leaf) for leaf in leaves]
        if all(new is old for new, old in zip(detached, leaves, strict=True)):
            return value
        return unflatten(structure, detached)


def one_sided(location: MutableLocation) -> BaseException:
    """The error about a key or attribute that exists after some paths only."""
    return staging_error(
        f"{location.path} exists after one path through a staged branch or loop, but not after "
        "another",
        "Whether a key or attribute exists must be known while the graph is being built: `in`, "
        "`len`, `get` and `hasattr` depend on it.",
        "Give it a value before the branch or loop.",
        OneSidedError,
    )


def advanced(iterator: object, path: str = "") -> BaseException:
    """The error about an iterator from outside of a block that may not run."""
    name, kind = path.lstrip("."), type(iterator).__name__
    described = f"{'an' if kind[:1] in 'aeiou' else 'a'} {kind}"
    named = f"{name}, {described}," if name else described
    return staging_error(
        f"an element is taken from {named} in a staged branch or loop",
        "It was made outside, and the elements that it has left would depend on the run.",
        "Take the elements before: items = list(iterator).",
        IterationError,
    )


def _cannot_follow(slot):
    kind = type(slot.container).__name__
    return staging_error(
        f"a {kind} is changed in a staged branch or loop ({slot.path})",
        "Only changes of lists, dicts, attributes and arrays can be staged.",
        "Use a list or an array, or change it outside the branch or loop.",
        ContainerError,
    )


def _reordered(container, path):
    kind = type(container).__name__
    return staging_error(
        f"the order of {path.lstrip('.') or f'a {kind}'} is changed in a staged branch or loop",
        f"Only changes of the values of a {kind} can be staged.",
        "Change the order outside the branch or loop, or keep the keys in a list.",
        ContainerError,
    )


def _foreign(slot):
    path = slot.path.lstrip(".")
    owner, _, name = path.rpartition(".")
    remedy = f"rt.host_call(setattr, {owner}, {name!r}, value)" if owner else "rt.host_call"
    return staging_error(
        f"{path} is changed in a staged branch or loop",
        "It belongs to a module or to an object of another package, and other code may change it.",
        f"Let each run change it: {remedy}.",
        ContainerError,
    )


def _acting(path):
    owner, _, name = path.rpartition(".")
    return staging_error(
        f"{path} is set in a staged branch or loop",
        "It belongs to an object of another package, whose class runs code when it is set.",
        f"Let each run set it: rt.host_call(setattr, {owner}, {name!r}, value).",
        ContainerError,
    )


def _is_unchanged(before, value):
    return value is before or isinstance(value, Undefined) and isinstance(before, Undefined)


def _undefined_if_missing(value, path):
    return Undefined(path) if value is MISSING else value


def _writer(slot):
    def write(value):
        if not isinstance(value, Undefined):
            slot.write(value)
        elif slot.before is not MISSING:  # else there is nothing to delete
            slot.write(MISSING)

    return write
