"""Iterables with a star, in lists and sets and among targets, whose length a run knows.

    [x, *z]             longer = list_made(list_new(x), z, by="__add__")
    a, *b = z           the run compares the length; a = list_get(z, 0), b = z[1:]

A list is made as `list(z)` makes it, so each iterable that `list` takes may have a star.
"""

from typing import Any

from autograph.backend.unpacking import assigned_parts
from autograph.functions.calls import converted_call
from runtime.staging.calls.host_values import HostValue
from runtime.staging.calls.unpacking import check_at_least
from runtime.staging.lists.trace_list import TraceList, is_staged_list
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.tracing.axis_errors import not_iterable
from runtime.tracing.strings import StagedString
from runtime.tracing.tensor import Tensor


def extended(items: list, iterable: Any) -> TraceList:
    """The list of `items` and of the elements of an iterable; `items` has no other name."""
    made = TraceList(items) if type(items) is list else items
    added = (
        iterable if is_staged_list(iterable) else _list_of(iterable, "LIST_EXTEND", lambda x: [*x])
    )
    made.extend(added)
    return made


def updated(elements: Any, iterable: Any) -> Any:
    """The set `elements`, which has no other name, with the elements of an iterable."""
    converted_call(elements.update)(iterable)
    return elements


def unpacked(value: Any, before: int, after: int) -> tuple:
    """The first elements of an iterable, a list of the others, and the last elements."""
    assign = assigned_parts(before, after)
    items = value if is_staged_list(value) else _list_of(value, "UNPACK_EX", assign)
    if not is_staged_list(items):
        parts = assign(items)
        return (*parts[:before], TraceList(parts[before]), *parts[before + 1 :])
    length = items.length()
    check_at_least(length, before + after)
    first = [items[i] for i in range(before)]
    last = [items[i - after] for i in range(after)]
    return (*first, items[before : length - after if after else None], *last)


def _list_of(iterable, instruction, in_python):
    """A list of the elements; raises Python's error for a value that has none, and that of an
    object that only a run has."""
    if isinstance(iterable, MaybeNoneObject):
        iterable = iterable.__checked__(in_python)
    kind = type(iterable)
    if kind is tuple or kind is list:
        return TraceList(iterable)
    if isinstance(iterable, HostValue):
        in_python(iterable)
    elif isinstance(iterable, Tensor) and not isinstance(iterable, StagedString):
        if not iterable.type.shape:
            raise not_iterable(iterable.type, instruction)
    elif not hasattr(kind, "__iter__") and not hasattr(kind, "__getitem__"):
        in_python(iterable)
    return converted_call(list)(iterable)
