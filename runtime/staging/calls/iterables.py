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

from autograph.conversion.converter import to_graph
from autograph.functions.calls import converted_call
from autograph.staging.lazy_elements import LazyElements
from runtime.errors import IterationError, staging_error
from runtime.ir.op import find
from runtime.ir.types import BOOL
from runtime.ir.unions import is_scalar
from runtime.staging.calls.generator_functions import (
    endless_elements,
    enumerate_elements,
    filter_elements,
    map_elements,
    takes_generators,
)
from runtime.staging.calls.iteration import (
    StagedCombined,
    StagedIterator,
    StrictZip,
    can_be_indexed,
    has_known_length,
    is_staged_iterable,
    known_elements,
)
from runtime.staging.calls.python_loops import (
    all_items,
    any_items,
    filtered,
    listed,
    reduced,
)
from runtime.staging.calls.registry import answers, register_call
from runtime.staging.calls.staged_range import StagedRange, as_integer
from runtime.staging.calls.zipped_generators import takes_generator
from runtime.staging.containers import StagedContainer
from runtime.staging.generators import (
    EACH,
    consumed_list,
    each_of,
    opened,
    started_of,
)
from runtime.staging.lists.elements import holds_lists, type_of_staged_sum
from runtime.staging.lists.staged_tuple import StagedTuple
from runtime.staging.lists.trace_list import TraceList, is_staged_list
from runtime.staging.outside_iterators import note_left
from runtime.staging.staged_values import is_staged_itself
from runtime.staging.truth import truth
from runtime.tracing.conversion import cast, staged_type
from runtime.tracing.tensor import Tensor, apply, is_staged

NOTHING = object()
MOST = np.iinfo(np.int64).max  # elements


# -- loops in Python -------------------------------------------------------------------------------


@functools.cache
def _converted(function):
    return to_graph(function)


# -- lists -----------------------------------------------------------------------------------------


def as_list(items: Any) -> TraceList | None:
    """The elements of a staged iterable as a staged list; None if it is not a staged iterable."""
    if is_staged_list(items):
        return items
    if not is_staged_iterable(items):
        return None
    if isinstance(items, Tensor):
        return TraceList.of(apply(find("list_of"), items))
    return _converted(listed)(items)


def has_staged(items):
    """Whether a list or tuple with a known number of elements contains staged ones."""
    if isinstance(items, TraceList):
        return items.value is None and is_staged(items.contents())
    return type(items) in (list, tuple) and is_staged(tuple(items))


def _has_staged_item(items):
    """Whether an item of a list or tuple is a container, or one of several objects, of which only
    the run knows the truth."""
    return isinstance(items, (list, tuple)) and any(map(is_staged_itself, known_items(items)))


def known_items(items):
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
    known = known_elements(consumed_list(items))
    grown = as_list(known)
    return TraceList(known) if grown is None else TraceList.copy(grown)


def mapped(function: Callable, items: TraceList) -> TraceList:
    """A list of the results of a function for each element."""
    called = StagedCombined(converted_call(function), items)
    if items.value is None:
        return TraceList(map(converted_call(function), list.__iter__(items)))
    return _converted(listed)(called)


@answers(tuple)
def staged_tuple_of(*items):
    """A tuple; one of which only the run knows the length if it is that of a staged list."""
    if items and type(items[0]) is StagedTuple:
        return items[0]
    made = _of_known_length(tuple, items)
    return StagedTuple.of(made) if is_staged_list(made) else made


@answers(frozenset)
def staged_frozenset_of(*items):
    """A frozenset, whose elements must be known."""
    made = _of_known_length(frozenset, items)
    if not is_staged_list(made):
        return made
    raise staging_error(
        "frozenset() is called with a staged list",
        "The number of its elements is known only at run time; only lists, tuples and sets can "
        "have such a length.",
        "Use a set.",
        IterationError,
    )


def _of_known_length(plain, items):
    """The result of `tuple` or `frozenset`; a staged list if only the run knows the length."""
    if items and isinstance(items[0], LazyElements):
        found = plain(items[0].known())
        made = TraceList(found)
        if items[0].rest(made) is None:
            return found
        items = (made,)
    items = tuple(map(consumed_list, items))
    known = known_elements(items[0]) if items else ()
    grown = as_list(known)
    return plain(*items) if grown is None else grown


# -- one value of many -----------------------------------------------------------------------------


@answers(sum)
def staged_sum(items, /, start=0):
    """The sum, from the left."""
    if isinstance(items, LazyElements):
        total = sum(items.known(), start)
        rest = items.rest(TraceList())
        return total if rest is None else staged_sum(rest, total)
    items = consumed_list(items)
    known = items if isinstance(items, Tensor) else known_elements(items)
    grown = as_list(known)
    if grown is None or grown.value is None:
        return sum(known if grown is None else list.__iter__(grown), start)
    start_type = staged_type(start)
    if any(not is_scalar(kind) for kind in (grown.value.type.element, start_type)):
        return _converted(reduced)(lambda left, right: left + right, known_elements(known), start)
    kind = type_of_staged_sum(grown.value.type.element, start_type)
    return apply(find("list_sum"), grown.value, start, type=kind)


