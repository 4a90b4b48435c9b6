"""`try` around what only a run of the graph can raise: refused, as no handler is in the graph.

    try:
        if b == 0:                      b is staged: the run raises, and the handler is gone by then
            raise ZeroDivisionError
        r = x[i]                        the same holds for operations that may raise
    except (ZeroDivisionError, IndexError):
        r = -1.0

Python keeps for each instruction the handler that an exception there would go to; the frames of
converted code are looked at from the innermost outwards.  A `with` is no handler.
"""

import builtins
import dis
import sys
from dataclasses import dataclass
from functools import lru_cache

from autograph.functions.rebuild import MADE
from runtime.analyses.exceptions import may_raise
from runtime.errors import staging_error
from runtime.tracing import trace

LOADS = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FAST", "LOAD_DEREF", "LOAD_FAST_CHECK")
MATCHES = ("CHECK_EXC_MATCH", "CHECK_EG_MATCH")
# What Python's own cleaning up begins with, behind `except E as e` and in generators.
CLEANING = ("COPY", "SWAP", "RERAISE", "CALL_INTRINSIC_1", "WITH_EXCEPT_START")


@dataclass
class Refusal:
    """The error of `refuse_in_try`, which the user's own handlers must not hide."""

    error: Exception | None = None


def refuse_in_try(error: type[BaseException]) -> None:
    """Raises `StagingError` where a handler or `finally` would have to see the exception."""
    frame = sys._getframe(1)
    while frame is not None:
        if frame.f_code in MADE:
            for start, end, target in _handlers(frame.f_code):
                if start <= frame.f_lasti < end and _sees(frame, target, error):
                    # Kept as well: the handler may be one for just this error.
                    refusal = trace.current().state(Refusal).error = staging_error(
                        f"{error.__name__}, which only a run can raise, stands in a `try`",
                        "The graph has no handlers: `except` and `finally` would not see it.",
                        "Test the condition outside of the `try`, or choose the result with `if`.",
                    )
                    raise refusal
        frame = frame.f_back


def _refuse_what_may_raise(op, types, attributes):
    for error in may_raise(op, types, attributes):
        refuse_in_try(error)


trace.CHECKS.append(_refuse_what_may_raise)


@lru_cache(1024)
def _handlers(code):
    return [(e.start, e.end, e.target) for e in dis._parse_exception_table(code)]


@lru_cache(1024)
def _instructions(code):
    return [i for i in dis.get_instructions(code) if i.opname not in ("CACHE", "EXTENDED_ARG")]


def _sees(frame, target, error):
    """Whether the handler at an offset is a `finally`, or an `except` for such an exception."""
    found = _instructions(frame.f_code)
    index = next(i for i, one in enumerate(found) if one.offset >= target)
    index += found[index].opname == "PUSH_EXC_INFO"
    while True:
        first = found[index].opname
        if first in CLEANING or first == "LOAD_CONST" and "DELETE" in found[index + 2].opname:
            return False
        kinds = []
        while found[index].opname in (*LOADS, "LOAD_ATTR", "BUILD_TUPLE", "PUSH_NULL", "NOP"):
            if found[index].opname in LOADS:
                kinds.append(_value_of(frame, found[index].argval))
            index += 1
        if found[index].opname not in MATCHES:
            return True  # a bare `except`, or `finally`
        if any(kind is None or _matches(error, kind) for kind in kinds):
            return True
        following = found[index + 1].argval  # where it goes on if this clause is not for it
        index = next(i for i, one in enumerate(found) if one.offset >= following)


def _value_of(frame, name):
    for names in (frame.f_locals, frame.f_globals, vars(builtins)):
        if name in names:
            return names[name]
    return None


def _matches(error, kind):
    """Whether `except kind` is for such an exception; a module's class is taken to be."""
    if isinstance(kind, (type, tuple)):
        return issubclass(error, kind)
    return True
