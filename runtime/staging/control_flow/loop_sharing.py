"""Which arrays the places of a loop may hold when an iteration starts.

    b = a                               in the first iteration b is the array a, later a new one:
    for i in range(n):                  after the write into a, a read of b is refused
        a[0] += 2
        b = b * 0.5

    for i in range(n):                  two places swap their arrays: each may hold either array,
        old, new = new, old             but both never hold the same one

The places are related as the last recorded iteration has left them.  The relation only grows, so
recording ends.
"""

import itertools
from collections.abc import Container, Iterator
from typing import Any

from autograph.staging.mutations import MutableLocation
from runtime.ir.pytree import Structure, flatten, leaves_like, unflatten
from runtime.staging.control_flow.aliasing import handle_of
from runtime.staging.control_flow.inner_choices import is_outside
from runtime.tracing import trace
from runtime.tracing.aliases import Alias, Kind, kind_of, loop_entry_alias, root_of
from runtime.tracing.stand_ins import is_unaliased
from runtime.tracing.tensor import Tensor

Place = tuple[MutableLocation, int]  # a location and a position among its leaves


class PlacesOfLoops(dict[int, tuple[Tensor, "EntrySharing", Place]]):
    """The aliases that places of loops hold when iterations start, and after the loops, by
    identity: two places of one loop hold one array only if they are related."""

    def are_related(self, one: Tensor, other: Tensor) -> bool | None:
        """Whether two such aliases of one loop may be one array; None for any others."""
        _, mine, place = self.get(id(one), (one, None, None))
        _, theirs, partner = self.get(id(other), (other, None, None))
        if mine is None or place is None or mine is not theirs:
            return None
        return place == partner or partner in mine.partners.get(place, ())


