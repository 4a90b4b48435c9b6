"""Refuses a `try` around an exception that only a run can raise: its handler would not see it.

    try:
        if b == 0:                      b is staged: the run raises, when the handler is long gone
            raise ZeroDivisionError
        r = x[i]                        the same holds for operations that may raise
    except (ZeroDivisionError, IndexError):
        r = -1.0

For each instruction, Python records the handler that an exception there would go to; the frames of
converted code are searched from the innermost outwards.  A `with` is no handler.
"""

import builtins
import dis
import sys
from types import FrameType

from autograph.errors import HandledInRunError
from autograph.functions.bytecode import handlers, instructions
from autograph.functions.rebuild import MADE
from autograph.staging.errors import staging_error

LOADS = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FAST", "LOAD_DEREF", "LOAD_FAST_CHECK")
MATCHES = ("CHECK_EXC_MATCH", "CHECK_EG_MATCH")
JUMPS = frozenset((*dis.hasjrel, *dis.hasjabs))
ALWAYS_JUMP = ("JUMP_FORWARD", "JUMP_BACKWARD", "JUMP_BACKWARD_NO_INTERRUPT")
# The first instructions of clean-up code that Python generates, after `except E as e` and in
# generators.
CLEANING = ("COPY", "SWAP", "RERAISE", "CALL_INTRINSIC_1", "WITH_EXCEPT_START")


def refuse_in_try(error: type[BaseException]) -> None:
    """Raises `StagingError` if a handler or `finally` would have to see the exception."""
    if is_handled(error):
        raise staging_error(
            f"{error.__name__}, which only a run can raise, is inside a `try`",
            "Exceptions raised while a graph runs cannot be caught inside it.",
            "Test the condition outside the `try`, or choose the result with `if`.",
            HandledInRunError,
        )


def refuse_call_in_try(name: str) -> None:
    """Raises `StagingError` if a handler or `finally` is around a call that only a run makes."""
    if is_handled(None):
        raise staging_error(
            f"{name}, which each run calls, is inside a `try`",
            "Exceptions raised while a graph runs cannot be caught inside it.",
            "Move the `try` around the call of the function, or into a function marked with "
            "@rt.effect, which each run calls as it is.",
            HandledInRunError,
        )


def refuse_unbound_in_try(name: str) -> None:
    """Raises `StagingError` if a variable is read in a `try` that would see UnboundLocalError.

    Only a run knows whether the variable is bound, and it finds out at the first use.
    """
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if code in MADE and name in (*code.co_varnames, *code.co_cellvars):
            is_read = bool(_accesses(code, name, "LOAD"))
            if _is_read_in_try(frame, name) or is_read and is_handled(UnboundLocalError, frame):
                break
            return
        frame = frame.f_back
    if frame is None:
        return
    raise staging_error(
        f"`{name}`, which a run may find unbound, is read inside a `try`",
        "Exceptions raised while a graph runs cannot be caught inside it.",
        f"Give `{name}` a value on every path, such as None, and test it.",
        HandledInRunError,
    )


def _is_read_in_try(frame, name):
    """Whether a `try` that would see UnboundLocalError reads a variable before it binds it."""
    for handler in handlers(frame.f_code):
        found = _accesses(frame.f_code, name)
        inside = [one.opname for one in found if handler.start <= one.offset < handler.end]
        is_read = bool(inside) and not inside[0].startswith("STORE")
        if is_read and _sees(frame, handler.target, UnboundLocalError):
            return True
    return False


def _accesses(code, name, kind=""):
    """The instructions that read, bind or delete a variable; a block gets it without any."""
    place = "_DEREF" if name in code.co_cellvars else "_FAST"
    return [
        one
        for one in instructions(code)
        if place in one.opname
        and one.opname.startswith(kind)
        and (one.argval == name or type(one.argval) is tuple and name in one.argval)
    ]


def is_handled(error: type[BaseException] | None, start: FrameType | None = None) -> bool:
    """Whether a handler or `finally` of converted code would see such an exception, raised now;
    None: whether it would see any.  Frames inside of `start` do not count."""
    frame = sys._getframe(1) if start is None else start.f_back
    while frame is not None:
        if frame.f_code in MADE:
            for handler in handlers(frame.f_code):
                is_protected = handler.start <= frame.f_lasti < handler.end
                if is_protected and _sees(frame, handler.target, error):
                    return True
        frame = frame.f_back
    return False


def suppressing(frame: FrameType, error: type[BaseException] | None) -> bool:
    """Whether a frame goes on after such an exception at its current instruction; None: after
    any."""
    for handler in handlers(frame.f_code):
        is_protected = handler.start <= frame.f_lasti < handler.end
        goes_on = is_protected and _goes_on(frame.f_code, handler.target)
        if goes_on and _sees(frame, handler.target, error):
            return True
    return False


def _goes_on(code, target):
    """Whether a path from the handler at an offset ends the handling without raising again."""
    found = instructions(code)
    at = {one.offset: index for index, one in enumerate(found)}
    pending, seen = [next(i for i, one in enumerate(found) if one.offset >= target)], set()
    while pending:
        index = pending.pop()
        if index in seen or index >= len(found):
            continue
        seen.add(index)
        one = found[index]
        if one.opname == "POP_EXCEPT":
            if found[index + 1].opname != "RERAISE":
                return True
            continue
        if one.opname in ("RERAISE", "RAISE_VARARGS"):
            continue
        if one.opcode in JUMPS:
            pending.append(at[one.argval])
        if one.opname not in ALWAYS_JUMP:
            pending.append(index + 1)
    return False


def _sees(frame, target, error):
    """Whether the handler at an offset is a `finally`, or an `except` for such an exception."""
    found = instructions(frame.f_code)
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
        following = found[index + 1].argval  # the next clause, if this one does not match
        index = next(i for i, one in enumerate(found) if one.offset >= following)


def _value_of(frame, name):
    for names in (frame.f_locals, frame.f_globals, vars(builtins)):
        if name in names:
            return names[name]
    return None


def _matches(error, kind):
    """Whether `except kind` catches such an exception; a class from a module is assumed to."""
    if error is not None and isinstance(kind, (type, tuple)):
        return issubclass(error, kind)
    return True
