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

import sys
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from types import CellType
from typing import Any

from autograph.backend import State, Undefined
from autograph.errors import ContainerError, IterationError, OneSidedError, with_article
from autograph.functions.bytecode import global_names
from autograph.functions.rebuild import MADE
from autograph.staging.errors import staging_error
from autograph.staging.heap_diff import HeapSlot, HeapSnapshot
from autograph.staging.iterables import Combined
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
    is_item_of_list: bool = field(compare=False, default=False)

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
        self.heap = HeapSnapshot(
            *blocks, roots=roots, named=named, hidden=self.hidden(), with_memory=True
        )
        if self.heap.acting is not None:
            raise _acting(self.heap.acting)
        self.inserted: dict[int, tuple[object, str, list]] = {}
        self.variables = [
            MutableLocation(("variable", i), name, value)
            for i, (name, value) in enumerate(zip(state.names, self._values, strict=True))
        ]

    # -- may be overridden -------------------------------------------------------------------------

    def hidden(self) -> tuple:
        """Objects that the blocks may change, although they cannot be reached."""
        return ()

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
            raise _cannot_follow(slot.container, slot.path)
        kind = "cell" if isinstance(slot.container, CellType) else "slot"
        before = _undefined_if_missing(slot.before, slot.path)
        key = (kind, id(slot.container), slot.key)
        of_list = isinstance(slot.container, list)
        location = MutableLocation(key, slot.path, before, _writer(slot), is_item_of_list=of_list)
        return location, self.all_detached(_undefined_if_missing(slot.after, slot.path))

    # -- changes -----------------------------------------------------------------------------------

    def changes(self) -> dict[MutableLocation, Any]:
        """The locations that have another value than before, and these values."""
        changed = {
            location: value if value is location.before else self.copied(value)
            for location, value in zip(self.variables, self._state.get(), strict=True)
            if not _is_unchanged(location.before, value)
        }
        compared = self.heap.compared()
        changed.update(map(self.location, self.heap.changes(compared)))
        inserted = self.heap.inserted(compared)
        self.inserted = {id(one): (one, path, new) for one, path, new in inserted}
        for container, path in self.heap.reordered(compared):
            raise _reordered(container, path)
        for value, path in self.heap.rewritten():
            self.heap.restore()
            raise _cannot_follow(value, path)
        for iterator, path in () if self.runs_once else self.heap.advanced():
            raise advanced(iterator, path)
        return changed

    def refuse_other_order(self, inserted: dict[int, tuple[object, str, list]]) -> None:
        """Raises `StagingError` if the last block has inserted keys in another order than an
        earlier one, of which this is the value of `inserted`."""
        for key, (container, path, new) in self.inserted.items():
            keys = inserted[key][2] if key in inserted else new
            if not (isinstance(container, dict) or _lists_attributes()):
                continue
            if [k for k in keys if k in new] != [k for k in new if k in keys]:
                raise _reordered(container, path)

    def variable_values(self) -> dict[MutableLocation, Any]:
        """The current values of the variables."""
        return {
            location: value if value is location.before else self.copied(value)
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

    def copied(self, value: Any) -> Any:
        """A value with its leaves detached, in containers of its own."""
        return transform(self.detached, value)

    def all_detached(self, value: Any) -> Any:
        """A value with its leaves detached; the value itself if that changes none."""
        leaves, structure = flatten(value)
        detached = [self.detached(leaf) for leaf in leaves]
        if all(new is old for new, old in zip(detached, leaves, strict=True)):
            return value
        return unflatten(structure, detached)


def one_sided(location: MutableLocation) -> BaseException:
    """The error about an item or attribute that exists after some paths only."""
    if location.is_item_of_list:
        name = location.path.rpartition("[")[0] or "a list"
        return staging_error(
            f"{name} gets longer or shorter in a staged branch or loop",
            "It is a Python list from outside, whose length must be known while the graph is being "
            "built.",
            f"Make the list in the function, before the branch or loop: {name} = []."
            if "." in name
            else "Append to a list that the function itself makes, and return it.",
            OneSidedError,
        )
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
    kind = "iterator" if isinstance(iterator, Combined) else type(iterator).__name__
    name, described = path.lstrip("."), with_article(kind)
    named = f"{name}, {described}," if name else described
    return staging_error(
        f"an element is taken from {named} in a staged branch or loop",
        "It was made outside, and the elements that it has left would depend on the run.",
        "Take the elements before: items = list(iterator).",
        IterationError,
    )


def _cannot_follow(container, path):
    kind, path = type(container).__name__, path.lstrip(".")
    named = f" ({path})" if path else ""
    return staging_error(
        f"{with_article(kind)} is changed in a staged branch or loop{named}",
        "Only changes of lists, dicts, attributes and arrays can be staged.",
        "Use a list or an array, or change it outside the branch or loop.",
        ContainerError,
    )


def _reordered(container, path):
    kind = with_article(type(container).__name__)
    return staging_error(
        f"the order of {path.lstrip('.') or kind} is changed in a staged branch or loop",
        f"Only changes of the values of {kind} can be staged.",
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


def _lists_attributes():
    """Whether the code that is running may list all attributes of an object, in their order."""
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code in MADE and not LISTING.isdisjoint(global_names(frame.f_code)):
            return True
        frame = frame.f_back
    return False


LISTING = frozenset(("vars", "__dict__", "asdict", "astuple", "dumps", "copy", "deepcopy"))


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
