"""Functions that make iterators, as generator functions in Python whose elements can be consumed.

    for v in itertools.takewhile(lambda v: v > 0, x):    a staged condition decides
    for i, v in enumerate(gen(x)):                       a generator that calls its consumer

On plain values, and in the first recording of a function, Python's own functions run.
"""

import functools
import heapq
import itertools
from collections.abc import Callable
from typing import Any

from runtime.staging.calls.arguments import converted_argument
from runtime.staging.calls.elements_at_once import without_effects
from runtime.staging.calls.held_generators import held, hold
from runtime.staging.calls.refused_arguments import called
from runtime.staging.calls.registry import register_call
from runtime.staging.calls.run_errors import check
from runtime.staging.generators import (
    TAKEN,
    Generators,
    Started,
    consumed_list,
    is_consumable,
    may_consume,
    opened,
    started_of,
)
from runtime.staging.lists.trace_list import TraceList
from runtime.tracing import trace
from runtime.tracing.tensor import Tensor


def _same(value):
    return value


def _chain(*iterables):
    for iterable in iterables:
        yield from iterable


def _chain_of(iterables):
    for iterable in iterables:
        yield from iterable


def _islice(items, *bounds):
    given = slice(*bounds)
    start = 0 if given.start is None else given.start
    step = 1 if given.step is None else given.step
    for bound, name in ((start, "Indices"), (given.stop, "Stop argument")):
        check(bound is None or bound >= 0, ValueError, OF_ISLICE.format(name))
    check(step >= 1, ValueError, "Step for islice() must be a positive integer or None.")
    if given.stop is not None and start >= given.stop:
        return
    position = 0
    for item in held(items):
        if position >= start and (position - start) % step == 0:
            yield item
        position += 1  # noqa: SIM113
        if given.stop is not None and position >= given.stop:
            break


def _takewhile(predicate, items):
    for item in items:
        if not predicate(item):
            break
        yield item


def _dropwhile(predicate, items):
    drops = True
    for item in items:
        if drops and predicate(item):
            continue
        drops = False
        yield item


def _filterfalse(predicate, items):
    holds = predicate or _same
    for item in items:
        if not holds(item):
            yield item


def _compress(data, selectors):
    for item, is_selected in zip(data, selectors):  # noqa: B905
        if is_selected:
            yield item


def _starmap(function, items):
    for item in items:
        yield function(*item)


def _pairwise(items):
    is_first = True
    for item in items:
        if not is_first:
            yield previous, item  # noqa: F821
        previous = item  # noqa: F841
        is_first = False


def _accumulate(items, function, initial):
    is_first = initial is None
    total = initial
    if not is_first:
        yield total
    for item in items:
        if is_first:
            total, is_first = item, False
        else:
            total = total + item if function is None else function(total, item)
        yield total


def _merge(one, other, key=None, reverse=False):
    # As a heap of two orders them, also elements without an order, such as nan.
    def stays(new, other, if_equal):
        if new == other:
            return if_equal
        return other < new if reverse else new < other

    function, first, second = key or _same, list(one), list(other)
    keys = [function(item) for item in first]
    others = [function(item) for item in second]
    i, j, from_first = 0, 0, True
    if len(first) > 0 and len(second) > 0:
        from_first = stays(keys[0], others[0], True)
    while i < len(first) and j < len(second):
        if from_first:
            yield first[i]
            i += 1
            if i < len(first):
                from_first = stays(keys[i], others[j], True)
        else:
            yield second[j]
            j += 1
            if j < len(second):
                from_first = not stays(others[j], keys[i], False)
    while i < len(first):
        yield first[i]
        i += 1
    while j < len(second):
        yield second[j]
        j += 1


def _zip_longest(*items, fillvalue=None):
    pools = [list(one) for one in items]
    for i in range(max([len(pool) for pool in pools])):
        yield (*[pool[i] if i < len(pool) else fillvalue for pool in pools],)


def _count(start=0, step=1):
    number = start
    while True:
        yield number
        number += step


def _cycle(items):
    pool = []
    for item in items:
        pool.append(item)
        yield item
    while len(pool) > 0:
        yield from pool


def _repeat(item, *times):
    if not times:
        while True:
            yield item
    for _ in range(times[0]):
        yield item


def _permutations(iterable, r=None):
    pool = list(iterable)
    yield from _arranged(pool, len(pool) if r is None else r, (), ())


def _arranged(pool, count, places, chosen):
    if len(places) == count:
        yield chosen
    else:
        for i in range(len(pool)):
            if i not in places:
                yield from _arranged(pool, count, (*places, i), (*chosen, pool[i]))


def enumerate_elements(items, start=0):
    number = start
    for item in items:
        yield number, item
        number += 1


def map_elements(function, items):
    for item in items:
        yield function(item)


def filter_elements(function, items):
    holds = function or _same
    for item in items:
        if holds(item):
            yield item


def _combinations(iterable, r):
    yield from _chosen(list(iterable), r, 0, (), 1)


def _combinations_with_replacement(iterable, r):
    yield from _chosen(list(iterable), r, 0, (), 0)


def _chosen(pool, count, start, chosen, step):
    if count == 0:
        yield chosen
    else:
        for i in range(start, len(pool)):
            yield from _chosen(pool, count - 1, i + step, (*chosen, pool[i]), step)


