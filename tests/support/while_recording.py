"""Runs functions on plain values while a graph is recorded.

    outcome_while_recording(function, arguments)

The function is converted and called from a function that is being traced.  Nothing that it meets is
staged, so it must behave like the original.
"""

import numpy as np
from outcomes import Outcome, outcome

import autograph
import runtime as rt
from runtime.staging.lists.trace_list import TraceList


def outcome_while_recording(function, arguments) -> Outcome:
    """Everything that a run of the converted function shows while a graph is recorded."""
    converted, seen = autograph.to_graph(function), []

    @autograph.do_not_convert
    def observe():
        found = outcome(converted, arguments)
        found.result, found.arguments = as_lists((found.result, found.arguments))
        seen.append(found)

    def traced(unrelated):
        observe()
        return unrelated + 1.0

    rt.function(traced)(np.float64(1.0))
    (found,) = seen
    return found


def as_lists(value):
    """The value with ordinary lists in place of those that are created while tracing."""
    kind = type(value)
    if kind in (list, TraceList):
        return [as_lists(item) for item in value]
    if kind is tuple:
        return tuple(map(as_lists, value))
    if kind is dict:
        return {key: as_lists(item) for key, item in value.items()}
    return value
