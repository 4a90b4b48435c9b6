"""Parts of staged lists that are replaced, and lists that are repeated a staged number of times.

z[1:3] = [x, y]        z[:1] + [x, y] + z[3:], in the same list
[0.0] * n              a staged list
"""

from typing import Any

from runtime.errors import unsupported
from runtime.staging.generators import consumed_list
from runtime.staging.lists.inner_lists import refuse_write
from runtime.staging.lists.nested_list import note_moved
from runtime.staging.lists.trace_list import TraceList
from runtime.tracing.numpy_api.operators import REPEATERS
from runtime.tracing.tensor import Tensor

_set_item = TraceList.__setitem__


def _set(items: TraceList, index: Any, item: Any) -> None:
    """`items[index] = item`"""
    if isinstance(index, slice) and items.value is not None:
        _replace(items, index, item)
    else:
        _set_item(items, index, item)


TraceList.__setitem__ = _set  # type: ignore[method-assign]


def _replace(items, place, new):
    refuse_write(items)
    note_moved(items)
    start, stop = 0 if place.start is None else place.start, place.stop
    is_known = type(start) is int and (stop is None or type(stop) is int)
    if place.step not in (None, 1) or not is_known or min(start, stop or 0) < 0:
        raise unsupported(
            "a slice with a step, or with staged or negative bounds, of a list that a staged "
            "branch or loop has changed is assigned",
            "Assign the elements one by one.",
        )
    added = TraceList()
    added.extend(TraceList.copy(items) if new is items else consumed_list(new))
    before = TraceList.copy(items)
    made = before[:start] + added
    if stop is not None:
        made = made + before[max(start, stop) :]
    items.put(made.contents())


def _repeated(items: list, times: Tensor) -> TraceList:
    made = items if isinstance(items, TraceList) else TraceList(items)
    return made * times


REPEATERS.append(_repeated)
