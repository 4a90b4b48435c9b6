"""`itertools.groupby` of staged elements.

    for key, group in itertools.groupby(x):     starts, ends = group_bounds(keys)
        total = sum(group)                      for a, b in zip(starts, ends):
                                                    key, group = keys[a], an iterator of items[a:b]

On plain values, and in the first recording of a function, Python's own function runs.
"""

import itertools
from collections.abc import Callable
from typing import Any

from runtime.staging.calls.arguments import converted_argument
from runtime.staging.calls.elements_at_once import without_effects
from runtime.staging.calls.iterables import has_staged, staged_list_of
from runtime.staging.calls.iteration import StagedCombined, StagedIterator
from runtime.staging.calls.python_loops import called_with_each, group_bounds
from runtime.staging.calls.refused_arguments import called
from runtime.staging.calls.registry import answers
from runtime.staging.generators import Generators, in_python
from runtime.staging.lists.trace_list import is_staged_list
from runtime.tracing import trace


@answers(itertools.groupby)
def staged_groupby(iterable: Any, key: Callable | None = None) -> Any:
    """Keys, and iterators of the elements that have them."""
    generators = trace.current().state(Generators)
    if not generators.are_consumed:
        generators.are_made = True
        given = (iterable, *(() if key is None else (converted_argument(key),)))
        return called(itertools.groupby, itertools.groupby, given, {})
    with without_effects("an iterable of itertools.groupby", iterable):
        items = staged_list_of(iterable)
    keys = items
    if key is not None:
        with without_effects("the key function of itertools.groupby", key):
            keys = in_python(called_with_each)(key, items)
    if not is_staged_list(keys) and not has_staged(keys):
        return itertools.groupby(items, key and converted_argument(key))
    starts, ends = in_python(group_bounds)(keys)

    def combine(start, end):
        return keys[start], StagedIterator(items[start:end])

    made = StagedCombined(combine, starts, ends)
    made.holders = items, keys
    return made
