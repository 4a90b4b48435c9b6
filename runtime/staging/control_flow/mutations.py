"""The locations that a block may change in a graph; see `autograph/staging/mutations.py`.

Besides variables, attributes and items, these are the contents of lists, arrays that are written
into, and `rt.Variable`s.
"""

from collections.abc import Callable, Container
from dataclasses import dataclass, field
from typing import Any

from autograph.backend import State
from autograph.staging import mutations
from autograph.staging.heap_diff import HeapSlot
from autograph.staging.mutations import MutableLocation
from runtime.ir.pytree import flatten, is_dict, is_list, transform
from runtime.ir.types import Type
from runtime.staging.calls.given_arguments import GivenArguments
from runtime.staging.lists.merged_containers import Tree, tree_of
from runtime.staging.lists.merged_list import is_known_list, with_elements
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.outside_iterators import OutsideIterators
from runtime.staging.variables import restore_variables, saved_variables, written_variables
from runtime.tracing import trace
from runtime.tracing.aliases import Alias, snapshot_of
from runtime.tracing.stand_ins import is_unaliased
from runtime.tracing.tensor import Tensor


@dataclass(frozen=True)
class ListLocation(MutableLocation):
    """The contents of a list that may grow."""

    element: Type | None = field(compare=False, default=None)  # as set by set_element_type


@dataclass(frozen=True)
class ArrayLocation(MutableLocation):
    """An array that is written into."""

    array: Any = field(compare=False, default=None)


class GraphMutationTracker(mutations.MutationTracker):
    """Finds and undoes what some blocks change, arrays and staged lists included."""

    repeats = False  # whether the blocks may run again in the same run

    def __init__(self, state: State, *blocks: Callable | None, roots: tuple = (), named=None):
        super().__init__(state, *blocks, roots=roots, named=named)
        trace.current().state(OutsideIterators).note(self.heap)
        self._held = saved_variables()
        self.trees: dict[MutableLocation, Tree | None] = {}  # the containers at the end of a block

    def changes(self) -> dict[MutableLocation, Any]:
        self.trees = {}
        found = super().changes()
        ends = zip(self.variables, self._state.get(), strict=True)
        self.trees.update((location, tree_of(value)) for location, value in ends)
        slots = written_variables(self._held)
        found.update((_array_location(slot), slot.container.snapshot()) for slot in slots)
        places = (one.key for one in found if self.repeats and len(one.key) > 1)
        trace.current().state(GivenArguments).compare({key[1] for key in places})
        return found

    def restore(self) -> None:
        restore_variables(self._held)
        super().restore()

    def write(self, values: dict[MutableLocation, Any]) -> None:
        super().write(values)
        trace.current().state(GivenArguments).joined()

    def detached(self, leaf: Any) -> Any:
        """A snapshot in place of an alias, whose sources are about to be restored."""
        return leaf.snapshot() if isinstance(leaf, Alias) else leaf

    def location(self, slot: HeapSlot) -> tuple[MutableLocation, Any]:
        location, value = self._location(slot)
        is_list = isinstance(slot.container, TraceList)
        self.trees[location] = tree_of(slot.container.contents() if is_list else slot.after)
        return location, value

    def _location(self, slot):
        if isinstance(slot.container, TraceList):
            return self._list_location(slot), self.all_detached(slot.container.contents())
        if isinstance(slot.container, Tensor):
            return _array_location(slot), slot.container.snapshot()
        return super().location(slot)

    def _list_location(self, slot):
        held = self.heap.before(slot.container)
        before = held.get("staged", tuple(held.values()))
        path = self.heap.path(slot.container)
        items = slot.container
        return ListLocation(("list", id(items)), path, before, items.put, element=items.element)


def may_share(location: MutableLocation, value: Any) -> bool:
    """Whether a location that holds `value` may hold an array that another one holds."""
    if isinstance(location, ListLocation):
        return isinstance(value, tuple)
    return location.key[0] not in ("array", "position")


def held_at_end(
    location: MutableLocation, changes: dict[MutableLocation, Any], shared: Container[int] = ()
) -> Any:
    """The value of a location at the end of a block, with the final elements of its arrays, which
    remember which arrays they are, and of its lists and dicts.

    The lists that `shared` has by identity are left as they are.
    """

    def written(leaf):
        now = changes.get(_key_of_array(leaf)) if is_unaliased(leaf) else None
        return leaf if now is None else snapshot_of(now._at, leaf)

    def item(container, key, value):
        return changes.get(MutableLocation(("slot", id(container), key), "", None), value)

    def final(value):
        kind = type(value)
        if is_dict(kind):
            return {key: final(item(value, key, x)) for key, x in dict.items(value)}
        if is_known_list(value):
            held = changes.get(ListLocation(("list", id(value)), "", None))
            if id(value) in shared or isinstance(held, Tensor):
                return with_elements(value, written)
            items = value.contents() if held is None else held
            return kind(map(final, items)) if is_list(kind) else with_elements(value, final, items)
        if kind is list:
            return [final(item(value, i, x)) for i, x in enumerate(value)]
        if flatten(value)[1].kind is None:
            return written(value)
        if kind is tuple or hasattr(kind, "_fields"):
            found = [final(x) for x in value]
            return kind(found) if kind is tuple else kind(*found)
        return transform(written, value)

    return final(changes.get(location, location.before))


def _key_of_array(tensor):
    return ArrayLocation(("array", id(tensor)), "", None)


def _array_location(slot):
    array = slot.container
    before = Tensor(*slot.before)
    return ArrayLocation(
        ("array", id(array)), slot.path, before, lambda new: _set_value(array, new), array=array
    )


def _set_value(array, new):
    array._at = new._at
