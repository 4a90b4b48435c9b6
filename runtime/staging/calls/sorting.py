"""`sorted` and `list.sort`, for staged lists, lists of staged values, and staged keys.

sorted(z, key=f)      an op on a list, which sorts by the results of `f` for its elements
"""

from collections.abc import Callable
from typing import Any

from autograph.functions.calls import converted_call
from autograph.staging.lazy_elements import LazyElements
from runtime.staging.calls.iterables import as_list, collected, has_staged, known_items, mapped
from runtime.staging.calls.registry import answers
from runtime.staging.generators import (
    consumed_list,
    in_any_order,
)
from runtime.staging.lists.inner_lists import refuse_write
from runtime.staging.lists.nested_list import note_moved
from runtime.staging.lists.python_classes import method_of_list
from runtime.staging.lists.trace_list import TraceList
from runtime.tracing.tensor import is_staged


@answers(sorted)
def staged_sorted(items, *, key=None, reverse=False):
    """The elements in sorted order."""
    items = in_any_order(items) if key is None else items
    items = collected(items) if isinstance(items, LazyElements) else consumed_list(items)
    grown = as_list(items)
    if grown is not None:
        return sorted_list(grown, key, reverse)
    if has_staged(items):
        return sorted_list(TraceList(items), key, reverse)
    if hasattr(type(items), "__next__"):
        return staged_sorted(list(items), key=key, reverse=reverse)
    if key is None:
        return TraceList(sorted(items, reverse=reverse))
    known, keys = with_keys(items, key)
    if is_staged((*keys, reverse)):
        return _in_order(TraceList(known), TraceList(keys), reverse)
    order = sorted(range(len(known)), key=keys.__getitem__, reverse=reverse)
    return TraceList(known[i] for i in order)


def with_keys(items, key):
    """The elements of an iterable that Python knows, and their keys."""
    known = known_items(items)
    return known, [converted_call(key)(item) for item in known]


def sorted_list(items: TraceList, key: Callable | None, reverse: Any) -> TraceList:
    """The sorted list; it has a known number of elements if `items` has."""
    return _in_order(items, None if key is None else mapped(key, items), reverse)


def _in_order(items, keys, reverse):
    if items.value is None:
        size = list.__len__(items)
        made = items.copy().derived("sorted", keys, reverse)
        return TraceList(made[i] for i in range(size))
    return items.derived("sorted", keys, reverse)


def put_in_order(items: TraceList, keys: TraceList) -> None:
    """Sorts the elements in place by staged keys."""
    refuse_write(items)
    note_moved(items)
    items.put(_in_order(items, keys, False).contents())


def _sort(items: TraceList, *, key: Callable | None = None, reverse: Any = False) -> None:
    """Sorts the elements in place."""
    refuse_write(items)
    if items.depends_on(*list.__iter__(items)):
        note_moved(items)
        items.put(sorted_list(items, key, reverse).contents())
    else:
        list.sort(items, key=key, reverse=reverse)


TraceList.sort = method_of_list("sort", _sort)  # type: ignore[method-assign]
