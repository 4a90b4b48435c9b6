"""`itertools.groupby` of staged elements.

    for key, group in itertools.groupby(x):     starts, ends = group_bounds(keys)
        total = sum(group)                      for a, b in zip(starts, ends):
                                                    key, group = keys[a], an iterator of items[a:b]

On plain values, and in the first recording of a function, Python's own function runs.
"""

import itertools
from collections.abc import Callable
from typing import Any

from runtime.errors import IterationError, staging_error
from runtime.ir.graph import Graph, walk
from runtime.ir.traits import Effect
from runtime.staging.calls.arguments import converted_argument
from runtime.staging.calls.iterables import has_staged, staged_list_of
from runtime.staging.calls.iteration import StagedCombined, StagedIterator
from runtime.staging.calls.python_loops import called_with_each, group_bounds
from runtime.staging.calls.refused_arguments import called
from runtime.staging.calls.registry import answers
from runtime.staging.generators import Generators, in_python
from runtime.staging.lists.trace_list import TraceList, is_staged_list
from runtime.tracing import trace

SEEN = (Effect.EXTERNAL, Effect.CALL)


@answers(itertools.groupby)
def staged_groupby(iterable: Any, key: Callable | None = None) -> Any:
    """Keys, and iterators of the elements that have them."""
    generators = trace.current().state(Generators)
    if not generators.are_consumed:
        generators.are_made = True
        given = (iterable, *(() if key is None else (converted_argument(key),)))
        return called(itertools.groupby, itertools.groupby, given, {})
    items = staged_list_of(iterable)
    keys = _keys(key, items)
    if not is_staged_list(keys) and not has_staged(keys):
        return itertools.groupby(items, key and converted_argument(key))
    starts, ends = in_python(group_bounds)(keys)

    def combine(start, end):
        return keys[start], StagedIterator(items[start:end])

    made = StagedCombined(combine, starts, ends)
    made.holders = items, keys
    return made


def _keys(key: Callable | None, items: TraceList) -> TraceList:
    """The keys of all items, which a call of `key` cannot tell from a call group by group."""
    if key is None:
        return items
    region = trace.current().region
    first = len(region.nodes)
    keys = in_python(called_with_each)(key, items)
    if any(node.op.effect in SEEN for node in walk(Graph("", [], region.nodes[first:]))):
        raise staging_error(
            "the key function of itertools.groupby has effects",
            "A graph computes the keys of all elements first, Python group by group.",
            "Compute the keys in a loop, and group by them.",
            IterationError,
        )
    return keys
