"""The locations that a block may change in a graph; see `autograph/staging/mutations.py`.

Besides variables, attributes and items, these are the contents of lists, arrays that are written
into, and `rt.Variable`s.
"""

from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from autograph.backend import State
from autograph.staging import mutations
from autograph.staging.heap_diff import HeapSlot
from autograph.staging.joins import is_plain_object
from autograph.staging.mutations import MutableLocation
from autograph.staging.object_state import MISSING
from runtime.ir.pytree import flatten, is_dict, is_list, transform
from runtime.ir.types import Type
from runtime.staging.calls.given_arguments import GivenArguments
from runtime.staging.chosen import Chosen
from runtime.staging.containers import StagedContainer
from runtime.staging.lists.merged_list import OWN_LISTS, MergedList, is_known_list, with_elements
from runtime.staging.lists.merged_objects import with_attributes
from runtime.staging.lists.merged_sources import StaleObjects, all_sources
from runtime.staging.lists.nested_list import ListPart, holder_of
from runtime.staging.lists.trace_list import TraceList, is_staged_list
from runtime.staging.lists.trees import Tree, tree_of
from runtime.staging.made_dicts import made_dicts, want_staged
from runtime.staging.outside_iterators import OutsideIterators
from runtime.staging.unbound_object import FLAGGED, with_present
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
        trace.current().state(StaleObjects).note()
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

    def hidden(self) -> tuple:
        """The objects that merged ones may be: writes into those change them."""
        return all_sources()

    def detached(self, leaf: Any) -> Any:
        """A snapshot in place of an alias, whose sources are about to be restored."""
        if is_plain_object(leaf):
            return with_attributes(leaf, lambda owner, name, value: self.all_detached(value))
        return leaf.snapshot() if isinstance(leaf, Alias) else leaf

    def copied(self, value: Any) -> Any:
        return made_dicts().note_copies(super().copied(value), value)

    def location(self, slot: HeapSlot) -> tuple[MutableLocation, Any]:
        location, value = self._location(slot)
        is_list = isinstance(slot.container, TraceList)
        self.trees[location] = tree_of(slot.container.contents() if is_list else slot.after)
        return location, value

    def location_again(self, location: MutableLocation) -> MutableLocation | None:
        """The same location as another tracker has found, None if this one does not reach it."""
        if location.key[0] in ("variable", "position"):
            return next((one for one in self.variables if one == location), None)
        container = self.heap.container(location.key[1])
        if container is None or self.heap.is_foreign(container):
            return None
        if isinstance(container, TraceList) and not isinstance(location, ListLocation):
            return None
        key = location.key[2] if location.is_slot else ""
        before = self.heap.before(container).get(key, MISSING)
        slot = HeapSlot(container, key, location.path, before, before)
        if isinstance(container, Tensor):
            return _array_location(slot) if before is not MISSING else None
        if isinstance(location, ListLocation):
            return self._list_location(slot)
        return super().location(slot)[0]

    def _location(self, slot):
        if isinstance(slot.container, TraceList):
            return self._list_location(slot), self.all_detached(slot.container.contents())
        if isinstance(slot.container, Tensor):
            return _array_location(slot), slot.container.snapshot()
        if isinstance(slot.container, set):
            want_staged(slot.container)
        return super().location(slot)

    def _list_location(self, slot):
        held = self.heap.before(slot.container)
        before = held.get("staged", tuple(held.values()))
        path = self.heap.path(slot.container)
        items = slot.container
        return ListLocation(("list", id(items)), path, before, items.put, element=items.element)


@contextmanager
def arrays_at_end(changes: dict[MutableLocation, Any]) -> Iterator[None]:
    """Gives arrays the elements again that they had at the end of a block.

    A place that the block has left alone may hold a view of such an array, or a choice between
    arrays; its value at the end of the block is read inside of this context.
    """
    written = [(one.array, value) for one, value in changes.items() if type(one) is ArrayLocation]
    before = [_elements(array) for array, _ in written]
    try:
        for array, value in written:
            _set_elements(array, value._at)
        yield
    finally:
        for (array, _), found in zip(written, before, strict=True):
            _set_elements(array, found)


