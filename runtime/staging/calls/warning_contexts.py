"""`warnings.catch_warnings` around operations that are recorded: a graph warns when it runs.

    with warnings.catch_warnings():
        y = np.log(x)                       as without the context

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        y = np.log(x)                       as inside `np.errstate(all="ignore")`

    with warnings.catch_warnings(record=True) as found:
        y = np.log(x)                       refused: the list would stay empty

The filters that are in force while an operation is recorded decide.
"""

import warnings
from typing import Any

import numpy as np

from runtime.errors import EffectError, staging_error
from runtime.ir.op import Op, find
from runtime.ir.types import TensorType
from runtime.staging.calls.outside_answers import OutsideAnswers
from runtime.tracing import trace
from runtime.tracing.tensor import apply


class OpenWarnings(list["WarningContext"]):
    """The `catch_warnings` that were entered while the graph is being built, and are open."""


class WarningContext:
    """A `catch_warnings` that is open."""

    def __init__(self, manager: warnings.catch_warnings, recorder: Any):
        self.recorder, self.region = recorder, recorder.region
        self.records = manager._record  # type: ignore[attr-defined]
        self.before = list(manager._filters)  # type: ignore[attr-defined]
        self.ignores = False

    @staticmethod
    def enter(manager: Any, recorder: Any) -> None:
        """Notes that a context has been entered."""
        if isinstance(manager, warnings.catch_warnings):
            recorder.state(OpenWarnings).append(WarningContext(manager, recorder))

    @staticmethod
    def leave(manager: Any, recorder: Any) -> None:
        """Notes that a context is about to be left."""
        is_noted = isinstance(manager, warnings.catch_warnings)
        if is_noted and recorder.state(OpenWarnings).pop().ignores:
            apply(find("leave_errors"))

    def check(self, op: Op, types: tuple) -> None:
        """Raises `StagingError` for an operation whose warnings the context would treat in another
        way than the code around it."""
        if self.ignores or not self.records and self.before == list(warnings.filters):
            return
        is_ignoring = not self.records and _action() == "ignore"
        if is_ignoring and self.recorder.region is self.region:
            self.ignores = True
            settings = self.recorder.state(OutsideAnswers).ask(np.geterr, (), {})
            options = tuple((name, "ignore") for name in settings if settings[name] == "warn")
            apply(find("enter_errors"), options=options)
        elif _may_warn(op, types):
            raise staging_error(
                "an operation that may warn is inside `with warnings.catch_warnings(...)`",
                "The warning comes when a graph runs, and the context is long left then.",
                "Write the `with` around the call of the function; to ignore warnings of NumPy, "
                "write `with np.errstate(all='ignore'):`.",
                EffectError,
            )


def _action() -> str:
    """What the filters say of a warning of NumPy: "" if it depends on its text or place."""
    for action, message, category, module, line in warnings.filters:
        if issubclass(RuntimeWarning, category):
            return action if message is None and module is None and line == 0 else ""
    return ""


def _may_warn(op: Op, types: tuple) -> bool:
    """Whether NumPy may warn: of an error of floats, or because the op is none of plain numbers."""
    is_float = any(isinstance(kind, TensorType) and kind.dtype.kind in "fc" for kind in types)
    return not op.effect and (is_float or op.traits.speculatable is None)


def _check(op: Op, types: tuple, attributes: dict) -> None:
    recorder = trace.current()
    opened = None if recorder is None else recorder.state(OpenWarnings)
    for context in reversed(opened or ()):
        context.check(op, types)


trace.CHECKS.append(_check)
