"""Searches of tuples, and of staged lists of objects, which compare element by element.

    t.index(x), t.count(x)                t is a tuple, and a part of it or x is staged
    words.index(x)                        words is a list of the caller, and x is staged
    p in z, z.index(p), z.count(p)        the elements of z are objects of a dataclass

An element is found if it is the item, or equals it.  A graph holds objects by their fields, so the
elements of a staged list are compared by these in a loop.  Objects of classes whose `==` is not the
one that `dataclass` makes stay refused there.
"""

import functools
from collections.abc import Callable
from functools import partial
from types import BuiltinFunctionType
from typing import Any

from autograph import to_graph
from autograph.backend import active
from autograph.constructs.ternary import if_expr
from autograph.staging.block_functions import itself
from autograph.staging.comparisons import compared_fields, is_made_by_dataclass
from runtime.errors import LibraryResultError
from runtime.ir.types import INT, is_array
from runtime.staging.calls.dict_keys import get_of_known
from runtime.staging.calls.registry import register_call
from runtime.staging.calls.run_errors import check
from runtime.staging.comparisons import NAN, is_equal, may_both_be_nan
from runtime.staging.lists.forms import form_of
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.staged_values import compares_staged
from runtime.tracing.conversion import cast
from runtime.tracing.tensor import Tensor

# -- tuples ----------------------------------------------------------------------------------------


def search_of_known(function: Any) -> Callable | None:
    """The replacement of a method that searches a dict, tuple or list; None for other functions."""
    owner, name = getattr(function, "__self__", None), getattr(function, "__name__", "")
    if type(owner) is dict and name == "get":
        return partial(get_of_known, owner)
    if type(function) is not BuiltinFunctionType:
        return None
    if isinstance(owner, tuple):
        return partial(OF_TUPLES[name], owner) if name in OF_TUPLES else None
    return partial(OF_PLAIN_LISTS[name], owner) if _is_plain_list(owner, name) else None


def _is_plain_list(owner, name):
    return type(owner) is list and name in OF_PLAIN_LISTS


def _search_of_list(name: str, items: list, *given: Any) -> Any:
    """`items.index(*given)`, or `count`, of a list from outside of the function."""
    is_plain = not compares_staged((*items, *given[:1]))
    return getattr(items if is_plain else TraceList(items), name)(*given)


def _sort(items: list, **options: Any) -> None:
    """`items.sort(**options)` of a list from outside, which has a known length.  Objects keep their
    identity, so only scalars and strings are sorted by the run."""
    is_plain = not compares_staged(tuple(items))
    if is_plain or not all(isinstance(one, SCALARS) or _is_scalar(one) for one in items):
        return list.sort(items, **options)
    made = TraceList(items)
    made.sort(**options)
    items[:] = [made[i] for i in range(len(items))]


def _is_scalar(value: Any) -> bool:
    """Whether a value is a staged scalar or string."""
    return isinstance(value, Tensor) and not is_array(value.type)


SCALARS = (bool, int, float, str)
OF_PLAIN_LISTS = {
    "copy": TraceList,
    "count": partial(_search_of_list, "count"),
    "index": partial(_search_of_list, "index"),
    "sort": _sort,
}


def _index(items: tuple, value: Any, *bounds: Any) -> Any:
    """`items.index(value, *bounds)`"""
    if not compares_staged((*items, value)) or not all(type(bound) is int for bound in bounds):
        return tuple.index(items, value, *bounds)
    start, stop = (*bounds, len(items))[:2] if bounds else (0, len(items))
    return _first_place(items, value, range(*slice(start, stop).indices(len(items))))


def _first_place(items, value, places):
    if not places:
        raise ValueError("tuple.index(x): x not in tuple")
    found = is_equal(active(), items[places[0]], value)
    return if_expr(
        found, partial(itself, places[0]), partial(_first_place, items, value, places[1:])
    )


def _count(items: tuple, value: Any) -> Any:
    """`items.count(value)`"""
    if not compares_staged((*items, value)):
        return tuple.count(items, value)
    found = [is_equal(active(), item, value) for item in items]
    return sum(cast(one, INT) if isinstance(one, Tensor) else int(one) for one in found)


OF_TUPLES = {"index": _index, "count": _count}

# -- staged lists of objects -----------------------------------------------------------------------


def _is_element(element: Any, item: Any) -> Any:
    """Whether an element of a staged list is the item, or equals it.  Its identity is not known, so
    a run that meets NaN in both leaves the call to the Python function."""
    if type(element) is type(item):
        for name in compared_fields(type(item)):
            if may_both_be_nan(one := getattr(element, name), other := getattr(item, name)):
                check((one == one) | (other == other), LibraryResultError, NAN)
    return active().compare("==", element, item)


def _contains(items, item):
    for element in items:  # noqa: SIM110
        if _is_element(element, item):
            return True
    return False


def _index_in_list(items, item):
    for i, element in enumerate(items):
        if _is_element(element, item):
            return i
    raise ValueError(f"{item!r} is not in list")


def _count_in_list(items, item):
    total = 0
    for element in items:
        if _is_element(element, item):
            total += 1
    return total


OF_LISTS = {"__contains__": _contains, "index": _index_in_list, "count": _count_in_list}
_queried = TraceList.queried
_converted = functools.cache(to_graph)


def _queried_by_fields(items: TraceList, by: str, *given: Any) -> Any:
    """The result of a list method, or of a function of a list."""
    if by in OF_LISTS and len(given) == 1 and _is_compared_by_fields(items, given[0]):
        return _converted(OF_LISTS[by])(items, *given)
    return _queried(items, by, *given)


def _is_compared_by_fields(items, item):
    items.stage()
    form = getattr(items.value.type.element, "form", None)
    if form is None or form.is_tuple or form.kind is dict or form_of(item) is None:
        return False
    return type(item) is form.kind and is_made_by_dataclass(form.kind, "==")


TraceList.queried = _queried_by_fields  # type: ignore[method-assign]
register_call(_is_element, _is_element)