def _elements(array):
    return array._now if isinstance(array, Alias) else array._at


def _set_elements(array, found):
    """Without the checks that a read or write of an alias makes."""
    if isinstance(array, Alias):
        array._now = found
    else:
        array._at = found


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

    return value_at_end(changes.get(location, location.before), changes, shared)


def value_at_end(value: Any, changes: dict[MutableLocation, Any], shared: Any = ()) -> Any:
    """A value at the end of a block: see `held_at_end`."""

    def written(leaf):
        now = changes.get(_key_of_array(leaf)) if is_unaliased(leaf) else None
        return leaf if now is None else snapshot_of(now._at, leaf)

    def item(container, key, value):
        return changes.get(MutableLocation(("slot", id(container), key), "", None), value)

    def attribute(owner, name, value):
        return final(item(owner, name, value))

    def whole(items):
        return _known_at_end(items, changes) if is_known_list(items) else final(items)

    def final(value):
        kind = type(value)
        if kind is ListPart and id(value) not in shared:
            return part_at_end(value, changes)
        if isinstance(value, StagedContainer):
            lists = list(value.held.values())
            found = lists if id(value) in shared else [whole(items) for items in lists]
            same = all(new is old for new, old in zip(found, lists, strict=True))
            return value if same else value.with_lists(found)
        if is_dict(kind):
            found = {key: final(item(value, key, x)) for key, x in dict.items(value)}
            return made_dicts().note_copies(found, value)
        if is_known_list(value):
            held = changes.get(ListLocation(("list", id(value)), "", None))
            if id(value) in shared:
                return with_elements(value, written)
            if isinstance(held, Tensor):
                return _list_at_end(value, changes)
            items = value.contents() if held is None else held
            return kind(map(final, items)) if is_list(kind) else with_elements(value, final, items)
        if is_staged_list(value) and id(value) not in shared:
            return _list_at_end(value, changes)
        if kind is list:
            return [final(item(value, i, x)) for i, x in enumerate(value)]
        if is_plain_object(value):
            return value if id(value) in shared else with_attributes(value, attribute)
        if kind in FLAGGED:
            return with_present(value, final(value.__present__))
        if kind is Chosen:
            return Chosen(value.which, tuple(map(final, value.options)), value.keys)
        if flatten(value)[1].kind is None:
            return written(value)
        if kind is tuple or hasattr(kind, "_fields"):
            found = [final(x) for x in value]
            return kind(found) if kind is tuple else kind(*found)
        return transform(written, value)

    return final(value)


def result_at_end(value: Any, changes: dict[MutableLocation, Any]) -> Any:
    """The result of a block, in which lists inside of others, dicts and sets are those of its
    end."""
    is_read = type(value) is ListPart or isinstance(value, StagedContainer)
    return value_at_end(value, changes) if is_read else value


def part_at_end(part: Any, changes: dict[MutableLocation, Any]) -> Any:
    """A list that is an element of a staged list, as a list of its own with the contents that it
    has at the end of a block; other values themselves."""
    if type(part) is not ListPart:
        return part
    outer = changes.get(ListLocation(("list", id(holder_of(part))), "", None))
    return part.at_end(outer if isinstance(outer, Tensor) else None)


def _known_at_end(items, changes):
    """The keys or values of a dict or a set, which are as many as it has at the end of a block."""
    return items if type(items) is MergedList else _list_at_end(items, changes)


def _list_at_end(items, changes):
    """A list, or one with the contents that it has at the end of a block."""
    held = changes.get(ListLocation(("list", id(items)), "", None))
    if held is None or type(items) not in OWN_LISTS:
        return items
    made = TraceList()
    made.put(held)
    made.element, made.home = items.element, items.home
    return made


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
