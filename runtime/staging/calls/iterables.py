"""Python functions that take iterables, for staged iterables and iterables of staged values.

    sum(x), max(z, key=f), sorted(z)      ops on a list, which call the Python function
    for i, v in enumerate(x), zip, map    a staged loop over both (`iteration.py`)
    filter(f, x), functools.reduce(f, x)  loops, written here in Python and converted

A function argument is converted like a function that is called.
"""

import functools
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.constructs.ternary import if_expr
from autograph.conversion.converter import to_graph
from autograph.functions.calls import converted_call
from autograph.staging.lazy_elements import LazyElements
from runtime.errors import IterationError, staging_error
from runtime.ir.op import find
from runtime.ir.types import BOOL
from runtime.staging.calls.iteration import (
    StagedCombined,
    StagedRange,
    can_be_indexed,
    is_staged_iterable,
    known_elements,
)
from runtime.staging.calls.registry import answers, register_call
from runtime.staging.lists.elements import type_of_staged_sum
from runtime.staging.lists.trace_list import TraceList, is_staged_list
from runtime.staging.truth import truth
from runtime.tracing.conversion import cast, staged_type
from runtime.tracing.tensor import Tensor, apply, is_staged

NOTHING = object()


# -- loops in Python -------------------------------------------------------------------------------


@functools.cache
def _converted(function):
    return to_graph(function)


def _filtered(function, items):
    result = []
    for item in items:
        if function(item):
            result.append(item)
    return result


def _listed(items):
    result = []
    for item in items:
        result.append(item)
    return result


def _reduced(function, items, value):
    for item in items:
        value = function(value, item)
    return value


def _reduced_from_first(function, items):
    empty = True
    for item in items:
        value = item if empty else function(value, item)  # noqa: F821
        empty = False
    if empty:
        raise TypeError("reduce() of empty iterable with no initial value")
    return value


def _accumulated(function, items, value):
    result = [value]
    for item in items:
        value = function(value, item)
        result.append(value)
    return result


# -- lists -----------------------------------------------------------------------------------------


def as_list(items: Any) -> TraceList | None:
    """The elements of a staged iterable as a staged list; None if it is not a staged iterable."""
    if is_staged_list(items):
        return items
    if not is_staged_iterable(items):
        return None
    if isinstance(items, Tensor):
        return TraceList.of(apply(find("list_of"), items))
    return _converted(_listed)(items)


def _has_staged(items):
    """Whether a list or tuple with a known number of elements contains staged ones."""
    if isinstance(items, TraceList):
        return items.value is None and is_staged(items.contents())
    return type(items) in (list, tuple) and is_staged(tuple(items))


def _known(items):
    return list(list.__iter__(items) if isinstance(items, list) else items)


def collected(items: LazyElements) -> TraceList:
    """A list of the elements of a generator expression."""
    made = TraceList(items.known())
    items.rest(made)  # which appends to it
    return made


@answers(list)
def staged_list_of(items=()):
    """A list that may become staged."""
    if isinstance(items, LazyElements):
        return collected(items)
    known = known_elements(items)
    grown = as_list(known)
    return TraceList(known) if grown is None else grown.copy()


@answers(sorted)
def staged_sorted(items, *, key=None, reverse=False):
    """The elements in sorted order."""
    items = collected(items) if isinstance(items, LazyElements) else items
    grown = as_list(items)
    if grown is not None:
        return sorted_list(grown, key, reverse)
    if _has_staged(items):
        return sorted_list(TraceList(items), key, reverse)
    return TraceList(sorted(items, key=key and converted_call(key), reverse=reverse))


def sorted_list(items: TraceList, key: Callable | None, reverse: Any) -> TraceList:
    """The sorted list; it has a known number of elements if `items` has."""
    keys = None if key is None else mapped(key, items)
    if items.value is None:
        size = list.__len__(items)
        made = items.copy().derived("sorted", keys, reverse)
        return TraceList(made[i] for i in range(size))
    return items.derived("sorted", keys, reverse)


