"""Calls of functions that are kept as they are: `@autograph.do_not_convert`.

    y = scaled(x)       recorded with staged values, if it neither inspects them nor prints
    y = checked(x)      others: a call of each run, with plain arrays

If a recording shows that one needs the values, the graph is recorded again, with calls of it
(`function/recorded_again.py`).
"""

from types import FunctionType
from typing import Any

from autograph.conversion.converter import is_kept
from autograph.staging.try_blocks import refuse_call_in_try
from runtime.errors import EffectError, staging_error
from runtime.ir.host import described
from runtime.ir.slot import Slot
from runtime.ir.types import OBJECT
from runtime.staging.calls import gate, library_gate
from runtime.staging.calls.host_arguments import closure_of
from runtime.staging.calls.library_calls import LibraryCall
from runtime.staging.calls.library_gate import LibraryGate
from runtime.staging.calls.natures import NATURE_OF_UNKNOWN, OWN, nature_of
from runtime.staging.calls.package_calls import PackageCalls, identity, is_in
from runtime.staging.calls.refused_arguments import written
from runtime.staging.calls.users_functions import asks_nothing, changes_outside
from runtime.staging.staged_values import holds_staged

gate.FILES.add(__file__)


def gated(function: Any, known: Any) -> Any:
    """The callable to use in place of `function`, for which the runtime has `known`."""
    is_plain = known is function or isinstance(function, type)
    if is_plain and is_kept(function) and nature_of(function).kind == OWN:
        return KeptGate(function, known, NATURE_OF_UNKNOWN)
    return library_gate.gated(function, known)


class KeptGate(LibraryGate):
    """A function, method, class or object of the user that is kept as it is."""

    __slots__ = ()

    def _unknown(self, args, kwargs, recorder):
        if isinstance(self.function, FunctionType):
            held = (args, kwargs, closure_of(self.function))
        else:
            held = (args, kwargs, getattr(self.function, "__self__", self.function))
        if not holds_staged(held):
            return self.now(args, kwargs)
        calls, known = recorder.state(PackageCalls), identity(self.function)
        if is_in(known, calls.called) or not asks_nothing(self.function):
            return self.in_each_run(args, kwargs)
        try:
            return self.now(args, kwargs)
        except BaseException:
            calls.note_failed(known, ())
            raise

    def in_each_run(self, args, kwargs):
        refuse_call_in_try(written(self.function))
        if changes_outside(self.function):
            raise staging_error(
                f"{described(self.function)}, which is not converted, changes something outside of "
                "itself",
                "Each run calls it with plain values; the graph would not see the change.",
                "Let it return the new value, or leave out @autograph.do_not_convert.",
                EffectError,
            )
        call = LibraryCall(self.function, args, kwargs)
        return call.record((OBJECT,), Slot(0), is_pure=False, trusted=False)
