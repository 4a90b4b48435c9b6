"""Writes into objects that are elements of staged lists.

    points[i].x += 1      x, y = unpack(list_get(points, i))
                          points_1 = list_set(points, i, pack(x + 1, y))

An object that code reads from a list is the name of a place in it, as a `ListPart` is.  Each read
of an attribute reads the list, so it sees what other names of the place have written.  As for lists
in lists, an object is in one place only: it must not be read or changed by a name that it had
before.
"""

from dataclasses import dataclass
from typing import Any

from autograph.staging.object_state import attributes
from runtime.ir.op import find
from runtime.ir.types import TupleType
from runtime.staging.lists.aliasing import list_item, listed_arrays, register_listed
from runtime.staging.lists.elements import (
    element_type,
    holds_lists,
    staged_list,
    type_of_element,
    with_type,
)
from runtime.staging.lists.forms import (
    FormedItem,
    GivenElements,
    changed_error,
    is_element,
)
from runtime.staging.lists.inner_lists import (
    ElementWrites,
    becomes_element,
    note_inner_write,
    note_read,
    records_writes,
    refuse_write,
)
from runtime.staging.lists.merged_sources import (
    ELEMENTS,
    MergedObjects,
    can_be_seen,
    merged_error,
    merged_of,
    sources_of,
)
from runtime.staging.lists.nested_list import check_place
from runtime.staging.lists.trace_list import PARTS, TraceList
from runtime.tracing import trace
from runtime.tracing.conversion import cast
from runtime.tracing.tensor import apply


@dataclass(eq=False)
class ElementPlace:
    """The place of an object in a staged list, when the object was read."""

    owner: TraceList
    index: Any
    home: Any  # the region in which it was read
    moves_seen: tuple[int, int]
    sees_end: bool
    seen: Any  # the list

    def item(self) -> FormedItem:
        """The attributes of the object now."""
        check_place(self)
        return apply(find("list_get"), self.owner.value, self.index)


def _note_place(owner: TraceList, index: Any, item: Any) -> None:
    """Notes where a dict or an object was read that is an element of a list."""
    if not records_writes(item) or isinstance(item, (tuple, list)):
        return
    if not is_element(item) or type(owner) is not TraceList:
        return
    sees_end, known = type(index) is not int or index < 0, trace.current()
    holder = item if isinstance(item, dict) else known.state(MergedObjects)[id(item)]
    holder.place = ElementPlace(owner, index, known.region, owner.moves, sees_end, owner.value)


def _read(made: Any, name: str) -> Any:
    """An attribute of an object that is an element."""
    item = merged_of(made).place.item()
    return list_item(item[item.form.names.index(name)], listed_arrays())


def _read_whole(made: Any) -> None:
    """Before the attributes are read that an object had when it was read from a list."""
    if not records_writes(made) or isinstance(made, (list, dict)):
        return
    note_read(made)
    known = merged_of(made)
    if known is not None and known.place is not None:
        check_place(known.place)
        if known.place.owner.value is not known.place.seen:
            raise changed_error(made)


def _write(made: Any, name: str, value: Any, is_plain: bool) -> None:
    """Sets an attribute of an object that is an element; `is_plain` if its class has Python's
    access to attributes."""
    trace.current().state(ElementWrites).wanted |= {object} if is_plain else set()
    place = merged_of(made).place
    if not is_plain or place is None or name not in attributes(made):
        raise changed_error(made)
    write_item(made, place, name, value)


def write_item(made: Any, place: ElementPlace, name: Any, value: Any) -> None:
    """Replaces one item of the element in a place, which has the name or key `name`."""
    item, owner = place.item(), place.owner
    if not isinstance(item, FormedItem):
        raise changed_error(made)
    if sources_of(owner) and can_be_seen(owner):
        raise merged_error(owner, "is changed by an element")
    refuse_write(owner)
    note_inner_write(made)
    parts = [value if at == name else one for at, one in zip(item.form.names, item, strict=True)]
    kinds = tuple(map(type_of_element, parts))
    if None in kinds or any(map(holds_lists, kinds)):
        raise changed_error(made)
    outer = owner.value
    element = element_type([TupleType(kinds, item.form)], outer.type.element, owner.element)
    register_listed(value)
    trace.current().state(GivenElements).add(value)
    becomes_element(value, owner)
    packed = cast(tuple(map(with_type, parts, element.places)), element)
    owner.value = apply(find("list_set"), staged_list(outer, element), place.index, packed)


def _write_given(value: Any) -> None:
    if records_writes():
        refuse_write(value)


def _is_put_back(owner: TraceList, key: Any, item: Any) -> bool:
    """Whether an object is the element that it would replace, as in `z[i] = p` after `p = z[i]`."""
    if not records_writes(item) or isinstance(item, (tuple, list, dict)) or not is_element(item):
        return False
    place = merged_of(item).place
    is_there = place is not None and place.owner is owner and place.index is key
    return is_there and check_place(place) is None


PARTS["object"] = _note_place
PARTS["is_object_put_back"] = _is_put_back
ELEMENTS.update(
    read=_read,
    read_given=note_read,
    read_whole=_read_whole,
    write=_write,
    write_given=_write_given,
)