def _quantifier(plain, join):
    """The replacement of `any` or `all`, for elements that exist already.

    A generator evaluates an element only if the elements before it have not decided the result; it
    stays a Python generator.
    """

    def quantifier(elements):
        elements = opened(elements)
        found = decided(elements)
        if isinstance(elements, StagedCombined):
            note_left(elements)  # elements after the one that decides are not taken
        return found

    def decided(elements):
        if isinstance(elements, LazyElements):
            found = plain(elements.known())
            return elements.rest() if elements.has_rest else found
        if started_of(elements, may_end=True) is not None:
            return _converted(any_items if plain is any else all_items)(elements)
        elements = consumed_list(elements) if type(elements) in EACH else elements
        if isinstance(elements, Tensor) and elements.type.ndim == 1:
            return cast(apply(find(plain.__name__), elements), BOOL)
        grown = as_list(elements)
        is_grown = grown is not None and grown.value is not None
        if is_grown and holds_lists(grown.value.type.element):
            return _converted(any_items if plain is any else all_items)(grown)
        if grown is not None:
            return grown.queried(plain.__name__)
        if not (_has_staged_item(elements) or has_staged(elements)):
            return plain(elements)
        found = plain(())
        for element in known_items(elements):
            found = join(truth(element), found)
        return cast(found, BOOL)

    return quantifier


register_call(any, _quantifier(any, np.logical_or))
register_call(all, _quantifier(all, np.logical_and))


# -- iterables of iterables ------------------------------------------------------------------------


def _is_staged_combination(parts):
    return any(map(is_staged_iterable, parts)) and all(map(can_be_indexed, parts))


def _reversible(values):
    return consumed_list(values) if type(values) in EACH else values


@answers(reversed)
def staged_reversed(values):
    """The elements from the last to the first."""
    if isinstance(values, StagedRange):
        return StagedIterator(values.reversed())
    if isinstance(values, Tensor) and values.type.ndim > 0:
        return StagedIterator(apply(find("flip"), values, axis=0))
    if isinstance(values, StagedContainer) and not hasattr(values.kind, "__reversed__"):
        return reversed(values.kind())  # which raises
    values = _reversible(values)
    if is_staged_list(values):
        return StagedIterator(values.derived("reverse"))
    return reversed(values)


@answers(zip)
@takes_generator
def staged_zip(*parts, strict=False):
    """Tuples of elements.  With `strict`, Python or the run compares the lengths, unless they are
    known to be equal."""
    parts = tuple(map(each_of, parts))
    if any(map(is_staged_iterable, parts)):
        parts = tuple(tuple(one) if type(one) is str else one for one in parts)
    if not strict and any(map(is_staged_iterable, parts)):
        endless = tuple(map(endless_elements, parts))
        if any(endless):
            return _zip_with_endless(parts, endless)
    if not _is_staged_combination(parts):
        return zip(*map(known_elements, parts), strict=strict)
    is_checked = strict and not _are_as_long(parts)
    if is_checked and all(map(has_known_length, parts)):
        return zip(*map(known_elements, parts), strict=True)
    kind = StrictZip if is_checked else StagedCombined
    return kind(lambda *elements: elements, *parts)


def _zip_with_endless(parts, endless):
    """`zip` of parts some of which are functions from positions to elements."""

    def combine(*elements):
        pairs = zip(endless, elements, strict=True)
        return tuple(one if element_at is None else element_at(one) for element_at, one in pairs)

    pairs = zip(parts, endless, strict=True)
    ranges = (part if element_at is None else range(MOST) for part, element_at in pairs)
    return StagedCombined(combine, *ranges)


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
@takes_generators(enumerate_elements, 0)
def staged_enumerate(items, start=0):
    """Elements with their indices."""
    items = each_of(items)
    if isinstance(start, Tensor):
        start = as_integer(start)
        if not is_staged_iterable(items):
            return map(lambda i, element: (start + i, element), itertools.count(), items)
        return StagedCombined(lambda i, element: (start + i, element), range(MOST), items)
    if not is_staged_iterable(items):
        return enumerate(items, start)
    size = MOST - abs(start)
    return StagedCombined(lambda i, element: (i, element), range(start, start + size), items)


@answers(map)
@takes_generators(map_elements, 1)
def staged_map(function, *parts):
    """The results of a function for each element."""
    called, parts = converted_call(function), tuple(map(each_of, parts))
    return StagedCombined(called, *parts) if _is_staged_combination(parts) else map(called, *parts)


def iterator_of(items: TraceList) -> Any:
    """An iterator of the elements of a list that was made for it."""
    return StagedIterator(items) if is_staged_list(items) else iter(items)


def _itself(value):
    return value


@answers(filter)
@takes_generators(filter_elements, 1)
def staged_filter(function, items):
    """The elements for which a function returns true."""
    items = consumed_list(items)
    if not is_staged_iterable(items) and not has_staged(items):
        return filter(function and converted_call(function), items)
    return iterator_of(_converted(filtered)(function or _itself, items))