class EntrySharing:
    """The arrays and other places with which each place may share its array at the start of an
    iteration."""

    def __init__(self) -> None:
        self.entries: dict[int, tuple[Place, Tensor]] = {}  # of the last iteration, by identity
        self.structures: dict[MutableLocation, Structure] = {}
        self.starts: dict[Place, Tensor] = {}  # the handles from before the loop
        self.arrays: dict[Place, dict[int, Tensor]] = {}
        self.partners: dict[Place, set[Place]] = {}

    def enter(self, values: dict[MutableLocation, Any]) -> dict[MutableLocation, Any]:
        """The values of some locations when an iteration starts, as aliases of the arrays that
        they may be."""
        self.entries = {}
        found = {location: self._entered(location, value) for location, value in values.items()}
        by_place = {place: alias for place, alias in self.entries.values()}
        for place, other in itertools.permutations(by_place, 2):
            if may_be_one(self.starts[place], self.starts[other], set()):
                self.partners.setdefault(place, set()).add(other)
        for place, alias in by_place.items():
            partners = [by_place[one] for one in self.partners.get(place, ()) if one in by_place]
            alias.sources += (*self.arrays[place].values(), *partners)
            alias.refresh()
        return found

    def _entered(self, location, value):
        leaves, structure = flatten(value)
        starts = leaves_like(structure, location.before)
        if starts is None:
            return value
        self.structures[location] = structure
        pairs = enumerate(zip(leaves, starts, strict=True))
        return unflatten(structure, [self._entry(location, i, *pair) for i, pair in pairs])

    def _entry(self, location, position, leaf, start):
        first = handle_of(start)
        if first is None or not is_unaliased(leaf):
            return leaf
        alias = loop_entry_alias(leaf._at, first, location.path)
        known = self.arrays.setdefault((location, position), {})
        known.update((id(array), array) for array in memory_of(first))
        self.starts[location, position] = first
        trace.current().state(PlacesOfLoops)[id(alias)] = alias, self, (location, position)
        self.entries[id(alias)] = (location, position), alias
        return alias

    def refresh(self) -> None:
        """Marks the entries as up to date, once every place has its value."""
        for _, alias in self.entries.values():
            alias.refresh()

    def note_results(self, values: dict[MutableLocation, Any]) -> None:
        """Notes the aliases that the places hold after the loop: related as before an iteration."""
        known = trace.current().state(PlacesOfLoops)
        for location, value in values.items():
            for position, leaf in enumerate(flatten(value)[0]):
                if isinstance(leaf, Alias) and (location, position) in self.starts:
                    known[id(leaf)] = leaf, self, (location, position)

    def grown(self, found: dict[MutableLocation, Any]) -> bool:
        """Adds what the values at the end of an iteration show; returns whether it is new."""
        held = {place: self._held(place, alias, found) for place, alias in self.entries.values()}
        before = self._size()
        for place, handle in held.items():
            for array in memory_of(handle, self.entries):
                self._add(place, array)
            for other, theirs in held.items():
                if other != place and self._may_meet(handle, theirs):
                    self.partners.setdefault(place, set()).add(other)
        return self._size() != before

    def _held(self, place, alias, found):
        """The handle that a place holds at the end of an iteration."""
        location, position = place
        leaves = leaves_like(self.structures[location], found.get(location, location.before))
        handle = handle_of(leaves[position]) if leaves else None
        return alias if handle is None else handle

    def _size(self):
        return sum(map(len, (*self.arrays.values(), *self.partners.values())))

    def _add(self, place, array):
        if id(array) in self.entries:
            other, _ = self.entries[id(array)]
            self.arrays[place].update(self.arrays[other])
        elif is_outside(array):
            self.arrays[place][id(array)] = array

    def _may_meet(self, one, other, seen=frozenset()):
        """Whether two handles may be the same array at the end of an iteration.

        `seen` are the pairs that are being compared: places of an inner loop may name one another.
        """
        one, other = root_of(one), root_of(other)
        if one is other:
            return True
        pair = id(one), id(other)
        if pair in seen:
            return False
        seen = seen | {pair}
        related = trace.current().state(PlacesOfLoops).are_related(one, other)
        if related is not None and id(one) not in self.entries:
            return related
        if kind_of(one) is kind_of(other) is Kind.SELECT and one.recipe is other.recipe:
            return any(
                self._may_meet(*two, seen) for two in zip(one.sources, other.sources, strict=True)
            )
        for handle, partner in ((one, other), (other, one)):
            if isinstance(handle, Alias) and id(handle) not in self.entries:
                return any(self._may_meet(source, partner, seen) for source in handle.sources)
        if id(one) in self.entries and id(other) in self.entries:
            return self.entries[id(other)][0] in self.partners.get(self.entries[id(one)][0], ())
        return self._is_among(one, other) or self._is_among(other, one)

    def _is_among(self, entry, array):
        """Whether an array is one of those that a place may hold when an iteration starts."""
        known = self.entries.get(id(entry))
        return known is not None and id(array) in self.arrays[known[0]]


def may_be_one(one: Tensor, other: Tensor, seen: set[tuple[int, int]]) -> bool:
    """Whether two handles may be one array; `seen` are the pairs that have been compared."""
    one, other = root_of(one), root_of(other)
    if one is other:
        return True
    if (id(one), id(other)) in seen:
        return False
    seen.add((id(one), id(other)))
    related = trace.current().state(PlacesOfLoops).are_related(one, other)
    if related is not None:
        return related
    for handle, partner in ((one, other), (other, one)):
        if kind_of(handle) in (Kind.SELECT, Kind.UNKNOWN):
            return any(may_be_one(source, partner, seen) for source in handle.sources)
    arrays = set(map(id, memory_of(one)))
    return any(id(array) in arrays for array in memory_of(other))


def memory_of(handle: Tensor, entries: Container[int] = ()) -> Iterator[Tensor]:
    """The arrays in whose memory a handle may be, none of them a view or a choice.

    Those that `entries` has by identity are not looked into.
    """
    seen: set[int] = set()
    pending = [handle]
    while pending:
        one = root_of(pending.pop())
        if id(one) in seen:
            continue
        seen.add(id(one))
        if isinstance(one, Alias) and one.kind is not Kind.SNAPSHOT and id(one) not in entries:
            pending += one.sources
        if kind_of(one) in (Kind.FRESH, Kind.LOOP_ENTRY):
            yield one
