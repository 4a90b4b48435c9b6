"""`exec`, `eval` and debuggers in a staged branch or loop, which a run may not reach.

    if x > limit:
        exec(text, names)           refused: what it does would happen while the graph is built
        y = eval("2 * k", names)    no call, attribute or assignment: it has no effect

Such code is in a string, so it is not converted, and its calls are not decided one by one.
"""

import dis
from collections.abc import Callable
from functools import partial
from types import CodeType
from typing import Any

from runtime.errors import EffectError, staging_error
from runtime.staging.calls.refused_arguments import written
from runtime.tracing import trace

ACTING = ("CALL", "ATTR", "METHOD", "STORE", "DELETE", "IMPORT", "RAISE", "YIELD")


def in_branch(function: Callable, known: Callable) -> Callable:
    """The callable to use in place of a function that runs code which is not converted, and may
    have effects: the function itself, or one that raises `StagingError`."""
    recorder = trace.current()
    if recorder is None or recorder.is_eager or not recorder.depends_on_run:
        return known
    return partial(_without_effect, function, known)


def _without_effect(function: Callable, known: Callable, *args: Any, **kwargs: Any) -> Any:
    if function is eval and args and _is_value(args[0]):
        return known(*args, **kwargs)
    raise staging_error(
        f"{written(function)} is called in a branch or loop that a run may not reach",
        "It runs code that is not converted, so what this code does would happen while the graph "
        "is being built.",
        "Call it in a function marked with @rt.effect, which each run calls where it gets there.",
        EffectError,
    )


def _is_value(source: Any) -> bool:
    """Whether code only computes a value: it calls nothing, and changes nothing."""
    if not isinstance(source, (str, CodeType)):
        return False
    try:
        code = compile(source, "<string>", "eval") if isinstance(source, str) else source
    except SyntaxError:
        return True  # which `eval` raises
    return not any(word in one.opname for one in dis.get_instructions(code) for word in ACTING)
