"""`for` over staged arrays, lists, ranges with staged bounds, and combinations of them.

for x in xs: total = total + x    ->    a loop over the positions of xs (`calls/iteration.py`)

A loop over known elements is one of the graph if that is shorter (`known_iteration.py`), or is
unrolled.
"""

from collections.abc import Callable
from typing import Any

from autograph.backend import Backend, State
from autograph.constructs.for_ import for_stmt
from runtime.staging.calls.host_iteration import HostElements
from runtime.staging.calls.host_values import HostValue
from runtime.staging.calls.iteration import (
    StagedCombined,
    iterables_in,
    number_of_rows,
    places,
    positions,
)
from runtime.staging.control_flow.known_iteration import for_known
from runtime.staging.control_flow.loop import Loop
from runtime.staging.control_flow.loop_options import unrolled_as_asked
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.staging.outside_iterators import has_ended, note_ended, note_left
from runtime.staging.row_loops import RowLoops, note_unrolled
from runtime.staging.truth import truth
from runtime.tracing import trace
from runtime.tracing.tensor import Tensor, staged


def stage_for(
    backend: Backend, iterable: Any, body: Callable, test: Callable | None, state: State
) -> None:
    """Records a `for` over an iterable that is staged, or that staged code changes."""
    if isinstance(iterable, MaybeNoneObject):
        found = iterable.__checked__(iter)
        return for_stmt(found, body, state.get_state, state.set_state, state.names, test)
    is_known = isinstance(iterable, Tensor) and iterable.is_eager
    if is_known or isinstance(iterable, TraceList) and iterable.value is None:
        if is_known or not for_known(backend, iterable, body, test, state):
            rest = iter(iterable)
            for_stmt(rest, body, state.get_state, state.set_state, state.names, test)
        return
    if isinstance(iterable, StagedCombined) and has_ended(iterable):
        return
    is_host = isinstance(iterable, HostValue)
    if unrolled_as_asked(backend, iterable, body, test, state):
        return
    loops, count = trace.current().state(RowLoops), number_of_rows(iterable)
    if count is not None and loops.unrolls(body, count):
        note_unrolled(body, count, trace.current())
        element_at, _ = places(iterable)
        # Each is read in its iteration: an earlier one may have written into the iterable.
        rest = (element_at(i) for i in range(count))
        for_stmt(rest, body, state.get_state, state.set_state, state.names, test)
        if isinstance(iterable, StagedCombined):
            (note_left if test is not None else note_ended)(iterable)
        return
    position = HostElements(iterable) if is_host else positions(iterable)

    def turn():
        body(position.element())
        position.advance()
        if test is None:
            return position.more()
        return backend.if_expr(truth(test()), position.more, lambda: False)

    predicate = position.more()
    if predicate is not False:
        # The elements may be views of the iterable, so it is a root of the heap comparison.
        roots = iterables_in(iterable)
        with loops.noted(body, count):
            loop = Loop(turn, state, (body, test), position.places, roots=roots)
            loop.stage(staged(predicate))
    if isinstance(iterable, StagedCombined):
        (note_left if test is not None else note_ended)(iterable)
