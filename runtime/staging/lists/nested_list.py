"""Staged lists of lists: `z[i]` is the list that z holds at that place.

    z[i].append(v)       row = list_get(z, i); longer = list_append(row, v)
                         z_1 = list_set(z, i, longer)

A `ListPart` is the name of a place.  It is refused once the elements of z may have moved.
"""

from typing import Any

from autograph.staging.accessors import Accessor, register_accessor
from runtime.errors import SharedMemoryError, staging_error
from runtime.ir.graph import Graph
from runtime.ir.op import find
from runtime.ir.types import ListType
from runtime.ir.unions import join
from runtime.staging.lists.aliasing import refuse_invalidated
from runtime.staging.lists.elements import with_type
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


class ListPart(TraceList):
    """A list that is an element of a staged list."""

    __slots__ = ("owner", "place", "inside", "moves_seen", "sees_end")

    def __init__(self, owner: TraceList, place: Any, inside: tuple[int, ...] = ()):
        super().__init__()
        self.owner, self.place, self.inside = owner, place, inside
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
    def value(self) -> Tensor:
        """The list at the place."""
        self._check()
        found = apply(find("list_get"), self.owner.value, self.place)
        for place in self.inside:
            found = found[place]
        return found

    @value.setter
    def value(self, value: Tensor) -> None:
        self._check()
        if self.inside:
            raise staging_error(
                "a list in a tuple of a staged list is changed",
                "A graph would have to make the tuple again.",
                "Keep the lists in a list of their own.",
                SharedMemoryError,
            )
        if sources_of(self.owner) and can_be_seen(self.owner):
            raise merged_error(self.owner, "is changed by an element")
        note_inner_write(self)
        outer = self.owner.value
        element = join(outer.type.element, value.type)
        if element is not None and element != outer.type.element:
            outer, value = with_type(outer, ListType(element)), with_type(value, element)
        self.owner.value = apply(find("list_set"), outer, self.place, value)

    def at_end(self) -> TraceList:
        """A list with the contents of this one, for a block that has ended: the place may be
        known in that block only."""
        recorder = trace.current()
        if self.home is None or self.home in recorder.regions:
            return self
        with recorder.reopened(self.home):
            return TraceList.of(self.value)

    def length(self):
        return apply(find("list_length"), self.value)

    def clear(self):
        kind = self.value.type
        self.value = apply(find("list_new"), element=kind.element)

    def put(self, contents: Any) -> None:
        """Replaces the contents."""
        if not isinstance(contents, Tensor):
            contents = TraceList(contents)
            contents.stage()
            contents = contents.value
        self.value = contents

    def _check(self) -> None:
        check_place(self)


def check_place(part: Any) -> None:
    """Refuses the name of a place where another element may be by now; `part` is a `ListPart`, or
    the place of an object (`element_writes.py`)."""
    owner = part.owner
    moved, added = (now != then for now, then in zip(owner.moves, part.moves_seen, strict=True))
    if moved or added and part.sees_end:
        raise _moved()
    regions = trace.current().regions
    start = regions.index(part.home) + 1 if part.home in regions else 1
    owner.named_in.update((id(region), region) for region in regions[start:])


def note_moved(owner: TraceList, at_end: bool = False) -> None:
    """Before elements of a staged list get other places, or are added at its end."""
    if owner.named_in:
        opened: list[Graph] = trace.current().regions[1:]
        if any(id(region) in owner.named_in for region in opened):
            raise _moved()
    ends = owner.moves
    owner.moves = (ends[0], ends[1] + 1) if at_end else (ends[0] + 1, ends[1])


def _moved():
    return staging_error(
        "a name of an element of a staged list is used after elements have been added or moved",
        "A graph finds the element by its place, where another one may be.",
        "Read it again: row = z[i].",
        SharedMemoryError,
    )


def part_of(owner: TraceList, place: Any, item: Any, inside: tuple[int, ...] = ()) -> Any:
    """An element of a staged list, whose lists are parts of it."""
    if type(item) is tuple:
        return tuple(part_of(owner, place, one, (*inside, i)) for i, one in enumerate(item))
    if isinstance(item, Tensor) and isinstance(item.type, ListType):
        return ListPart(owner, place, inside)
    if not inside:
        PARTS["object"](owner, place, item)
    return item


def taken(item: Any) -> Any:
    """An element that has been removed from a staged list, whose lists are lists of their own."""
    if type(item) is tuple:
        return tuple(map(taken, item))
    if isinstance(item, Tensor) and isinstance(item.type, ListType):
        return TraceList.of(item)
    return item


def is_put_back(owner: TraceList, key: Any, item: Any) -> bool:
    """Whether an item is the element that it would replace, as in `z[i] += [v]`."""
    if type(item) is ListPart:
        is_there = item.owner is owner and item.place is key and not item.inside
        return is_there and check_place(item) is None
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
