"""`autograph.set_loop_options` in the body of a loop that is recorded.

for i in range(1000):
    autograph.set_loop_options(unroll=4)        four iterations in one
    x = x * w[i]
"""

import sys
from collections.abc import Callable
from typing import Any

from autograph.backend import Backend, State
from autograph.constructs.for_ import for_stmt
from runtime.errors import LoopError, staging_error
from runtime.staging.control_flow.known_iteration import DIRECTIVE, for_known
from runtime.staging.control_flow.known_loop import KnownLoop
from runtime.staging.control_flow.loop import Loop, OpenLoops
from runtime.staging.loop_trials import LoopTrials, not_kept
from runtime.tracing import trace
from runtime.tracing.tensor import Tensor


def set_options(unroll: bool | int | None, options: dict[str, Any]) -> None:
    """Sets options of the staged loop in whose body the user's code is, if there is one."""
    loop = _loop_around(trace.current())
    if loop is not None:
        if unroll is not None:
            _set_unroll(trace.current().state(LoopTrials), loop, unroll)
        loop.options.update({k: v for k, v in options.items() if v is not None})


def _loop_around(recorder: Any) -> Loop | None:
    """The staged loop in whose body the user's code is, None if that loop is unrolled."""
    loops = {code: loop for loop in recorder.state(OpenLoops) for code in loop.codes if code}
    unrolled = recorder.state(LoopTrials).refused
    frame = sys._getframe(2)
    while frame is not None and frame.f_code not in loops:
        if frame.f_code in unrolled:
            return None
        frame = frame.f_back
    return None if frame is None else loops[frame.f_code]


def _set_unroll(trials: LoopTrials, loop: Any, unroll: bool | int) -> None:
    if isinstance(loop, KnownLoop):
        trials.wishes[loop.body_code] = unroll
        if unroll is True or type(unroll) is int and loop.together != unroll:
            raise not_kept("set_loop_options requires it")
    elif unroll is not False:
        raise staging_error(
            "a loop cannot be unrolled, as set_loop_options asks",
            "The number of its iterations is known only at run time.",
            "Remove the option: then the loop is staged.",
            LoopError,
        )


def unrolled_as_asked(
    backend: Backend, iterable: Any, body: Callable, test: Callable | None, state: State
) -> bool:
    """Whether the loop over a staged array has been run, because its body sets `unroll`."""
    if DIRECTIVE not in body.__code__.co_names or not isinstance(iterable, Tensor):
        return False
    if for_known(backend, iterable, body, test, state):
        return True
    if trace.current().state(LoopTrials).wishes.get(body.__code__) is not True:
        return False
    rest = iter(iterable)
    for_stmt(rest, body, state.get_state, state.set_state, state.names, test)
    return True
