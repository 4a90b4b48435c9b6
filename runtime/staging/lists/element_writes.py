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
    has_forms,
    is_element,
    parts_of,
)
from runtime.staging.lists.inner_lists import (
    becomes_element,
    note_inner_write,
    note_read,
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
from runtime.staging.lists.nested_list import (
    ListPart,
    check_place,
    from_start,
    holder_of,
    item_with,
    kind_at,
    kind_with,
    note_moved,
    part_of,
)
from runtime.staging.lists.recorded_writes import (
    ElementWrites,
    follows_inner,
    records_writes,
    want_inner_writes,
)
from runtime.staging.lists.trace_list import PARTS, TraceList
from runtime.tracing import trace
from runtime.tracing.tensor import apply


@dataclass(eq=False)
class ElementPlace:
    """The place of an object in a staged list, when the object was read."""

    owner: TraceList
    index: Any
    home: Any  # the region in which it was read
    moves_seen: tuple[int, int]
    sees_end: bool
    seen: Any  # the staged list that holds it, at any depth
    inside: tuple[int, ...] = ()  # the path of the object in the element, if it is a part of that

    def item(self) -> FormedItem:
        """The attributes of the object now."""
        check_place(self)
        found = apply(find("list_get"), self.owner.value, self.index)
        for at in self.inside:
            found = tuple.__getitem__(found, at)
        return found


def _note_place(owner: TraceList, index: Any, item: Any, inside: tuple[int, ...]) -> None:
    """Notes where a dict or an object was read that is an element of a list, or in one."""
    if not records_writes(item) or isinstance(item, (tuple, list)):
        return
    if not is_element(item) or type(owner) not in (TraceList, ListPart):
        return
    if inside and not follows_inner():
        return
    sees_end, known = type(index) is not int or index < 0, trace.current()
    holder = item if isinstance(item, dict) else known.state(MergedObjects)[id(item)]
    seen = owner.moves, sees_end, holder_of(owner).value
    holder.place = ElementPlace(owner, index, known.region, *seen, inside)


def items_at(place: ElementPlace) -> list:
    """The items that the element in a place has now; its lists are parts of it."""
    held, arrays = place.item(), listed_arrays()
    items = [list_item(one, arrays) for one in tuple.__iter__(held)]
    return [_part(place, i, one) for i, one in enumerate(items)]


def _part(place, at, item):
    """An item of the element in a place, whose lists and objects are parts of it."""
    found = part_of(place.owner, place.index, item, (*place.inside, at))
    _start_as(place, found)
    return found


def _start_as(place, item):
    """Gives a part of an element the end from which the place of the element is counted."""
    if not place.sees_end:
        from_start(item)


def _is_from_start(item: Any) -> None:
    """Notes that the place of an element is counted from the start."""
    if isinstance(item, (tuple, list)) or not records_writes(item) or not is_element(item):
        return
    place = item.place if isinstance(item, dict) else merged_of(item).place
    if place is not None:
        place.sees_end = False
    for one in parts_of(item):
        if type(one) is ListPart:
            one.sees_end = False


def _read(made: Any, name: str) -> Any:
    """An attribute of an object that is an element."""
    item = merged_of(made).place.item()
    at = item.form.names.index(name)
    return _part(merged_of(made).place, at, list_item(item[at], listed_arrays()))


def _read_whole(made: Any) -> None:
    """Before the attributes are read that an object had when it was read from a list."""
    if not records_writes(made) or isinstance(made, (list, dict)):
        return
    note_read(made)
    known = merged_of(made)
    if known is not None and known.place is not None:
        check_place(known.place)
        if holder_of(known.place.owner).value is not known.place.seen:
            raise changed_error(made)


def _write(made: Any, name: str, value: Any, is_plain: bool) -> None:
    """Sets an attribute of an object that is an element; `is_plain` if its class has Python's
    access to attributes."""
    trace.current().state(ElementWrites).wanted |= {object} if is_plain else set()
    place = merged_of(made).place
    if place is None and is_plain and records_writes(made):
        want_inner_writes()
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
    at = item.form.names.index(name)
    path = (*place.inside, at)
    if type(value) is ListPart and value.inside == path and _is_of(value, place):
        return
    outer, kind = owner.value, type_of_element(value)
    known = outer.type.element
    if kind is None:
        raise changed_error(made)
    before = kind_at(known, path)
    if holds_lists(before) or has_forms(before) and follows_inner():
        _forget_names(place)
    element = element_type([kind_with(known, path, kind)], known, owner.element)
    register_listed(value)
    trace.current().state(GivenElements).add(value)
    becomes_element(value, owner)
    whole = item_with(apply(find("list_get"), outer, place.index), path, value)
    packed = with_type(whole, element)
    owner.value = apply(find("list_set"), staged_list(outer, element), place.index, packed)


def _is_of(part, place):
    """Whether a list is the name of one in the element that a place has."""
    return part.owner is place.owner and part.place is place.index and check_place(part) is None


def _forget_names(place):
    """Before a list in an element is replaced: names of it, and of other lists of the owner, are
    refused from then on."""
    note_moved(place.owner)
    place.moves_seen = place.owner.moves


def _write_given(value: Any) -> None:
    if records_writes():
        refuse_write(value)


def _is_put_back(owner: TraceList, key: Any, item: Any) -> bool:
    """Whether an object is the element that it would replace, as in `z[i] = p` after `p = z[i]`."""
    if not records_writes(item) or isinstance(item, (tuple, list, dict)) or not is_element(item):
        return False
    place = merged_of(item).place
    is_whole = place is not None and not place.inside
    is_there = is_whole and place.owner is owner and place.index is key
    return is_there and check_place(place) is None


PARTS["object"] = _note_place
PARTS["is_from_start"] = _is_from_start
PARTS["is_object_put_back"] = _is_put_back
ELEMENTS.update(
    read=_read,
    read_given=note_read,
    read_whole=_read_whole,
    write=_write,
    write_given=_write_given,
)
