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
from collections.abc import Callable, Iterable
from types import CodeType, FrameType

from autograph.errors import HandledInRunError
from autograph.functions.bytecode import handlers, instructions
from autograph.functions.code_tables import once_per_code
from autograph.functions.frames import BLOCKS
from autograph.functions.policy import is_left_alone, is_users_file
from autograph.functions.rebuild import MADE
from autograph.staging.errors import staging_error

LOADS = ("LOAD_GLOBAL", "LOAD_NAME", "LOAD_FAST", "LOAD_DEREF", "LOAD_FAST_CHECK")
# Instructions of the expression after `except`.
PARTS_OF_CLASSES = (*LOADS, "LOAD_ATTR", "BUILD_TUPLE", "PUSH_NULL", "NOP")
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
            if _is_read_by_function_in_try(frame, name):
                break
            if _is_deleted(frame, name):
                raise _deleted(name)
            return
        frame = frame.f_back
    if frame is not None:
        raise _read_in_try(name)


def _read_in_try(name):
    return staging_error(
        f"`{name}`, which a run may find unbound, is read inside a `try`",
        "Exceptions raised while a graph runs cannot be caught inside it.",
        f"Give `{name}` a value on every path, such as None, and test it.",
        HandledInRunError,
    )


def refuse_unbound_in_with(is_unbound: Callable[[object], bool]) -> None:
    """Raises `StagingError` if the `with` that is being entered, which suppresses NameError, reads
    a variable that a run may find unbound."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code not in MADE:
        frame = frame.f_back
    if frame is None:
        return
    code, held = frame.f_code, frame.f_locals
    rows = [one for one in handlers(code) if one.start > frame.f_lasti]
    inside = next((one for one in rows if _is_of_with(code, one.target)), None)
    for name in code.co_varnames + code.co_cellvars if inside is not None else ():
        offsets = [one.offset for one in _accesses(code, name, "LOAD")]
        is_read = any(inside.start <= offset < inside.end for offset in offsets)
        if is_read and name in held and is_unbound(held[name]):
            raise _read_in_try(name)


def _deleted(name):
    return staging_error(
        f"`{name}`, which a run may find unbound, is deleted",
        "Whether a variable is bound must be known while the graph is being built.",
        f"Give `{name}` a value on every path.",
        HandledInRunError,
    )


def _is_of_with(code, target):
    """Whether a handler is that of a `with`."""
    found = [one.opname for one in instructions(code) if one.offset >= target][:2]
    return "WITH_EXCEPT_START" in found


def _is_read_in_try(frame, name):
    """Whether a `try` that would see UnboundLocalError reads a variable before it binds it."""
    for handler in handlers(frame.f_code):
        found = _accesses(frame.f_code, name)
        inside = [one.opname for one in found if handler.start <= one.offset < handler.end]
        is_read = bool(inside) and not inside[0].startswith("STORE")
        if is_read and _is_seen(frame, handler.target, UnboundLocalError):
            return True
    return False


def _is_read_by_function_in_try(frame, name):
    """Whether a nested function of the user reads or deletes a variable, and a `try` around that,
    or around a call of it, would see NameError."""
    nested = [one for one in frame.f_code.co_consts if isinstance(one, CodeType)]
    reading = [one for one in nested if one not in BLOCKS and _reads_free(one, name)]
    return bool(reading) and any(
        _is_seen(frame, handler.target, NameError, code)
        for code in (frame.f_code, *reading)
        for handler in handlers(code)
        if not _is_of_with(code, handler.target)
    )


def _reads_free(code, name):
    if name not in code.co_freevars:
        return False
    kinds = ("LOAD_DEREF", "DELETE_DEREF", "LOAD_CLASSDEREF", "LOAD_FROM_DICT_OR_DEREF")
    is_here = any(one.opname in kinds and one.argval == name for one in instructions(code))
    nested = (one for one in code.co_consts if isinstance(one, CodeType))
    return is_here or any(_reads_free(one, name) for one in nested)


def _is_deleted(frame, name):
    """Whether the next statement that binds or deletes a variable deletes it."""
    following = [one for one in _accesses(frame.f_code, name) if one.offset > frame.f_lasti]
    kinds = [one.opname for one in following if not one.opname.startswith("LOAD")]
    return bool(kinds) and kinds[0].startswith("DELETE")


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
    """Whether a handler or `finally` of converted code would see such an exception, raised now, or
    code of a library that converted code has called goes on after it; None: whether converted code
    would see any.  Frames inside of `start` do not count."""
    return bool(handled_among((error,), sys._getframe(1) if start is None else start.f_back))


def handled_among(
    errors: Iterable[type[BaseException] | None], start: FrameType | None = None
) -> list[type[BaseException] | None]:
    """The exceptions among some for which `is_handled` holds, in frames from `start` on."""
    frame = sys._getframe(1) if start is None else start
    left, found = list(errors), []
    goes_on = set()  # in a library
    while frame is not None and left:
        if _may_handle(frame.f_code):
            if frame.f_code in MADE:
                target = _target(frame.f_code, frame.f_lasti)
                seen = [
                    one
                    for one in left
                    if one in goes_on or target is not None and _is_seen(frame, target, one)
                ]
                found += seen
                left = [one for one in left if one not in seen]
            elif _is_of_library(frame):
                goes_on |= {one for one in left if one is not None and suppressing(frame, one)}
        frame = frame.f_back
    return found


@once_per_code
def _may_handle(code):
    """Whether code is converted, or has a handler: most code of a stack is and has none."""
    return code in MADE or bool(handlers(code))


def _is_of_library(frame):
    """Whether a frame is code of a library, such as `ChainMap.__getitem__`; `contextlib` raises
    again what it catches."""
    filename = frame.f_code.co_filename
    is_others = is_left_alone(filename) or is_users_file(filename)
    return not is_others and frame.f_globals.get("__name__") != "contextlib"


def suppressing(frame: FrameType, error: type[BaseException] | None) -> bool:
    """Whether a frame goes on after such an exception at its current instruction; None: after
    any."""
    return _is_seen_by(_ending(frame.f_code), frame, error)


def replacing(frame: FrameType, error: type[BaseException] | None) -> bool:
    """Whether a frame goes on after such an exception, or raises another one instead."""
    return _is_seen_by(_ending(frame.f_code) | _raising(frame.f_code), frame, error)


def _is_seen_by(targets, frame, error):
    """Whether one of some handlers would see an exception at the current instruction."""
    if not targets:
        return False
    first = _target(frame.f_code, frame.f_lasti)
    return any(one in targets and _sees(frame, one, error) for one in _targets(frame.f_code, first))


def _target(code, offset):
    """The handler that an exception at an instruction goes to, or None."""
    rows = (one.target for one in handlers(code) if one.start <= offset < one.end)
    return next(rows, None)


def _targets(code, target):
    """A handler, and those that an exception goes to that the handler does not stop."""
    passed = set()
    while target is not None and target not in passed:
        passed.add(target)
        yield target
        target = _target(code, target)


def _is_seen(frame, target, error, code=None):
    """Whether a handler, or one around it, would see such an exception: a handler of the frame's
    code, or of the `code` of a function inside."""
    code = frame.f_code if code is None else code
    return any(_sees(frame, one, error, code) for one in _targets(code, target))


@once_per_code
def _ending(code):
    """The offsets of the handlers after which code may go on."""
    return frozenset(one for one in {row.target for row in handlers(code)} if _goes_on(code, one))


@once_per_code
def _raising(code):
    """The offsets of the handlers that may raise an exception of their own."""
    targets = {row.target for row in handlers(code)}
    return frozenset(one for one in targets if _goes_on(code, one, raises=True))


def _goes_on(code, target, raises=False):
    """Whether a path from the handler at an offset ends the handling without raising again; with
    `raises`, whether one raises another exception."""
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
            if found[index + 1].opname != "RERAISE" and not raises:
                return True
            continue
        if one.opname in ("RERAISE", "RAISE_VARARGS"):
            if raises and one.opname == "RAISE_VARARGS" and one.arg:
                return True
            continue
        if one.opcode in JUMPS:
            pending.append(at[one.argval])
        if one.opname not in ALWAYS_JUMP:
            pending.append(index + 1)
    return False


def _sees(frame, target, error, code=None):
    """Whether the handler at an offset is a `finally`, or an `except` for such an exception."""
    found = instructions(frame.f_code if code is None else code)
    index = next(i for i, one in enumerate(found) if one.offset >= target)
    index += found[index].opname == "PUSH_EXC_INFO"
    if _is_of_groups(found[index:]):
        return _sees_group(frame, found[index:], error)
    while True:
        first = found[index].opname
        if first in CLEANING or first == "LOAD_CONST" and "DELETE" in found[index + 2].opname:
            return False
        kinds = []
        while found[index].opname in PARTS_OF_CLASSES:
            if found[index].opname in LOADS:
                kinds.append(_value_of(frame, found[index].argval))
            index += 1
        if found[index].opname not in MATCHES:
            return True  # a bare `except`, or `finally`
        if any(kind is None or _matches(error, kind) for kind in kinds):
            return True
        following = found[index + 1].argval  # the next clause, if this one does not match
        index = next(i for i, one in enumerate(found) if one.offset >= following)


def _is_of_groups(found):
    """Whether a handler begins with a clause `except*`."""
    names = [one.opname for one in found if one.opname not in PARTS_OF_CLASSES]
    return names[:4] == ["COPY", "BUILD_LIST", "SWAP", "CHECK_EG_MATCH"] or names[:3] == [
        *("BUILD_LIST", "COPY", "CHECK_EG_MATCH")
    ]


def _sees_group(frame, found, error):
    """Whether a clause `except*` takes such an exception, or a part of such a group."""
    if error is None or issubclass(error, BaseExceptionGroup):
        return True
    kinds = []
    for one in found:
        if one.opname in LOADS:
            kinds.append(_value_of(frame, one.argval))
        elif one.opname == "CHECK_EG_MATCH":
            if not kinds or any(kind is None or _matches(error, kind) for kind in kinds):
                return True
            kinds = []
        elif one.opname not in PARTS_OF_CLASSES:
            kinds = []
        if one.opname == "PREP_RERAISE_STAR" or one.argval == "INTRINSIC_PREP_RERAISE_STAR":
            return False
    return False


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
