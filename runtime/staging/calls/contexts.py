"""`with` around operations that are recorded, where the context is entered at recording.

    with redirect_stdout(text):         entered and left while the graph is being built ...
        if x > limit:
            print(x)                    ... but each run prints: refused

    with Tolerant():                    its `__exit__` returns True: it would suppress what a run
        y = z[i]                        raises, when it is long left: refused

A context that only the user's own code implements is like any other code of theirs.  One that
replaces a standard stream, and one of a library, changes what calls inside it do.
"""

import sys
from collections.abc import Callable
from concurrent.futures import Executor
from contextlib import ExitStack, _GeneratorContextManager, contextmanager, nullcontext, suppress
from io import IOBase
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from autograph.errors import with_article
from autograph.functions.bytecode import instructions
from autograph.functions.policy import is_users_class, is_users_function
from autograph.staging.dunder_methods import original_method
from autograph.staging.heap_diff import HeapSnapshot
from autograph.staging.held_objects import leads_to_user
from autograph.staging.try_blocks import replacing
from runtime.analyses.exceptions import may_raise
from runtime.errors import EffectError, HandledInRunError, staging_error
from runtime.ir.op import Op
from runtime.ir.traits import Effect
from runtime.ir.types import is_array
from runtime.ops.host import host_call
from runtime.ops.impure import ask
from runtime.ops.strings import text
from runtime.staging.calls.effect_table import table
from runtime.staging.calls.host_values import HostValue
from runtime.staging.calls.recorded_effects import MadeWhileRecording
from runtime.staging.calls.warning_contexts import WarningContext
from runtime.staging.control_flow.try_blocks import is_left_to_python
from runtime.staging.staged_values import holds_staged
from runtime.tracing import trace
from runtime.tracing.tensor import Tensor

HARMLESS = (suppress, nullcontext, np.errstate, Tensor, HostValue)
QUIET = ("pure", "iterator", "frame", "reads")
CONTEXT_HELPER = contextmanager(lambda: None).__code__
PRINT_OPTIONS = np.printoptions.__wrapped__  # type: ignore[attr-defined]


class OpenContexts(list["ObservedContext"]):
    """The contexts that were entered while the graph is being built, and are not left yet."""


class LeavingContexts(list["ObservedContext"]):
    """The contexts that are being left."""


class ObservedContext:
    """A context that tells the recorder when it is open."""

    def __init__(self, manager: Any, recorder: Any):
        self.manager, self.recorder, self.name = manager, recorder, _named(manager)
        self.changes_calls = _is_of_library(manager, recorder)
        self.changes_texts = getattr(manager, "func", None) is PRINT_OPTIONS
        self.catches: Callable[[type[BaseException] | None], bool] = _nothing
        self.may_fail = False  # whether a run may raise an exception inside

    def __enter__(self) -> Any:
        streams = (sys.stdin, sys.stdout, sys.stderr)
        found = type(self.manager).__enter__(self.manager)
        now = (sys.stdin, sys.stdout, sys.stderr)
        self.changes_calls |= any(a is not b for a, b in zip(streams, now, strict=True))
        self.catches = _caught_by(self.manager)
        WarningContext.enter(self.manager, self.recorder)
        self.recorder.state(OpenContexts).append(self)
        return found

    def __exit__(self, *error: Any) -> Any:
        opened = self.recorder.state(OpenContexts)
        opened[:] = [one for one in opened if one is not self]
        WarningContext.leave(self.manager, self.recorder)
        if not self.may_fail:
            return type(self.manager).__exit__(self.manager, *error)
        leaving, heap = self.recorder.state(LeavingContexts), HeapSnapshot(roots=(self.manager,))
        leaving.append(self)
        try:
            return type(self.manager).__exit__(self.manager, *error)
        finally:
            leaving.pop()
            if any(holds_staged(slot.after) for slot in heap.changes()):
                raise _missed(self)


def observed(manager: Any) -> Any:
    """The context manager to enter in place of one that is entered at recording."""
    recorder = trace.current()
    kind = type(manager)
    if recorder is None or recorder.is_eager or isinstance(manager, HARMLESS):
        return manager
    is_context = hasattr(kind, "__enter__") and hasattr(kind, "__exit__")
    is_ours = kind.__module__.partition(".")[0] in ("autograph", "runtime")
    return ObservedContext(manager, recorder) if is_context and not is_ours else manager


def is_of_users_generator(manager: Any) -> bool:
    """Whether a context manager was made from a generator function of the user."""
    return isinstance(manager, _GeneratorContextManager) and leads_to_user(manager.func)


