"""Exceptions that come into a program from beside it, between two of its instructions.

    def ring(number, frame):                    a handler of a signal: a test that takes too long
        raise TimeoutError("ten seconds are over")
    signal.signal(signal.SIGALRM, ring)

A handler of signals and a function that traces (a debugger that quits) are called with
the frame that they interrupt.  What they raise is no exception of the program that is being staged,
wherever it arrives.  A handler of the user's own in the staged function may still take it, as it
does in Python.  Other calls are not interrupted, so such a recording holds for that call only.
"""

import inspect
from contextvars import ContextVar
from types import FrameType, TracebackType

from autograph.functions.bytecode import opname_at


def is_interruption(error: BaseException) -> bool:
    """Whether an exception interrupted a program instead of being raised by it."""
    entry = error.__traceback__
    while entry is not None and entry.tb_next is not None:
        if _is_given(entry.tb_frame, entry.tb_next):
            return True
        entry = entry.tb_next
    return False


def _is_given(frame: FrameType, entry: TracebackType) -> bool:
    """Whether the call of a traceback's entry was given the frame."""
    code = entry.tb_frame.f_code
    names = code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & inspect.CO_VARARGS)
    variables = entry.tb_frame.f_locals
    for value in map(variables.get, code.co_varnames[:names]):
        if value is frame or type(value) is tuple and any(one is frame for one in value):
            return True
    return False


_taken: ContextVar[int] = ContextVar("interruptions that handlers have taken", default=0)


def note_taken(error: BaseException) -> None:
    """Notes that a handler of the user's takes an exception, if that is an interruption."""
    is_ctrl_c = isinstance(error, KeyboardInterrupt) and not _is_raised(error)
    if is_ctrl_c or is_interruption(error):
        _taken.set(_taken.get() + 1)


def taken() -> int:
    """How many interruptions handlers have taken so far."""
    return _taken.get()


def _is_raised(error: BaseException) -> bool:
    """Whether a `raise` statement has raised an exception."""
    entry = error.__traceback__
    while entry is not None and entry.tb_next is not None:
        entry = entry.tb_next
    opname = "" if entry is None else opname_at(entry.tb_frame.f_code, entry.tb_lasti)
    return opname in ("RAISE_VARARGS", "RERAISE")
