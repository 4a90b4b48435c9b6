"""Staged lists of lists: `z[i]` is the list that z holds at that place.

    z[i].append(v)       row = list_get(z, i); longer = list_append(row, v)
                         z_1 = list_set(z, i, longer)

A `ListPart` is the name of a place.  It is refused once the elements of z may have moved.  A place
may be inside of a tuple, or of a dict or a set (`dicts/`), which the graph then makes again.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from autograph.staging.accessors import Accessor, register_accessor
from autograph.staging.object_state import attributes, write_attribute
from runtime.errors import SharedMemoryError, staging_error
from runtime.ir.graph import Graph
from runtime.ir.op import find
from runtime.ir.types import ListType, TupleType, Type
from runtime.ir.unions import join
from runtime.staging.containers import StagedContainer
from runtime.staging.lists.aliasing import refuse_invalidated
from runtime.staging.lists.elements import with_type
from runtime.staging.lists.forms import ElementDict, form_of, is_element
from runtime.staging.lists.inner_lists import note_inner_write, refuse_write
from runtime.staging.lists.merged_sources import can_be_seen, merged_error, sources_of
from runtime.staging.lists.python_classes import method_of_list, named_as
from runtime.staging.lists.trace_list import PARTS, TraceList
from runtime.tracing import trace
from runtime.tracing.tensor import Tensor, apply


@named_as(list)
class ReadLists:
    """Whether the code has read a list that is an element of a staged list."""

    exist = False


@dataclass
class Moves:
    """How often elements of some lists were moved, and added at the end; and the regions that use
    names of their elements."""

    counts: tuple[int, int] = (0, 0)
    named_in: dict[int, Any] = field(default_factory=dict)


class InnerMoves(dict[tuple, Moves]):
    """The moves in the lists that are at one depth inside of a staged list: several names may stand
    for one of them."""

    def of(self, part: "ListPart") -> Moves:
        """The moves in the lists of which a part may be one."""
        path: tuple = ()
        owner: TraceList = part
        while isinstance(owner, ListPart):
            owner, path = owner.owner, (owner.inside, *path)
        return self.setdefault((id(owner), path), Moves())


class ListPart(TraceList):
    """A list that is an element of a staged list."""

    __slots__ = ("owner", "place", "inside", "moves_seen", "sees_end", "inner")

    def __init__(self, owner: TraceList, place: Any, inside: tuple[int, ...] = ()):
        self.owner, self.place, self.inside = owner, place, inside
        self.inner: Moves | None = None
        super().__init__()
        self.inner = trace.current().state(InnerMoves).of(self)
        self.moves_seen = owner.moves
        trace.current().state(ReadLists).exist = True
        self.sees_end = type(place) is not int or place < 0

    @property
    def _staged(self) -> Tensor:  # type: ignore[override]
        return self.value

    @_staged.setter
    def _staged(self, value: Tensor | None) -> None:
        if value is not None:
            self.value = value

    @property
    def moves(self) -> tuple[int, int]:  # type: ignore[override]
        return self.inner.counts if self.inner else (0, 0)

    @moves.setter
    def moves(self, counts: tuple[int, int]) -> None:
        if self.inner:
            self.inner.counts = counts

    @property
    def named_in(self) -> dict[int, Any]:  # type: ignore[override]
        return self.inner.named_in if self.inner else {}

    @named_in.setter
    def named_in(self, regions: dict) -> None:
        """The regions are those of all names of the list."""

    @property
    def value(self) -> Tensor:
        """The list at the place."""
        self._check()
        return self._within(holder_of(self).value)

    @value.setter
    def value(self, value: Tensor) -> None:
        self._check()
        if sources_of(self.owner) and can_be_seen(self.owner):
            raise merged_error(self.owner, "is changed by an element")
        note_inner_write(self)
        outer = self.owner.value
        kind = kind_with(outer.type.element, self.inside, value.type)
        element = join(outer.type.element, kind)
        if element is not None and element != outer.type.element:
            outer = with_type(outer, ListType(element))
        whole = apply(find("list_get"), outer, self.place) if self.inside else None
        item = with_type(item_with(whole, self.inside, value), element or value.type)
        self.owner.value = apply(find("list_set"), outer, self.place, item)

    def at_end(self, outer: Tensor | None = None) -> TraceList:
        """A list with the contents of this one, for a block that has ended: the place may be
        known in that block only.  `outer` is the staged list that the block leaves around it, if
        the block has changed that."""
        recorder = trace.current()
        is_inside = self.home is not None and self.home not in recorder.regions
        self._check(is_used=not is_inside)
        region = self.home if is_inside else recorder.region
        with recorder.reopened(region if outer is None else outer._region):
            return TraceList.of(self._within(holder_of(self).value if outer is None else outer))

    def _within(self, outer: Tensor) -> Tensor:
        """The list at the place in a staged list, which holds it at some depth."""
        owner = self.owner
        found = apply(
            find("list_get"),
            owner._within(outer) if isinstance(owner, ListPart) else outer,
            self.place,
        )
        for place in self.inside:
            found = found[place]
        return found

    def length(self):
        return apply(find("list_length"), self.value)

    def clear(self):
        note_moved(self)
        kind = self.value.type
        self.value = apply(find("list_new"), element=kind.element)

    def put(self, contents: Any) -> None:
        """Replaces the contents."""
        note_moved(self)
        if not isinstance(contents, Tensor):
            contents = TraceList(contents)
            contents.stage()
            contents = contents.value
        self.value = contents

    def _check(self, is_used: bool = True) -> None:
        part: Any = self
        while isinstance(part, ListPart):
            check_place(part, is_used)
            part = part.owner


def holder_of(items: Any) -> Any:
    """The staged list that holds a list as an element, at any depth; other containers
    themselves."""
    while isinstance(items, ListPart):
        items = items.owner
    return items


def is_place_inside(value: Any) -> bool:
    """Whether a value is the name of a place that is known in a block only, which has ended."""
    part = value
    while type(part) is ListPart:
        if isinstance(part.place, Tensor) and part.place._region not in trace.current().regions:
            return True
        part = part.owner
    return False


def kind_at(kind: Type, inside: tuple[int, ...]) -> Type:
    """The type in a place inside of tuples."""
    for at in inside:
        assert isinstance(kind, TupleType)
        kind = kind.places[at]
    return kind


def kind_with(kind: Type, inside: tuple[int, ...], new: Type) -> Type:
    """A type with a new one in a place inside of tuples."""
    if not inside:
        return new
    if type(kind) is not TupleType:
        raise staging_error(
            "a list in a tuple of a staged list is changed, and the tuple may be None",
            "A graph would have to make the tuple again.",
            "Keep the lists in a list of their own.",
            SharedMemoryError,
        )
    places = list(kind.places)
    places[inside[0]] = kind_with(places[inside[0]], inside[1:], new)
    return TupleType(tuple(places), kind.form)


def item_with(item: Any, inside: tuple[int, ...], new: Any) -> Any:
    """An element with a new list in a place inside of tuples."""
    if not inside:
        return new
    parts = enumerate(tuple.__iter__(item))
    return tuple(item_with(one, inside[1:], new) if i == inside[0] else one for i, one in parts)


def check_place(part: Any, is_used: bool = True) -> None:
    """Refuses the name of a place where another element may be by now; `part` is a `ListPart`, or
    the place of an object (`element_writes.py`); `is_used` says whether the current regions use
    it."""
    owner = part.owner
    moved, added = (now != then for now, then in zip(owner.moves, part.moves_seen, strict=True))
    if moved or added and part.sees_end:
        raise _moved()
    regions = trace.current().regions if is_used else []
    start = regions.index(part.home) + 1 if part.home in regions else 1
    for region in regions[start:]:
        _, others_see = owner.named_in.get(id(region), (region, False))
        owner.named_in[id(region)] = region, others_see or part.sees_end


def note_moved(owner: TraceList, at_end: bool = False) -> None:
    """Before elements of a staged list get other places, or are added at its end."""
    if owner.named_in:
        opened: list[Graph] = trace.current().regions[1:]
        named = [owner.named_in[id(region)] for region in opened if id(region) in owner.named_in]
        if named and not at_end or any(sees_end for _, sees_end in named):
            raise _moved()
    ends = owner.moves
    owner.moves = (ends[0], ends[1] + 1) if at_end else (ends[0] + 1, ends[1])


def from_start(item: Any) -> Any:
    """An element that code reads by a place that is counted from the start: it stays there while
    others are added at the end."""
    for part in item.held.values() if isinstance(item, StagedContainer) else (item,):
        if type(part) is ListPart:
            part.sees_end = False
    PARTS["is_from_start"](item)
    return item


def _moved():
    return staging_error(
        "a name of an element of a staged list is used after elements have been added or moved",
        "A graph finds the element by its place, where another one may be.",
        "Read it again: row = z[i].",
        SharedMemoryError,
    )


def part_of(owner: TraceList, place: Any, item: Any, inside: tuple[int, ...] = ()) -> Any:
    """An element of a staged list, whose lists are parts of it."""

    def note(one: Any, path: tuple[int, ...]) -> None:
        PARTS["object"](owner, place, one, path)

    return with_each_list(item, lambda _, path: ListPart(owner, place, path), inside, note)


def taken(item: Any) -> Any:
    """An element that has been removed from a staged list, whose lists are lists of their own."""
    return with_each_list(item, lambda one, _: TraceList.of(one), (), lambda one, path: None)


def with_each_list(item: Any, make: Callable, inside: tuple[int, ...], note: Callable) -> Any:
    """An element with `make(one, inside)` in place of each staged list of the graph in it, where
    `inside` is its path in tuples; `note(one, inside)` is called for each dict and object."""
    if isinstance(item, StagedContainer):
        for i, (name, one) in enumerate(item.held.items()):
            item.held[name] = make(one.value, (*inside, i))
        return item
    if isinstance(item, Tensor):
        return make(item, inside) if isinstance(item.type, ListType) else item

    def part(i, one):
        return with_each_list(one, make, (*inside, i), note)

    if type(item) is tuple or isinstance(item, tuple) and hasattr(type(item), "_fields"):
        return tuple.__new__(type(item), (part(*pair) for pair in enumerate(item)))
    if isinstance(item, ElementDict):
        for i, (key, one) in enumerate(list(dict.items(item))):
            dict.__setitem__(item, key, part(i, one))
        note(item, inside)
    elif form_of(item) is not None and is_element(item):
        for i, (name, one) in enumerate(attributes(item).items()):
            found = part(i, one)
            if found is not one:
                write_attribute(item, name, found)
        note(item, inside)
    return item


def is_put_back(owner: TraceList, key: Any, item: Any) -> bool:
    """Whether an item is the element that it would replace, as in `z[i] += [v]`."""
    part = next(iter(item.held.values())) if isinstance(item, StagedContainer) else item
    if type(part) is ListPart:
        depth = 0 if part is item else 1
        is_there = part.owner is owner and part.place is key and len(part.inside) == depth
        return is_there and check_place(part) is None
    return PARTS["is_object_put_back"](owner, key, item)


PARTS.update(part=part_of, taken=taken, moved=note_moved, is_put_back=is_put_back)


register_accessor(
    ListPart,
    Accessor(lambda part: {"": part.owner}, None, None, lambda path, key: path),  # type: ignore[arg-type]
)


WRITERS = "append extend insert pop remove clear reverse __setitem__ __delitem__ __iadd__ __imul__"

for _name in WRITERS.split():
    setattr(TraceList, _name, method_of_list(_name, getattr(TraceList, _name), refuse_write))
for _name in ("copy", "count", "index"):
    setattr(TraceList, _name, method_of_list(_name, getattr(TraceList, _name)))


# -- how autograph's heap looks into such a list ---------------------------------------------------


def _read(items):
    if items._staged is not None:
        refuse_invalidated(items._staged.type)
        return {"staged": items._staged}
    return dict(enumerate(list.__iter__(items)))


def _fill(items, held):
    list.clear(items)
    items.value = held.get("staged")
    if items._staged is None:
        list.extend(items, held.values())


def _write(items, key, value):
    raise TypeError("the contents of a list are put back as a whole")


register_accessor(TraceList, Accessor(_read, _write, _fill, lambda path, key: f"{path}[{key!r}]"))
