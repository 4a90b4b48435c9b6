"""Iterators, and folds that make them: `iter`, `functools.reduce` and `itertools.accumulate`."""

import functools
import itertools
import operator
from typing import Any

from autograph.functions.calls import converted_call
from runtime.staging.calls.arguments import converted_argument
from runtime.staging.calls.elements_at_once import without_effects
from runtime.staging.calls.generator_functions import accumulation
from runtime.staging.calls.iterables import has_staged, iterator_of
from runtime.staging.calls.iteration import (
    StagedCombined,
    StagedIterator,
    has_known_length,
    is_staged_iterable,
    known_elements,
)
from runtime.staging.calls.python_loops import (
    accumulated,
    accumulated_from_first,
    reduced,
    reduced_from_first,
)
from runtime.staging.calls.refused_arguments import called
from runtime.staging.calls.registry import answers
from runtime.staging.generators import EACH, consumed_list, in_python, is_consumable, opened
from runtime.staging.lists.trace_list import TraceList, is_staged_list
from runtime.tracing.tensor import Tensor, is_staged


@answers(iter)
def staged_iter(items: Any, *sentinel: Any) -> Any:
    """An iterator of the elements."""
    if isinstance(items, StagedCombined):
        return items
    is_unknown = is_staged_list(items) or isinstance(items, Tensor) and not has_known_length(items)
    if not sentinel and is_unknown and is_staged_iterable(items):
        return StagedIterator(items)
    made = items if sentinel else opened(items)
    return called(iter, iter, (converted_argument(made), *sentinel), {})


@answers(functools.reduce)
def staged_reduce(function, items, /, *initial):
    """The elements folded by a function of two arguments."""
    items = consumed_list(items) if type(items) in EACH else items
    known = known_elements(items) if isinstance(items, Tensor) else items
    if initial:
        return in_python(reduced)(function, items, *initial)
    if isinstance(items, Tensor) and isinstance(known, tuple) and known:
        return in_python(reduced)(function, items[1:], items[0])
    return in_python(reduced_from_first)(function, items)


@answers(itertools.accumulate)
def staged_accumulate(items, func=None, *, initial=None):
    """The intermediate results of a fold."""
    if is_consumable(items):
        return accumulation(items, func, initial)
    items = consumed_list(items)
    if func is None:
        return _accumulated(operator.add, items, initial)
    with without_effects("the function of itertools.accumulate", func):
        return _accumulated(func, items, initial)


def _accumulated(function, items, initial):
    if not is_staged_iterable(items) and not has_staged(items) and not is_staged(initial):
        return itertools.accumulate(items, converted_call(function), initial=initial)
    if initial is not None:
        return iterator_of(in_python(accumulated)(function, items, initial))
    known = known_elements(items)
    if isinstance(known, (tuple, list)) and not is_staged_list(known) and not len(known):
        return TraceList()
    if isinstance(known, Tensor) or is_staged_list(known):
        return iterator_of(in_python(accumulated_from_first)(function, known))
    return iterator_of(in_python(accumulated)(function, items[1:], items[0]))
