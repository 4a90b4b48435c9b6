"""Code that inspects its callers sees the user's functions, not the blocks made from them.

    sys._getframe(1), inspect.stack()          frames of blocks and operators are skipped
    warnings.warn(..., stacklevel=2)           counts user functions
    logger.info(..., stacklevel=2)

A block's frame has the file, line and name of the function that it was made from.  `calls.py` uses
the functions of this module in place of those that inspect frames.

Only a block or a thunk is between two operators; a lambda with parameters, or one that no operator
has called, is the user's.
"""

import functools
import inspect
import operator
import re
import sys
import warnings
import weakref
from collections.abc import Callable, Iterator
from types import CodeType, FrameType, FunctionType

from autograph.backend import builtin_types, plain_contents, plain_truth, plain_types
from autograph.functions.code_tables import BLOCKS as BLOCKS
from autograph.functions.code_tables import CodeSet, CodeTable
from autograph.functions.policy import PACKAGE
from autograph.functions.quiet import is_quiet, runs_python_for_truth

# The names of functions made from blocks and operands.
GENERATED = re.compile(r"((if|elif|else|loop)_(body|test)|operand)(_\d+)?")


def visible(frame: FrameType | None) -> Iterator[FrameType]:
    """A frame for each function of the original program, from the innermost outwards.

    Of the frames made from one function it is the innermost: that of a block, if one is running,
    since it has the current line.
    """
    innermost = None
    while frame is not None:
        if not is_operator(frame):
            made = _is_made(frame)
            if not (made and frame.f_code.co_name == "<lambda>"):
                innermost = innermost or frame
            if not made:
                yield innermost
                innermost = None
        frame = frame.f_back


def is_operator(frame: FrameType) -> bool:
    """Whether a frame belongs to the converter's own code."""
    code = frame.f_code
    known = _is_ours.get(code)
    if known is None:
        known = _is_ours[code] = code.co_filename.startswith(PACKAGE) or code in _SHIMS
    return known


def _is_made(frame):
    """Whether a frame belongs to a block or thunk."""
    code = frame.f_code
    if code in BLOCKS:
        return True
    if frame.f_back is None or not is_operator(frame.f_back):
        return False
    if frame.f_back.f_code.co_name == "for_stmt":  # it also runs the user's iterators
        return code.co_name.startswith("loop_body")
    is_thunk = code.co_name == "<lambda>" and code.co_argcount == 0
    return is_thunk or bool(GENERATED.fullmatch(code.co_name))  # of a printed file


def hide_operators(error: BaseException) -> None:
    """Removes an operator, and those that it called, from the traceback of an exception.

    The operator calls this in a handler, and then re-raises the exception by a bare `raise`, which
    adds no entry.  What remains are entries of the user's code.
    """
    entry = error.__traceback__
    while entry is not None and is_operator(entry.tb_frame):
        entry = entry.tb_next
    error.__traceback__ = entry


# -- operations on behalf of the user --------------------------------------------------------------

_is_ours: CodeTable[bool] = CodeTable()
_SHIMS = CodeSet()
_shims_of: CodeTable[dict[int, CodeType]] = CodeTable()  # by the place of an instruction


def as_user(operation: Callable, operand, *others) -> Callable:
    """`operation` (`bool`, `iter`, ...), to be called with the operands as the user's code would.

    A warning that an operation on the user's objects issues is reported for the line of its caller,
    which must be the user's line and not one of an operator.  If no user code can run, the result
    is `operation` itself; else a function that calls it from a frame with the user's file, line and
    name.
    """
    kind = type(operand)
    quiet = kind in builtin_types
    if not quiet:
        known = _quiet.get((id(kind), operation))
        quiet = _remembered(kind, operation) if known is None else known
    if quiet and (not others or all(type(other) in builtin_types for other in others)):
        if id(kind) in plain_types:  # operators need not come here again
            if operation is bool:
                if not runs_python_for_truth(kind):  # its method may be staged in another call
                    plain_truth.add(id(kind))
            elif operation is operator.contains:
                plain_contents.add(id(kind))
        return operation
    frame = sys._getframe(2)
    while is_operator(frame):
        frame = frame.f_back
    code, place = frame.f_code, frame.f_lasti
    known = _shims_of.get(code)
    if known is None:
        known = _shims_of[code] = {}
    calling = known.get(place)
    if calling is None:
        calling = known[place] = shim(code.co_filename, code.co_name, frame.f_lineno)
    return functools.partial(FunctionType(calling, frame.f_globals), operation)


_quiet: dict[tuple[int, Callable], bool] = {}  # by the identity of the type, and the operation


