"""`contextlib.suppress` around operations that are recorded.

A `with suppress(KeyError)` has ended when a graph runs, so it cannot suppress what a run raises:
the Python function computes the result of a call whose run raises such an exception, as for a `try`
(`control_flow/try_blocks.py`).  Where that would repeat an effect, the operation is refused.
"""

from contextlib import suppress
from typing import Any

from autograph.staging.try_blocks import refuse_unbound_in_with
from runtime.analyses.exceptions import may_raise
from runtime.errors import HandledInRunError, staging_error
from runtime.ir.op import Op
from runtime.ir.traits import Effect
from runtime.staging.control_flow.try_blocks import is_left_to_python
from runtime.tracing import trace
from runtime.tracing.maybe import MaybeUnbound


class OpenSuppress(list[tuple[type[BaseException], ...]]):
    """The exceptions of the `with suppress(...)` statements that are open."""


class ObservedSuppress(suppress):
    """One that tells the recorder what it would suppress."""

    def __enter__(self) -> None:
        recorder = trace.current()
        if recorder is not None:
            recorder.state(OpenSuppress).append(tuple(self._exceptions))
            if issubclass(UnboundLocalError, tuple(self._exceptions)):
                refuse_unbound_in_with(lambda value: isinstance(value, MaybeUnbound))
        return super().__enter__()

    def __exit__(self, *error: Any) -> bool | None:
        recorder = trace.current()
        if recorder is not None:
            recorder.state(OpenSuppress).pop()
        return super().__exit__(*error)


def _refuse_what_is_suppressed(op: Op, types: tuple, attributes: dict) -> None:
    recorder = trace.current()
    opened = None if recorder is None else recorder.state(OpenSuppress)
    if not opened:
        return
    kinds = tuple(kind for one in opened for kind in one)
    stated = attributes.get("error") if op.effect is Effect.RAISES else None
    raised = (*may_raise(op, types, attributes), *((stated,) if stated else ()))
    suppressed = [error for error in raised if issubclass(error, kinds)]
    is_left = [is_left_to_python(error, error is stated) for error in suppressed]
    is_foreign = op.effect is Effect.EXTERNAL and op.name != "print"  # it may raise any exception
    if is_foreign or not all(is_left):
        names = ", ".join(kind.__name__ for kind in kinds)
        raise staging_error(
            f"an operation that may raise is inside `with contextlib.suppress({names})`",
            "Exceptions raised while a graph runs cannot be suppressed inside it.",
            "Write the `with` around the call of the function, or test the condition before.",
            HandledInRunError,
        )


trace.CHECKS.append(_refuse_what_is_suppressed)
