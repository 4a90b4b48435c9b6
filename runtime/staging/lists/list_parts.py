"""Parts of staged lists that are replaced, and lists that are repeated a staged number of times.

z[1:3] = [x, y]        z[:1] + [x, y] + z[3:], in the same list
z[i:-1] = w            the same, with bounds that the run counts from the start
[0.0] * n              a staged list
"""

import functools
from typing import Any

from autograph.constructs.ternary import if_expr
from autograph.staging.block_functions import itself
from runtime.errors import unsupported
from runtime.ir.types import INT
from runtime.ir.unions import is_scalar
from runtime.staging.calls.iterables import as_list
from runtime.staging.calls.iteration import (
    StagedCombined,
    StagedIterator,
    StrictZip,
    known_elements,
)
from runtime.staging.calls.staged_range import StagedRange
from runtime.staging.generators import AS_LISTS, consumed_list
from runtime.staging.lists.inner_lists import refuse_write
from runtime.staging.lists.method_arguments import is_staged_index
from runtime.staging.lists.nested_list import note_moved
from runtime.staging.lists.trace_list import TraceList
from runtime.tracing.conversion import cast
from runtime.tracing.numpy_api.operators import REPEATERS
from runtime.tracing.tensor import Tensor

_set_item = TraceList.__setitem__


def _set(items: TraceList, index: Any, item: Any) -> None:
    """`items[index] = item`"""
    if isinstance(index, slice) and (items.value is not None or is_staged_index(index)):
        _replace(items, index, item)
    else:
        _set_item(items, index, item)


TraceList.__setitem__ = _set  # type: ignore[method-assign]


def _replace(items, place, new):
    refuse_write(items)
    note_moved(items)
    bounds = (place.start, place.stop)
    if place.step not in (None, 1) or not all(map(_is_bound, bounds)):
        raise unsupported(
            "a slice with a step of a list that a staged branch or loop has changed is assigned",
            "Assign the elements one by one.",
        )
    if isinstance(new, Tensor) and is_scalar(new.type):
        [][:] = 0  # which raises Python's exception
    added = TraceList()
    added.extend(TraceList.copy(items) if new is items else consumed_list(new))
    before = TraceList.copy(items)
    start, stop = (_from_start(bound, before) for bound in bounds)
    made = before[: 0 if start is None else start] + added
    if stop is not None:
        made = made + before[stop if start is None else _greater(start, stop) :]
    items.put(made.contents())


def _is_bound(bound):
    """Whether a value is a bound of a slice that can be counted from the start: an int or None."""
    if isinstance(bound, Tensor):
        return bound.type.ndim == 0 and bound.dtype.kind in "iu"
    return bound is None or type(bound) is int


def _from_start(bound, items):
    """A bound of a slice, counted from the start; it may be greater than the length."""
    if bound is None or type(bound) is int and bound >= 0:
        return bound
    bound = cast(bound, INT) if isinstance(bound, Tensor) else bound
    return if_expr(
        bound < 0, lambda: _greater(bound + items.length(), 0), functools.partial(itself, bound)
    )


def _greater(one, other):
    return if_expr(one < other, functools.partial(itself, other), functools.partial(itself, one))


def _repeated(items: list, times: Tensor) -> TraceList:
    made = items if isinstance(items, TraceList) else TraceList(items)
    return made * times


REPEATERS.append(_repeated)


def _taken(items: Any) -> Any:
    """The elements of an iterator of staged iterables."""
    known = known_elements(items)
    grown = as_list(known)
    return TraceList(known) if grown is None else grown


AS_LISTS.update(dict.fromkeys((StagedCombined, StagedIterator, StrictZip, StagedRange), _taken))