def _remembered(kind, operation):
    """Whether an operation on objects of a type is quiet, as it is when it is first asked."""
    key = id(kind), operation
    weakref.finalize(kind, _quiet.pop, key, None).atexit = False
    found = _quiet[key] = is_quiet(kind, operation)
    return found


@functools.lru_cache(1024)
def shim(filename: str, name: str, lineno: int) -> CodeType:
    """The code of a function that calls its first argument, on one of the user's lines."""
    units, table = len(_CALLING.co_code) // 2, b""
    while units:
        covered = min(units, 8)  # by an entry: its kind, and the difference of the lines
        table += bytes((0x80 | _WITHOUT_COLUMNS << 3 | covered - 1, 0))
        units -= covered
    placed = _CALLING.replace(
        co_filename=filename,
        co_name=name,
        co_qualname=name,
        co_firstlineno=lineno,
        co_linetable=table,
    )
    _SHIMS.add(placed)
    return placed


_CALLING = (lambda operation, *operands: operation(*operands)).__code__
_WITHOUT_COLUMNS = 13  # the kind of a location entry, in the format of CPython 3.11 and later


# -- replacements of functions that inspect frames -------------------------------------------------

_instead: dict[str, Callable[[Callable], Callable]] = {}


def instead_of(function: Callable) -> Callable | None:
    """The replacement of a function that inspects frames, else None."""
    make = _instead.get(f"{function.__module__}.{function.__qualname__}")
    return None if make is None else make(function)


def replace_everywhere(function: Callable, replacement: Callable) -> None:
    """Makes converted code call `replacement` for a function of a library, staged or not."""
    _instead[f"{function.__module__}.{function.__qualname__}"] = lambda original: replacement


def _replaces(name):
    """Registers a function as the replacement of the one with this module and qualified name."""

    def register(function):
        _instead[name] = lambda original: function
        return function

    return register


def _nth(depth, error):
    """The n-th visible frame outwards from the caller of the caller.

    For the caller itself it is the frame of the function, whose `f_back` is its caller's frame.
    """
    caller = sys._getframe(2)
    if depth == 0:
        while is_operator(caller) or _is_made(caller):
            caller = caller.f_back
        return caller
    for i, frame in enumerate(visible(caller)):
        if i == depth:
            return frame
    raise ValueError(error)


@_replaces("sys._getframe")
def getframe(depth=0, /):
    """`sys._getframe`"""
    return _nth(max(depth, 0), "call stack is not deep enough")


@_replaces("sys._getframemodulename")
def getframemodulename(depth=0):
    """`sys._getframemodulename`"""
    for i, frame in enumerate(visible(sys._getframe(1))):
        if i == max(depth, 0):
            return frame.f_globals.get("__name__")
    return None


@_replaces("inspect.currentframe")
def currentframe():
    """`inspect.currentframe`"""
    return _nth(0, "no frame")


@_replaces("inspect.stack")
def stack(context=1):
    """`inspect.stack`"""
    return getouterframes(sys._getframe(1), context)


@_replaces("inspect.getouterframes")
def getouterframes(frame, context=1):
    """`inspect.getouterframes`"""
    shown = set(visible(frame))
    return [found for found in inspect.getouterframes(frame, context) if found.frame in shown]


@_replaces("_warnings.warn")
def warn(message, category=None, stacklevel=1, source=None, **options):
    """`warnings.warn`"""
    level = _real_level(stacklevel, sys._getframe(1), _is_internal)
    warnings.warn(message, category, level, source, **options)


def _is_internal(frame):
    """Whether `warnings` skips a frame, as it does those of the import system."""
    name = frame.f_code.co_filename
    return "importlib" in name and "_bootstrap" in name


def _real_level(level, caller, skipped):
    """The stack level of the frame at a level of visible frames; that of the caller is 1."""
    wanted = next((f for i, f in enumerate(visible(caller), 1) if i == level), None)
    if level < 1:
        return level
    real, frame = 1, caller
    while frame is not None:
        real += not skipped(frame)
        if frame is wanted:
            return real
        frame = frame.f_back
    return real + 1


def _log(function, *args, stacklevel=1, **kwargs):
    """A function or method of `logging`, which counts the frames outside of its own module."""
    level = _real_level(stacklevel, sys._getframe(1), lambda frame: False)
    return function(*args, stacklevel=level, **kwargs)


for _name in ("debug", "info", "warning", "error", "exception", "critical", "log"):
    for _owner in ("logging", "logging.Logger", "logging.LoggerAdapter"):
        _instead[f"{_owner}.{_name}"] = functools.partial(functools.partial, _log)

# The last names of the functions that are replaced.
NAMES = frozenset(name.rpartition(".")[2] for name in _instead)