def _is_of_library(manager: Any, recorder: Any) -> bool:
    """Whether the code that enters and leaves a context is a library's, and may have an effect."""
    kind = type(manager)
    definer = next(one for one in kind.__mro__ if "__enter__" in vars(one))
    if kind is _GeneratorContextManager:
        return not is_of_users_generator(manager)
    if is_users_class(definer):
        return False
    is_new = id(manager) in recorder.state(MadeWhileRecording)
    if isinstance(manager, ExitStack) or is_new and isinstance(manager, (IOBase, Executor)):
        return False  # a stack shows what it enters; a new file or pool changes nothing else
    rules = [table().method(kind, name) for name in ("__enter__", "__exit__")]
    return any(rule is None or rule.kind not in QUIET for rule in rules)


def _nothing(error: type[BaseException] | None) -> bool:
    return False


def _caught_by(manager: Any) -> Callable[[type[BaseException] | None], bool]:
    """A function that says whether a context may suppress an exception (None: any), or raise
    another one instead."""
    if isinstance(manager, _GeneratorContextManager):
        frame = manager.gen.gi_frame
        return _nothing if frame is None else lambda error: replacing(frame, error)
    leave = original_method(type(manager), "__exit__")
    is_known = not is_users_class(type(manager)) and table().method(type(manager), "__exit__")
    if type(leave) is FunctionType and not is_known and not _returns_nothing(leave.__code__):
        return lambda error: True
    return _nothing


def _named(manager: Any) -> str:
    is_generator = isinstance(manager, _GeneratorContextManager)
    return str(getattr(manager.func if is_generator else type(manager), "__qualname__", "context"))


def _returns_nothing(code: CodeType) -> bool:
    """Whether a function returns a constant that is false, on each path, and raises nothing."""
    found = instructions(code)
    if any(one.opname == "RAISE_VARARGS" for one in found):
        return False
    for before, one in zip([None, *found], found, strict=False):
        if one.opname == "RETURN_CONST" and one.argval:
            return False
        is_constant = before is not None and before.opname == "LOAD_CONST" and not before.argval
        if one.opname == "RETURN_VALUE" and not is_constant:
            return False
    return True


def _missed(context: ObservedContext) -> BaseException:
    return staging_error(
        f"{with_article(context.name)} has an effect in each run when it is left, and an operation "
        "inside may raise",
        "If it raises in a run, the context is not left: that happened while the graph was built.",
        "Write the `with` around the call of the function, or test the condition before.",
        HandledInRunError,
    )


def _refuse_in_context(op: Op, types: tuple, attributes: dict) -> None:
    recorder = trace.current()
    opened = None if recorder is None else recorder.state(OpenContexts)
    leaving = None if recorder is None else recorder.state(LeavingContexts)
    if leaving and op.effect is Effect.EXTERNAL and op is not ask:
        raise _missed(leaving[-1])
    if not opened:
        return
    is_call = op is host_call
    has_effect = op.effect is Effect.EXTERNAL and op is not ask  # random numbers, clocks
    is_text = op is text and any(map(is_array, types))
    stated = attributes.get("error") if op.effect is Effect.RAISES else None
    raised = (*may_raise(op, types, attributes), *((stated,) if stated else ()))
    for context in reversed(opened):
        name = context.name
        context.may_fail |= is_call or bool(raised)
        if has_effect and context.changes_calls or is_text and context.changes_texts:
            raise staging_error(
                f"{'a text' if is_text else 'an effect'} that each run has is inside a `with` "
                f"around {with_article(name)}",
                "The context is entered and left while the graph is being built: it is not open "
                "when a graph runs.",
                "Write the `with` around the call of the function, or inside the branch.",
                EffectError,
            )
        kinds = (None, *raised) if is_call else raised
        caught = filter(context.catches, kinds)
        if not all([one and is_left_to_python(one, one is stated) for one in caught]):
            raise staging_error(
                f"an operation that may raise is inside a `with` around {with_article(name)}, "
                "which may suppress the exception or replace it",
                "Exceptions raised while a graph runs cannot be suppressed inside it.",
                "Write the `with` around the call of the function, or test the condition before.",
                HandledInRunError,
            )


trace.CHECKS.append(_refuse_in_context)


# -- generator functions ---------------------------------------------------------------------------


def users_context_manager(function: FunctionType) -> Any:
    """The user's generator function that `contextlib.contextmanager` has made a function of."""
    written = getattr(function, "__wrapped__", None)
    if function.__code__ is not CONTEXT_HELPER or type(written) is not FunctionType:
        return None
    return written if is_users_function(written) else None


def entered_by_with(function: Any, *args: Any, **kwargs: Any) -> Any:
    """The context manager of a generator function that was converted."""
    made = _GeneratorContextManager(function, args, kwargs)
    recorder = trace.current()
    if recorder is not None and not recorder.is_eager:
        recorder.state(MadeWhileRecording)[id(made)] = made
    return made
