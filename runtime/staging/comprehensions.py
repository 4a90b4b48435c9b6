"""Comprehensions and generator expressions over staged iterables.

    [f(v) for v in x]      the loop that it stands for (`conversion/comprehension_loops.py`)
    [f(v) for v in z]      one element after the other, if their number is known

What a comprehension collects is a list of the trace, or the elements of a generator.
"""

from collections.abc import Callable
from typing import Any

from autograph.backend import PYTHON, backend_of
from autograph.conversion.comprehension_loops import loop_of, original_of
from autograph.staging.lazy_elements import LazyElements, Path
from runtime.staging.calls.iteration import known_elements
from runtime.staging.calls.package_objects import note_read
from runtime.staging.calls.recorded_effects import in_run
from runtime.staging.generators import each_of, is_consumable
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.made_dicts import made_dicts
from runtime.staging.outside_iterators import refuse_outside_iterator


def comprehension(collect: Callable, iterable: Any) -> Any:
    """The result of a comprehension or generator expression over an iterable."""
    refuse_outside_iterator(iterable)
    note_read(iterable)
    iterable = in_run(each_of(iterable))
    original = original_of(collect)
    if original is None:
        return collect(iterable)
    quantifies = original.kind in ("any", "all", "next")
    is_keyed = original.kind in ("dict", "set")
    if original.is_simple and not quantifies and not (is_keyed and made_dicts().is_staged_here()):
        iterable = known_elements(iterable)
        if is_known(iterable):
            if is_keyed:
                return made_dicts().collected(collect, iterable)
            made = collect(iterable)
            if original.is_generator:
                return LazyElements(made)
            return TraceList(made) if original.kind == "list" else made
    loop = loop_of(original, collect)
    if original.is_generator:
        path = Path(is_known, unrolls=original.is_simple and not quantifies)
        return LazyElements.of(loop, iterable, path)
    return loop(iterable)


def is_known(value) -> bool:
    """Whether Python knows a value: it is not staged, or is a list of a known length."""
    is_known_list = isinstance(value, TraceList) and value.value is None
    return is_known_list or backend_of(value) is PYTHON and not is_consumable(value)
