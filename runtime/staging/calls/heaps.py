"""`heapq`, for heaps with staged elements: the same comparisons in the same order, in Python.

    heapq.heappush(heap, (distance, node))    in a staged loop, or with staged elements

On plain values the functions of `heapq` run.
"""

import functools
import heapq
from collections.abc import Callable
from typing import Any

from autograph import to_graph
from autograph.constructs.compare import compare
from runtime.errors import LibraryResultError
from runtime.staging.calls.iterables import mapped, staged_list_of
from runtime.staging.calls.registry import register_call
from runtime.staging.calls.run_errors import check
from runtime.staging.comparisons import NAN, may_be_nan, may_both_be_nan
from runtime.staging.lists.trace_list import TraceList, is_staged_list
from runtime.staging.staged_values import holds_staged
from runtime.tracing.tensor import Tensor


def are_tuples(*values: Any) -> bool:
    """Whether values are tuples."""
    return all(type(value) is tuple for value in values)


def _parts_of(one: Any, other: Any) -> tuple[Any, Any]:
    """Two tuples with the parts of those inside of them, if both have them in the same places: the
    first parts that differ decide in either form.  Other values themselves, and tuples with inner
    parts that may be NaN: whether these are one object is known to Python only."""
    known = _leaves(one), _leaves(other)
    if not are_tuples(one, other) or [at for at, _ in known[0]] != [at for at, _ in known[1]]:
        return one, other
    if any(may_be_nan(part) for leaves in known for at, part in leaves if len(at) > 1):
        return one, other
    return tuple(part for _, part in known[0]), tuple(part for _, part in known[1])


def _leaves(value: Any, path: tuple = ()) -> list:
    """The parts of a tuple that are no tuples, with their places; the length of an empty one."""
    if type(value) is not tuple:
        return [(path, value)]
    if not value:
        return [((*path, "empty"), True)]
    return [leaf for i, part in enumerate(value) for leaf in _leaves(part, (*path, i))]


def _are_known(one: Any, other: Any) -> Any:
    """Leaves the call to the Python function in a run that meets two NaN, which may be one object:
    a run may have one for two reads of an element."""
    check((one == one) | (other == other), LibraryResultError, NAN)
    return False


def _is_equal(one, other):
    """Whether a comparison of tuples takes two parts as equal: they are one object, or `==`."""
    if may_both_be_nan(one, other):
        return one == other or _are_known(one, other)
    return _is_object(one, other) or one == other


def _is_object(one: Any, other: Any) -> bool:
    return one is other


def _is_before(one: Any, other: Any) -> Any:
    """`one < other`, also of objects of a dataclass."""
    return compare(one, "<", other)


def _is_less(one, other):
    """`one < other`, also of tuples of staged values."""
    one, other = _parts_of(one, other)
    if not are_tuples(one, other):
        return _is_before(one, other)
    for part, same in zip(one, other):  # noqa: B905
        if not _is_equal(part, same):
            return part < same
    return len(one) < len(other)


def _rise(heap, item, place, top=0):
    """Puts an item into a place, or above it up to `top`, where its parent is not greater."""
    while place > top:
        above = (place - 1) >> 1
        parent = heap[above]
        if not _is_less(item, parent):
            break
        heap[place] = parent
        place = above
    heap[place] = item


def _sink(heap, item, start):
    """Puts an item into the place `start`, or below it; the lesser children move up."""
    end, place, child = len(heap), start, 2 * start + 1
    while child < end:
        right = child + 1
        if right < end and not _is_less(heap[child], heap[right]):
            child = right
        heap[place] = heap[child]
        place = child
        child = 2 * place + 1
    _rise(heap, item, place, start)


def _heappush(heap, item):
    heap.append(item)
    _rise(heap, item, len(heap) - 1)


def _heappop(heap):
    if not heap:
        raise IndexError("index out of range")
    last = heap.pop()
    top = last
    if heap:
        top = heap[0]
        _sink(heap, last, 0)
    return top


def _heapreplace(heap, item):
    if not heap:
        raise IndexError("index out of range")
    top = heap[0]
    _sink(heap, item, 0)
    return top


def _heappushpop(heap, item):
    least = item
    if heap and _is_less(heap[0], item):
        least = heap[0]
        _sink(heap, item, 0)
    return least


def _heapify(heap):
    for start in reversed(range(len(heap) // 2)):
        _sink(heap, heap[start], start)


def _nlargest(n, iterable, key=None):
    return _chosen("nlargest", n, iterable, key)


def _nsmallest(n, iterable, key=None):
    return _chosen("nsmallest", n, iterable, key)


def _chosen(by, n, iterable, key):
    """The greatest or least elements; each run calls the function of `heapq`."""
    items = staged_list_of(iterable)
    keys = None if key is None else mapped(key, items)
    made = TraceList.copy(items).derived(by, keys, n)
    if items.value is not None or isinstance(n, Tensor):
        return made
    return TraceList(made[i] for i in range(min(n, list.__len__(items))))


@functools.cache
def _converted(function: Callable) -> Callable:
    return to_graph(function)


def _depends_on_run(values: tuple) -> bool:
    return any(is_staged_list(value) or isinstance(value, Tensor) for value in values) or (
        holds_staged(tuple(list(v) if isinstance(v, list) else v for v in values))
    )


def _answer(plain: Callable, function: Callable) -> Callable:
    @functools.wraps(plain)
    def call(*args: Any, **options: Any) -> Any:
        if not _depends_on_run((*args, *options.values())):
            return plain(*args, **options)
        return _converted(function)(*args, **options)

    return call


def _converted_when_called(function: Callable) -> Callable:
    return functools.wraps(function)(lambda *args: _converted(function)(*args))


for _question in (may_both_be_nan, _are_known, _is_before, _is_object):
    register_call(_question, _question)
for _part in (_is_equal, _is_less, _rise, _sink):
    register_call(_part, _converted_when_called(_part))
for _function in (
    *(_heapify, _heappop, _heappush, _heappushpop),
    *(_heapreplace, _nlargest, _nsmallest),
):
    _plain = getattr(heapq, _function.__name__[1:])
    register_call(_plain, _answer(_plain, _function))
