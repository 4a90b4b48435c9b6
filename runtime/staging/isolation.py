"""Isolation of transformed functions: writes of staged values outside of the function are refused.

    check = IsolationCheck(function, arguments)
    function(...)
    check.check('f')                raises if a staged value was written outside

A transformation does not run the operations that it has recorded once, as they are; so a side
effect would not be the one that Python has.  Writes of plain Python values happen while tracing; in
a batch, whose elements would each write, they are refused too if code reads the place.
"""

import re
from collections import deque
from collections.abc import Callable, Iterable
from types import FunctionType
from typing import Any

from autograph.staging.dunder_methods import NewObjects
from autograph.staging.heap_diff import HeapSnapshot
from autograph.staging.mutations import advanced
from runtime.errors import ImpureTransformError, staging_error
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.outside_iterators import OutsideIterators
from runtime.staging.staged_values import holds_staged
from runtime.state.random_streams import RandomStreams
from runtime.tracing import trace
from runtime.tracing.array_inputs import ArrayInputs
from runtime.tracing.bytecode_reads import reads_of
from runtime.tracing.signature import is_value
from runtime.tracing.tensor import Tensor


class IsolationCheck:
    """The objects that a function can reach, and their contents before the function runs."""

    def __init__(self, function: Callable, arguments: Iterable[Any]):
        self._heap = HeapSnapshot(roots=(function, *arguments))
        trace.current().state(OutsideIterators).note(self._heap)
        inputs = trace.current().state(ArrayInputs).of_graph.values()
        self._given = {id(tensor): tensor._value for tensor, _ in inputs}

    def check(self, called: str) -> None:
        """Raises `StagingError` if the function has written a staged value."""
        recorder = trace.current()
        made = recorder.state(NewObjects)
        for tensor, value in recorder.state(ArrayInputs).of_graph.values():
            if tensor in recorder.state(RandomStreams):
                continue
            if tensor._value is not self._given.get(id(tensor), value):
                raise _refused(called, value.hint)
        for iterator, path in self._heap.advanced() if recorder.is_mapped else ():
            raise advanced(iterator, path)
        for slot in self._heap.changes():
            is_ours = isinstance(slot.container, (Tensor, TraceList)) or id(slot.container) in made
            if is_ours or holds_staged(slot.after) or self._is_counted(slot):
                raise _refused(called, slot.path.lstrip(".") or "an array")

    def _is_counted(self, slot):
        """Whether each element of a batch would find another value in a place: a number or text
        that replaces another one, or an item of a list, if any code reads it.  What the first
        element makes, the others find."""
        if not trace.current().is_mapped:
            return False
        is_replaced = slot.before is not None and is_value(slot.before) and is_value(slot.after)
        if not (is_replaced or isinstance(slot.container, (list, deque))):
            return False
        names = re.findall(r"\w+", re.sub(r"\[.*\]$", "", slot.path))
        return not names or names[-1] in self._names_read()

    def _names_read(self):
        """The names of variables and attributes whose values the function's code reads."""
        functions = [f for f in self._heap.containers() if isinstance(f, FunctionType)]
        found = set()
        for reads in (reads_of(function.__code__) for function in functions):
            found |= reads.globals - reads.globals_write_only
            found |= reads.free - reads.free_write_only
            found |= reads.attributes - reads.attributes_write_only
        return found


def _refused(called, path):
    return staging_error(
        f"{called} is transformed, and writes into {path}, which is outside of it",
        "A transformed function must return everything that it computes.",
        "Return the new value as well, and write it where the function is called.",
        ImpureTransformError,
    )
