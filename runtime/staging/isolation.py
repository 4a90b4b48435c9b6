"""What a function writes outside of itself, while it is recorded apart from what is around it.

    watched = IsolationCheck(function, arguments)
    function(...)
    watched.check('f')                raises where something staged was written there

A transformation does something else with what it has recorded than running it once; so what the
function leaves elsewhere would not be what Python leaves there.  What it does with plain values of
Python's is done while it is recorded, as everywhere.
"""

from collections.abc import Callable, Iterable
from typing import Any

from autograph.staging.dunder_methods import NewObjects
from autograph.staging.heap_diff import HeapSnapshot
from runtime.errors import staging_error
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.output_template import holds_staged
from runtime.tracing import trace
from runtime.tracing.array_inputs import ArrayInputs
from runtime.tracing.tensor import Tensor


class IsolationCheck:
    """What a function can reach, and what it held before the function ran."""

    def __init__(self, function: Callable, arguments: Iterable[Any]):
        self._heap = HeapSnapshot(roots=(function, *arguments))
        inputs = trace.current().state(ArrayInputs).of_graph.values()
        self._given = {id(tensor): tensor._value for tensor, _ in inputs}

    def check(self, called: str) -> None:
        """Raises `StagingError` where something staged is another now."""
        recorder = trace.current()
        made = recorder.state(NewObjects)
        for tensor, value in recorder.state(ArrayInputs).of_graph.values():
            if tensor._value is not self._given.get(id(tensor), value):
                raise _refused(called, value.hint)
        for slot in self._heap.changes():
            is_ours = isinstance(slot.container, (Tensor, TraceList)) or id(slot.container) in made
            if is_ours or holds_staged(slot.after):
                raise _refused(called, slot.path.lstrip(".") or "an array")


def _refused(called, path):
    return staging_error(
        f"{called} is transformed, and writes into {path}, which is outside of it",
        "What a transformed function computes has to be in its result.",
        "Return the new value as well, and write it where the function is called.",
    )
