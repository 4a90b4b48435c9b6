"""Comprehensions and generator expressions over staged iterables.

    [f(v) for v in x]      the loop that it stands for (`conversion/comprehension_loops.py`)
    [f(v) for v in z]      one element after the other, if their number is known

What a comprehension collects is a list of the trace, or the elements of a generator.
"""

from collections.abc import Callable
from typing import Any

from autograph.backend import PYTHON, backend_of
from autograph.conversion.comprehension_loops import consumed_loop, loop_of, original_of
from autograph.staging.lazy_elements import LazyElements, Path
from runtime.staging.calls.iteration import known_elements
from runtime.staging.calls.package_objects import note_read
from runtime.staging.calls.recorded_effects import in_run
from runtime.staging.generators import Generators, Started, each_of, in_any_order, is_consumable
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.made_dicts import made_dicts
from runtime.staging.order_of_sets import is_of_any_order
from runtime.staging.outside_iterators import refuse_outside_iterator
from runtime.tracing import trace


def comprehension(collect: Callable, iterable: Any) -> Any:
    """The result of a comprehension or generator expression over an iterable."""
    refuse_outside_iterator(iterable)
    note_read(iterable)
    original = original_of(collect)
    if original is not None and original.kind == "generator":
        return _generator(collect, iterable)
    if original is not None and is_of_any_order(original, collect, iterable):
        iterable = in_any_order(iterable)
    iterable = in_run(each_of(iterable))
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


class _StartedExpression(Started):
    """A generator expression, whose elements a loop may take."""

    name, title = "<genexpr>", "a generator expression"
    has_value = False

    def has_form(self, may_end: bool) -> bool:
        return True

    def form(self, consume: Callable, may_end: bool) -> Callable:
        original = original_of(self.function)
        assert original is not None
        loop = consumed_loop(original, self.function, may_end)
        return lambda iterable: loop(iterable, consume)

    def cleans_up(self, line: int) -> bool:
        return False


def _generator(collect, iterable):
    """A generator expression that no function consumes at once."""
    generators = trace.current().state(Generators)
    generators.are_made = True
    iterable = in_run(each_of(iterable))
    started = _StartedExpression(collect, (iterable,), {})
    if not generators.are_consumed:
        return started.known_as(collect(iterable))
    made = collect(iterable if is_known(iterable) else _elements(iterable))
    return started.watched(made)


def _elements(iterable):
    """The elements of an iterable, of which an iterator is made when one is taken."""
    yield from iterable


def is_known(value) -> bool:
    """Whether Python knows a value: it is not staged, or is a list of a known length."""
    is_known_list = isinstance(value, TraceList) and value.value is None
    return is_known_list or backend_of(value) is PYTHON and not is_consumable(value)