def _sort(items: TraceList, *, key: Callable | None = None, reverse: Any = False) -> None:
    """Sorts the elements in place."""
    if items.depends_on(*list.__iter__(items)):
        items.put(sorted_list(items, key, reverse).contents())
    else:
        list.sort(items, key=key, reverse=reverse)


TraceList.sort = _sort  # type: ignore[method-assign]


def mapped(function: Callable, items: TraceList) -> TraceList:
    """A list of the results of a function for each element."""
    called = StagedCombined(converted_call(function), items)
    if items.value is None:
        return TraceList(map(converted_call(function), list.__iter__(items)))
    return _converted(_listed)(called)


def _refused(plain):
    """The replacement of `tuple`, `set` or `frozenset`, which need a list of known length."""

    def make(*items):
        if items and isinstance(items[0], LazyElements):
            made = plain(items[0].known())
            rest = items[0].rest(TraceList())
            if rest is None:
                return made
            items = (rest,)
        if items and (grown := as_list(known_elements(items[0]))) is not None:
            raise staging_error(
                f"{plain.__name__}() is called with {grown!r}",
                "The number of its elements is known only at run time; only lists can have such a "
                "length.",
                "Use a list.",
                IterationError,
            )
        return plain(*items)

    return make


for _plain in (tuple, set, frozenset):
    register_call(_plain, _refused(_plain))


# -- one value of many -----------------------------------------------------------------------------


@answers(sum)
def staged_sum(items, /, start=0):
    """The sum, from the left."""
    if isinstance(items, LazyElements):
        total = sum(items.known(), start)
        rest = items.rest(TraceList())
        return total if rest is None else staged_sum(rest, total)
    known = known_elements(items)
    grown = as_list(items)
    if grown is None or type(known) is tuple and not known:
        return sum(known, start)
    start_type = staged_type(start)
    if any(kind is None or kind.shape for kind in (grown.value.type.element, start_type)):
        return _converted(_reduced)(lambda left, right: left + right, known, start)
    kind = type_of_staged_sum(grown.value.type.element, start_type)
    return apply(find("list_sum"), grown.value, start, type=kind)


def _quantifier(plain, join):
    """The replacement of `any` or `all`, for elements that exist already.

    A generator evaluates an element only if the elements before it have not decided the result; it
    stays a Python generator.
    """

    def quantifier(elements):
        if isinstance(elements, LazyElements):
            found = plain(elements.known())
            return elements.rest() if elements.has_rest else found
        if isinstance(elements, Tensor) and elements.type.ndim == 1:
            return cast(apply(find(plain.__name__), elements), BOOL)
        grown = as_list(elements)
        if grown is not None:
            return grown.queried(plain.__name__)
        if not _has_staged(elements):
            return plain(elements)
        found = plain(())
        for element in _known(elements):
            found = join(truth(element), found)
        return cast(found, BOOL)

    return quantifier


register_call(any, _quantifier(any, np.logical_or))
register_call(all, _quantifier(all, np.logical_and))


def _extreme(plain):
    """The replacement of `max` or `min`."""
    name = plain.__name__

    def extreme(*values, key=None, default=NOTHING):
        options = {} if default is NOTHING else {"default": default}
        values = values[0] if len(values) == 1 else values
        if isinstance(values, LazyElements):
            return _of_lazy(values, plain, key, default)
        grown = as_list(values)
        if grown is not None:
            return _of_grown(grown, name, key, default)
        if not _has_staged(values) or not len(values):
            return plain(values, key=key and converted_call(key), **options)
        return _of_known(_known(values), plain, key)

    return extreme


def _of_grown(items, name, key, default):
    def found():
        if key is None:
            return items.queried(name)
        return items[mapped(key, items).queried(f"{name}_place")]

    return found() if default is NOTHING else if_expr(items.length() > 0, found, lambda: default)


