"""Records host calls: calls that each run makes, with plain values, where the program reaches them.

    if x > limit:
        log.write(f"{x}")         host_call(text, function=host('<TextIOWrapper>.write'), ...)
        q.put([x, "big"])         given=(made(list, (_0, 'big')),)

The function is kept as an object.  For the arguments, see `host_arguments.py`.
"""

import sys
from typing import Any

from autograph.functions.frames import BLOCKS
from autograph.functions.policy import is_skipped
from autograph.functions.rebuild import MADE
from autograph.staging.try_blocks import refuse_call_in_try
from runtime.errors import users_location
from runtime.ir.host import CalledFrom, Caller, Watched, described
from runtime.ir.op import find
from runtime.ir.types import OBJECT, PYTHON_TYPES, STRING, Type, type_of
from runtime.ops.host import converted
from runtime.staging.calls.given_arguments import GivenArguments
from runtime.staging.calls.host_arguments import Arguments
from runtime.staging.calls.host_values import RECORDERS, HostValue
from runtime.staging.calls.natures import OWN, UNKNOWN, nature_of
from runtime.staging.calls.recorded_effects import RecordedEffects
from runtime.staging.calls.refused_arguments import written
from runtime.staging.calls.shared_memory import OF_STATEMENTS, ObjectResults
from runtime.tracing import trace
from runtime.tracing.signature import TensorSpec
from runtime.tracing.tensor import Tensor, apply


def record_host_call(
    function: Any, args: tuple, kwargs: dict, types: tuple[Type, ...], callers: bool = False
) -> Any:
    """Records a call that each run makes; returns its result, None if `types` is empty.

    `callers`: whether the function says where its callers are.  Raises `StagingError` for an
    argument that a run cannot have, and inside a `try` that would see an exception of the call.
    """
    name = function.staged_value if isinstance(function, HostValue) else described(function)
    refuse_call_in_try(name if isinstance(function, HostValue) else written(function))
    arguments = Arguments(name)
    found = arguments.callee(function)
    if not types:
        changed = args[:1] if any(function is one for one in OF_STATEMENTS) else ()
        trace.current().state(RecordedEffects).add(function, *changed)
    trace.current().state(ObjectResults).note_call(function, args, kwargs)
    if callers or isinstance(function, HostValue):
        found = CalledFrom(found, users_callers())
    given = tuple(map(arguments.part, args))
    named = tuple((name, arguments.part(value)) for name, value in kwargs.items())
    if arguments.changeable:
        found = _watched(found, function, arguments.changeable)
    attributes = {"function": found, "given": given, "named": named, "types": types}
    result = apply(find("host_call"), *arguments.operands, **attributes)
    if isinstance(result, HostValue):
        later = [found.later] if isinstance(found, Watched) else []
        method = args[1] if function is getattr else ""
        sources = (*args, *kwargs.values(), function)
        trace.current().state(ObjectResults).note(result, *later, sources=sources, method=method)
    return result


RECORDERS.append(record_host_call)


def _watched(template: Any, function: Any, changeable: list[Any]) -> Watched:
    """The template of a function whose arguments are compared before and after the call."""
    nature = nature_of(function)
    is_unknown = nature.kind in (OWN, UNKNOWN) or nature.is_marked or bool(nature.changed)
    found = Watched(template, users_location(), is_unknown, [])
    trace.current().state(GivenArguments).note(changeable, found.later)
    return found


def host_call(function: Any, *args: Any, like: Any = None, **kwargs: Any) -> Any:
    """Calls a Python function in each run of the graph, with plain values; returns its result.

    Staged arguments arrive as arrays, NumPy scalars and Python scalars.  Calls happen where the
    program reaches them, in order with prints and other effects, also in a staged branch or loop,
    and also if the result is not used.

    `like` is an example of the result, or its type: a number, a string, an array, a
    `rt.TensorSpec`, or one of `bool`, `int`, `float`, `complex`, `str`.  A run raises `TypeError`
    if the function returns something else.  Without `like` the result is any object of Python:
    the graph can pass it to other functions, read its attributes and items, compare and convert it
    (`float(found)`), each of which is a call in the run.

    Where no graph is being built, the function is called at once.

    >>> import runtime as rt
    >>> lookup = {1: 2.5}.get
    >>> double = rt.function(lambda key: 2 * rt.host_call(lookup, key, like=0.0))
    >>> double(1), double(2 - 1)
    (5.0, 5.0)
    """
    if not callable(function):
        raise TypeError(f"rt.host_call takes a function, not {type(function).__name__}")
    types = (OBJECT,) if like is None else (type_like(like),)
    recorder = trace.current()
    if recorder is not None and not recorder.is_eager:
        recorder.state(RecordedEffects).add(function)
        return record_host_call(function, args, kwargs, types)
    return converted(function(*args, **kwargs), types[0], function)


def effect_call(function: Any, *args: Any) -> None:
    """Calls a function of this library in each run, for its effect alone.

    Where no graph is being built, the function is called at once.
    """
    recorder = trace.current()
    if recorder is None or recorder.is_eager:
        function(*args)
        return
    recorder.state(RecordedEffects).add(function)
    record_host_call(function, args, {}, ())


def type_like(like: Any) -> Type:
    """The type of an example, or a type itself."""
    if isinstance(like, TensorSpec):
        return like.type
    if isinstance(like, Tensor):
        return like.type
    if like is str or type(like) is str:
        return STRING
    kind = PYTHON_TYPES.get(like) if isinstance(like, type) else type_of(like)
    if kind is None:
        raise TypeError(
            f"like={like!r} is no example of a result: give a number, a string, an array, or an "
            "rt.TensorSpec; without `like` the result is any object"
        )
    return kind


# -- the frames of the user's code -----------------------------------------------------------------


def users_callers() -> tuple[Caller, ...]:
    """The frames of converted code that are running, the innermost first: one for each function."""
    found = []
    line = None
    frame = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        if not is_skipped(code.co_filename):
            if code not in MADE and found:
                break
            line = line or frame.f_lineno
            if not _is_part(frame):
                found.append(Caller(code.co_filename, code.co_name, line, frame.f_globals))
                line = None
                if code not in MADE:
                    break
        frame = frame.f_back
    return tuple(found)


def _is_part(frame: Any) -> bool:
    """Whether a frame runs a block or an operand of a function, rather than the function."""
    code = frame.f_code
    if code in BLOCKS:
        return True
    is_thunk = code.co_name == "<lambda>" and code.co_argcount == 0
    return is_thunk and frame.f_back is not None and is_skipped(frame.f_back.f_code.co_filename)
