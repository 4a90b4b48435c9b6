"""Arrays in staged lists: none of them may be written into.

    for row in x:
        total = total + row
        rows.append(total)       rows holds the value of `total`; Python's list would hold the array
    total[0] = 5                 refused: in Python it would be seen through rows[-1]

A list of a graph holds values.  This is equivalent to Python as long as no code writes into the
arrays.  So they are remembered, with the arrays whose views they are, and writes are refused.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from autograph.staging.refusals import postponed, refused
from runtime.errors import ElementError, StagingError, listed_error, staging_error
from runtime.ir.op import find
from runtime.ir.pytree import flatten
from runtime.ir.types import ListType, TupleType, Type, is_array
from runtime.staging.control_flow.aliasing import handle_of, roots
from runtime.staging.lists.elements import element_type, holds_lists, staged_list
from runtime.staging.lists.forms import FormedItem, GivenElements, IndexedItems, read_element
from runtime.staging.lists.merged_objects import WatchedClasses
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.tracing import trace
from runtime.tracing.aliases import is_view, unknown_alias
from runtime.tracing.maybe import MaybeNone
from runtime.tracing.needed import refuse_elsewhere
from runtime.tracing.tensor import WRITE_CHECKS, Tensor, apply


@dataclass
class ListedArrays:
    """The arrays that staged lists hold, by identity; `invalidated` is the error for reading those
    lists once one of the arrays has been written into."""

    arrays: dict[int, Tensor] = field(default_factory=dict)
    invalidated: StagingError | None = None


def list_item(item: Any, held: Iterable[Tensor] = ()) -> Any:
    """An element of a staged list, as an alias of `held`: it may be any of them."""
    if isinstance(item, tuple):
        parts = tuple(list_item(part, held) for part in item)
        is_formed = isinstance(item, FormedItem)
        watch = trace.current().state(WatchedClasses).watch
        return read_element(item.form, parts, watch) if is_formed else parts
    if isinstance(item, MaybeNoneObject):
        return MaybeNoneObject(item.__is_none__, list_item(item.__present__, held))
    if item is None or isinstance(item, MaybeNone) and not is_array(item.type):
        return item
    if isinstance(item, MaybeNone):
        raise staging_error(
            "an array of a list that holds None in some places is read",
            "Which array it is, and whether there is one, is known only at run time.",
            "Keep the arrays in one list, and flags in another one.",
            ElementError,
        )
    if not is_array(item.type):
        return item
    return unknown_alias(item._at, held, "an array of a staged list")


def item_at(items: tuple, index: Tensor, known: Type | None = None) -> Any:
    """The element of a Python list or tuple at a staged index."""
    element = element_type(items, declared=known)
    if holds_lists(element):
        raise staging_error(
            "a list or tuple from outside is read at a staged index, and holds lists",
            "The list that is found would be one of several.",
            "Make a list of lists in the function: z = [list(row) for row in rows].",
            ElementError,
        )
    trace.current().state(IndexedItems).append(items)
    found = apply(find("list_get"), staged_list(items, element), index)
    return list_item(found, root_arrays(items))


def register_listed(*items: Any) -> None:
    """Remembers the arrays among items, or in tuples among them, which a staged list now holds."""
    for handle in _handles(items):
        for array in roots(handle):
            trace.current().state(ListedArrays).arrays[id(array)] = array


def root_arrays(values: Iterable) -> list[Tensor]:
    """The arrays in whose memory the arrays among some values may be, without views."""
    found = [array for handle in _handles(values) for array in roots(handle)]
    return [array for array in found if not is_view(array)]


def listed_arrays() -> list[Tensor]:
    """The arrays that an element of a staged list may be."""
    known = trace.current().state(ListedArrays).arrays.values()
    return [array for array in known if not is_view(array)]


def check_read(value: Tensor) -> None:
    """Raises `StagingError` where a read of a staged list is refused."""
    recorder = trace.current()
    if recorder is None:
        refuse_elsewhere("a staged list", value._region)
        return
    refuse_invalidated(value.type)
    recorder.state(GivenElements).check()


def refuse_invalidated(kind: ListType) -> None:
    """Raises the error of an earlier write into a listed array, if lists of a type hold arrays."""
    recorder = trace.current()
    error = None if recorder is None else recorder.state(ListedArrays).invalidated
    if error is not None and _holds_arrays(kind.element):
        raise refused(error)


def _invalidate_lists(array: Tensor, recorder: trace.Trace) -> None:
    """Before a write into an array: staged lists that hold it differ from Python lists
    afterwards."""
    listed = recorder.state(ListedArrays)
    if id(array) in listed.arrays:
        listed.invalidated = postponed(listed_error("an array"))
        if recorder.is_staged_block:  # the next iteration may read the list
            raise refused(listed.invalidated)


WRITE_CHECKS.append(_invalidate_lists)


def _holds_arrays(kind):
    return any(map(_holds_arrays, kind.places)) if isinstance(kind, TupleType) else is_array(kind)


def is_listed(*values: Any) -> bool:
    """Whether a staged list may hold one of the arrays among some values."""
    known = trace.current().state(ListedArrays).arrays
    return any(id(array) in known for handle in _handles(values) for array in roots(handle))


def refuse_written(places: Iterable) -> None:
    """Raises `StagingError` if an iteration of a loop writes into an array that a list holds."""
    known = trace.current().state(ListedArrays).arrays
    for place in places:
        if place.key[0] == "array" and place.key[1] in known:
            raise listed_error(place.path)


def _handles(values):
    for leaf in flatten(tuple(values))[0]:
        handle = handle_of(leaf)
        if handle is not None:
            yield handle
