"""`contextlib.suppress` around operations that are recorded.

A `with suppress(KeyError)` has ended when a graph runs, so it cannot suppress what a run raises:
operations that may raise such an exception are refused inside it.
"""

from contextlib import suppress
from typing import Any

from autograph.staging.try_blocks import refuse_unbound_in_with
from runtime.analyses.exceptions import may_raise
from runtime.errors import HandledInRunError, staging_error
from runtime.ir.op import Op
from runtime.ir.traits import Effect
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
    if op.effect is Effect.EXTERNAL or any(issubclass(error, kinds) for error in raised):
        names = ", ".join(kind.__name__ for kind in kinds)
        raise staging_error(
            f"an operation that may raise is inside `with contextlib.suppress({names})`",
            "Exceptions raised while a graph runs cannot be suppressed inside it.",
            "Write the `with` around the call of the function, or test the condition before.",
            HandledInRunError,
        )


trace.CHECKS.append(_refuse_what_is_suppressed)
