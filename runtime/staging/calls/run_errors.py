"""Exceptions that a run raises in place of Python, for values that Python does not know yet.

check(step != 0, ValueError, "range() arg 3 must not be zero")
when(length < 3, lambda: raise_error(ValueError, text))
"""

from collections.abc import Callable
from typing import Any

from runtime.ir.graph import Graph
from runtime.ir.op import find
from runtime.staging.control_flow.exception_arguments import with_slots
from runtime.tracing import trace
from runtime.tracing.requirements import require
from runtime.tracing.tensor import Tensor, apply


def check(holds: Any, error: type[Exception], text: str) -> None:
    """Raises an exception unless a condition holds, in the run if the condition is staged."""
    if isinstance(holds, Tensor):
        require(holds, error, text)
    elif not holds:
        raise error(text)


def when(predicate: Tensor, block: Callable[[], None]) -> None:
    """Records what a run does only if the predicate holds; it assigns nothing."""
    recorder = trace.current()
    regions = {"then": Graph("then"), "orelse": Graph("orelse")}
    with recorder.reopened(regions["then"]):
        block()
    recorder.record(find("cond"), (predicate._value,), {}, regions)


def raise_error(error: type[Exception], text: Any) -> None:
    """Records an exception, whose text may be staged."""
    operands: list[Any] = []
    arguments = with_slots((text,), operands)
    apply(find("raise_"), *operands, error=error, arguments=arguments)