def _of_known(values, plain, key):
    keys = values if key is None else [converted_call(key)(value) for value in values]
    best, *others = zip(keys, values, strict=True)
    for new in others:
        best = _better(plain, best, new)
    return best[1]


def _of_lazy(items, plain, key, default):
    """The extreme of the elements of a generator expression, taken one by one."""
    best = ()
    for value in items.known():
        new = value if key is None else converted_call(key)(value), value
        best = _better(plain, best, new) if best else new
    rest = items.rest(TraceList(best[1:]))
    if rest is not None:
        return _of_grown(rest, plain.__name__, key, default)
    if best:
        return best[1]
    return plain(()) if default is NOTHING else default


def _better(plain, best, new):
    better = new[0] > best[0] if plain is max else new[0] < best[0]
    return if_expr(better, functools.partial(_same, new), functools.partial(_same, best))


def _same(value):
    return value


register_call(max, _extreme(max))
register_call(min, _extreme(min))


# -- iterables of iterables ------------------------------------------------------------------------


def _is_staged_combination(parts):
    return any(map(is_staged_iterable, parts)) and all(map(can_be_indexed, parts))


@answers(reversed)
def staged_reversed(values):
    """The elements from the last to the first."""
    if isinstance(values, StagedRange):
        return values.reversed()
    if isinstance(values, Tensor) and values.type.ndim > 0:
        return apply(find("flip"), values, axis=0)
    return values.derived("reverse") if is_staged_list(values) else reversed(values)


@answers(zip)
def staged_zip(*parts, strict=False):
    """Tuples of elements.  With `strict`, a staged loop runs only over parts of equal known length;
    else Python takes the elements one by one and compares the lengths."""
    if not _is_staged_combination(parts) or strict and not _are_as_long(parts):
        return zip(*map(known_elements, parts), strict=strict)
    return StagedCombined(lambda *elements: elements, *parts)


def _are_as_long(parts):
    lengths = {
        part.type.shape[0]
        if isinstance(part, Tensor) and is_staged_iterable(part)
        else len(part)
        if isinstance(part, (list, tuple, range)) and not is_staged_list(part)
        else None
        for part in parts
    }
    return len(lengths) == 1 and isinstance(*lengths, int)


@answers(enumerate)
def staged_enumerate(items, start=0):
    """Elements with their indices."""
    if not is_staged_iterable(items):
        return enumerate(items, start)
    size = np.iinfo(np.int64).max - abs(start)
    return StagedCombined(lambda i, element: (i, element), range(start, start + size), items)


@answers(map)
def staged_map(function, *parts):
    """The results of a function for each element."""
    called = converted_call(function)
    return StagedCombined(called, *parts) if _is_staged_combination(parts) else map(called, *parts)


@answers(filter)
def staged_filter(function, items):
    """The elements for which a function returns true."""
    if not is_staged_iterable(items) and not _has_staged(items):
        return filter(function and converted_call(function), items)
    return _converted(_filtered)(function or _same, items)


@answers(functools.reduce)
def staged_reduce(function, items, /, *initial):
    """The elements folded by a function of two arguments."""
    known = known_elements(items) if isinstance(items, Tensor) else items
    if initial:
        return _converted(_reduced)(function, items, *initial)
    if isinstance(items, Tensor) and isinstance(known, tuple) and known:
        return _converted(_reduced)(function, items[1:], items[0])
    return _converted(_reduced_from_first)(function, items)


@answers(itertools.accumulate)
def staged_accumulate(items, func=None, *, initial=None):
    """The intermediate results of a fold."""
    function = func or (lambda left, right: left + right)
    if not is_staged_iterable(items) and not _has_staged(items) and not is_staged(initial):
        return itertools.accumulate(items, converted_call(function), initial=initial)
    if initial is not None:
        return _converted(_accumulated)(function, items, initial)
    known = known_elements(items)
    if isinstance(known, (tuple, list)) and not is_staged_list(known) and not len(known):
        return TraceList()
    return _converted(_accumulated)(function, items[1:], items[0])