def _product(*pools, repeat=1):
    yield from _picked([list(pool) for pool in pools] * repeat, ())


def _picked(pools, picked):
    if len(picked) == len(pools):
        yield picked
    else:
        for item in pools[len(picked)]:
            yield from _picked(pools, (*picked, item))


FUNCTIONS: dict[Any, Callable] = {
    itertools.chain: _chain,
    itertools.chain.from_iterable: _chain_of,
    itertools.combinations: _combinations,
    itertools.combinations_with_replacement: _combinations_with_replacement,
    itertools.compress: _compress,
    itertools.count: _count,
    itertools.cycle: _cycle,
    itertools.dropwhile: _dropwhile,
    heapq.merge: _merge,
    itertools.filterfalse: _filterfalse,
    itertools.islice: _islice,
    itertools.pairwise: _pairwise,
    itertools.permutations: _permutations,
    itertools.product: _product,
    itertools.repeat: _repeat,
    itertools.starmap: _starmap,
    itertools.takewhile: _takewhile,
    itertools.zip_longest: _zip_longest,
}
accumulation = may_consume(_accumulate)
for _function in (_arranged, _chosen, _picked):
    may_consume(_function)


OF_ISLICE = "{} for islice() must be None or an integer: 0 <= x <= sys.maxsize."
NUMBERED = (  # functions of an iterable and of numbers, which are checked when they are called
    *(itertools.combinations, itertools.combinations_with_replacement),
    *(itertools.islice, itertools.permutations, itertools.repeat),
)
NUMBERS = ("r", "times")
AT_ONCE = (  # functions that take all elements when they are called
    *(itertools.combinations, itertools.combinations_with_replacement),
    *(itertools.permutations, itertools.product),
)


def _example(value: Any) -> Any:
    """A known number in place of a staged int."""
    is_int = isinstance(value, Tensor) and value.type.ndim == 0 and value.dtype.kind in "iu"
    return 1 if is_int else value


def _lazy(plain: Callable, function: Callable) -> Callable:
    """The replacement of a function that makes an iterator."""
    start = may_consume(function)

    def call(*args: Any, **kwargs: Any) -> Any:
        is_left = plain is itertools.zip_longest and not _have_places(args)
        is_left = is_left or plain is heapq.merge and len(args) != 2
        if trace.current().state(Generators).are_consumed and not is_left:
            if plain in NUMBERED:
                numbers = {name: _example(kwargs[name]) for name in kwargs if name in NUMBERS}
                called(plain, plain, ((), *map(_example, args[1:])), numbers)
            if plain is heapq.merge:
                with without_effects("an iterable of heapq.merge", *args):
                    args = tuple(map(consumed_list, args))
            if plain is itertools.islice:
                args = (*map(hold, args[:1]), *args[1:])
            if plain in AT_ONCE:
                args = tuple(consumed_list(a) if is_consumable(a) else a for a in args)
            return start(*args, **kwargs)
        trace.current().state(Generators).are_made = True
        given = {name: converted_argument(value) for name, value in kwargs.items()}
        return called(plain, plain, tuple(map(converted_argument, args)), given)

    return functools.wraps(function)(call)


for _plain, _function in FUNCTIONS.items():
    register_call(_plain, _lazy(_plain, _function))


def takes_generators(function: Callable, place: int) -> Callable:
    """A decorator of the replacement of a function that makes an iterator: the argument at a place
    may be a generator that can be consumed."""
    start = may_consume(function)

    def decorate(known):
        @functools.wraps(known)
        def call(*args, **options):
            args = (*args[:place], *map(opened, args[place:]))
            is_given = len(args) > place and is_consumable(args[place])
            if is_given and not options and _fits(args[place + 1 :]):
                return start(*args)
            return known(*args, **options)

        return call

    return decorate


def _fits(others):
    return len(others) <= 1 and not any(map(is_consumable, others))


def _have_places(items):
    return all(isinstance(one, (Tensor, TraceList, list, tuple, range)) for one in items)


def is_endless(iterable: Any) -> bool:
    """Whether an iterable is an iterator without end whose elements have positions."""
    started = started_of(iterable)
    return started is not None and _element_at(started) is not None


def endless_elements(iterable: Any) -> Callable[[Any], Any] | None:
    """The function from positions to elements of an iterator without end; None for others.

    It is for `zip` with a staged iterable, which decides how many of them are taken.
    """
    started = started_of(iterable)
    element_at = None if started is None else _element_at(started)
    if element_at is not None:
        started.stage = TAKEN  # type: ignore[union-attr]
    return element_at


def _element_at(started: Started) -> Callable[[Any], Any] | None:
    args = started.args
    if started.kwargs:
        return None
    if started.function is _repeat and len(args) == 1:
        return functools.partial(_always, args[0])
    if started.function is _count and all(type(one) is int for one in args):
        start, step = (*args, *(0, 1)[len(args) :])
        return functools.partial(_counted, start, step)
    if started.function is _cycle and isinstance(*args, (list, tuple)) and len(*args) > 0:
        return functools.partial(_in_turn, TraceList(*args), len(*args))
    return None


def _always(item, position):
    return item


def _counted(start, step, position):
    return start + position * step


def _in_turn(items, count, position):
    return items[position % count]
