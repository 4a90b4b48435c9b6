"""Runs functions on plain values while a graph is recorded.

    while_recording(function)(*arguments)
    outcome_while_recording(function, arguments)

The function is converted and called from a function that is being traced.  Nothing that it meets is
staged, so it must behave like the original.
"""

import contextlib
import io

import numpy as np
from outcomes import Outcome, outcome

import autograph
import runtime as rt
from runtime.staging.lists.trace_list import TraceList


def while_recording(function):
    """A function that calls the converted `function` while a graph is recorded."""

    def call(*arguments):
        with_its_error = []

        @autograph.do_not_convert
        def observe():
            try:
                with_its_error.append((as_lists(autograph.to_graph(function)(*arguments)), None))
            except BaseException as error:
                with_its_error.append((None, error))

        record_around(observe)
        ((result, error),) = with_its_error
        if error is not None:
            raise error
        return result

    return call


def outcome_while_recording(function, arguments) -> Outcome:
    """Everything that a run of the converted function shows while a graph is recorded.

    A loop that stays a loop prints in the run of the graph, and so does the code after it.
    """
    seen, printed = [], io.StringIO()

    @autograph.do_not_convert
    def observe():
        found = outcome(autograph.to_graph(function), arguments)
        found.result, found.arguments = as_lists((found.result, found.arguments))
        seen.append(found)

    with contextlib.redirect_stdout(printed):
        record_around(observe)
    (found,) = seen
    found.printed += printed.getvalue()
    return found


def record_around(observe) -> None:
    """Calls a function that is not converted while a graph is recorded."""

    def traced(unrelated):
        observe()
        return unrelated + 1.0

    rt.function(traced)(np.float64(1.0))


def as_lists(value):
    """The value with ordinary lists in place of those that are created while tracing."""
    kind = type(value)
    if kind in (list, TraceList):
        return [as_lists(item) for item in list.__iter__(value)]
    if kind is tuple:
        return tuple(map(as_lists, value))
    if kind is dict:
        return {key: as_lists(item) for key, item in value.items()}
    return value
