"""Conditions on sizes that only a run knows, which NumPy would check."""

from typing import Any

from runtime.ir.op import find
from runtime.ir.types import BOOL
from runtime.tracing import trace
from runtime.tracing.conversion import cast


def require(holds: Any, error: type[Exception], text: str) -> None:
    """Records that a run raises an exception unless a staged bool holds."""
    recorder = trace.current()
    assert recorder is not None
    attributes = {"error": error, "arguments": (text,)}
    recorder.record(find("assert_"), (cast(holds, BOOL)._value,), attributes)
