"""Records host calls: calls that each run makes, with plain values, where the program reaches them.

    if x > limit:
        log.write(f"{x}")         host_call(text, function=host('<TextIOWrapper>.write'), ...)
        q.put([x, "big"])         given=(made(list, (_0, 'big')),)

The function is kept as an object.  Of the arguments, staged values become operands; containers that
hold some, or that the function has created, are created by each run; other objects are kept.
"""

import sys
from types import (
    AsyncGeneratorType,
    BuiltinFunctionType,
    CoroutineType,
    FunctionType,
    GeneratorType,
    MethodType,
)
from typing import Any

import numpy as np

from autograph.errors import with_article
from autograph.functions.frames import BLOCKS
from autograph.functions.policy import is_skipped, is_users_class
from autograph.functions.rebuild import MADE
from autograph.staging.dunder_methods import NewObjects
from autograph.staging.object_state import attributes
from autograph.staging.try_blocks import refuse_call_in_try
from runtime.errors import EffectError, staging_error, users_location
from runtime.ir.host import (
    CalledFrom,
    Caller,
    Host,
    Kept,
    Made,
    MadeFunction,
    Method,
    Stream,
    Watched,
    described,
)
from runtime.ir.op import find
from runtime.ir.pytree import flatten
from runtime.ir.slot import Slot
from runtime.ir.types import OBJECT, PYTHON_TYPES, STRING, Type, type_of
from runtime.ops.host import converted, itself
from runtime.staging.calls.given_arguments import GivenArguments, is_changeable
from runtime.staging.calls.host_values import RECORDERS, HostValue, asked
from runtime.staging.calls.made_objects import MadeObjects
from runtime.staging.calls.natures import OWN, UNKNOWN, nature_of
from runtime.staging.calls.package_objects import is_package_object
from runtime.staging.calls.recorded_effects import MadeWhileRecording, RecordedEffects
from runtime.staging.calls.refused_arguments import written
from runtime.staging.calls.shared_memory import OF_STATEMENTS, ObjectResults
from runtime.staging.chosen import Chosen
from runtime.staging.containers import StagedContainer
from runtime.staging.control_flow.cond import object_or_none
from runtime.staging.lists.forms import refuse_forms
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.staging.staged_values import holds_staged
from runtime.tracing import trace
from runtime.tracing.array_like import ArrayLike, read
from runtime.tracing.call_values import CallValues
from runtime.tracing.maybe import MaybeNone, MaybeUnbound
from runtime.tracing.signature import TensorSpec
from runtime.tracing.tensor import Tensor, apply

STREAMS = ("stdin", "stdout", "stderr")
LAZY = (GeneratorType, CoroutineType, AsyncGeneratorType, map, filter, zip, enumerate)
COPIED = (set, frozenset, bytearray)


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
    >>> double(1), double(np.int64(1))
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


class Arguments:
    """The operands of a call, and the templates of its arguments."""

    def __init__(self, name: str):
        self.name = name
        self.operands: list[Any] = []
        self.changeable: list[Any] = []  # the arguments of which the function gets copies
        self.changes_objects = True  # unless it is known to be pure

    def callee(self, function: Any) -> Any:
        """The template of the function."""
        owner = getattr(function, "__self__", None)
        if isinstance(function, HostValue):
            return self.part(function)
        stream = _stream(owner)
        if stream is not None:
            return Method(stream, function.__name__)
        if owner is not None and _is_made_here(owner):
            made = self.part(owner)
            return Host(function) if isinstance(made, Host) else Method(made, function.__name__)
        if owner is not None and not isinstance(owner, (type, type(sys))):
            self.refuse_new(owner)
        found = self.part(function) if isinstance(function, FunctionType) else None
        if owner is None and not isinstance(function, (FunctionType, BuiltinFunctionType, type)):
            self.refuse_new(function)
        return found if isinstance(found, MadeFunction) else Host(function)

    def part(self, value: Any) -> Any:
        """The template of an argument."""
        if isinstance(value, MaybeUnbound):
            value.check_bound()
            value = value.__unchecked__()
        if isinstance(value, (MaybeNone, MaybeNoneObject)):
            value = object_or_none(value)
        if isinstance(value, Chosen):
            value = value.each(lambda one: asked(itself, one))
        if isinstance(value, ArrayLike):
            value = read(value)
        if isinstance(value, (Tensor, np.ndarray)):
            return self.operand(value)
        if isinstance(value, StagedContainer):
            raise value.refused("a copy")
        if isinstance(value, TraceList):
            self.watch(value)
            contents = value.contents()
            if isinstance(contents, Tensor):
                refuse_forms(contents.type, "an argument of a call that each run makes")
                return self.operand(contents)
            return Made(list, (), tuple(map(self.part, contents)))
        if type(value) in (bool, int, float, complex, str, bytes, type(None), type(...)):
            return value
        return self.object(value)

    def operand(self, value: Any) -> Slot | Kept:
        """The slot of a staged value or array."""
        self.operands.append(value)
        self.watch(value)
        is_object = isinstance(value, HostValue)
        return (Kept if is_object else Slot)(len(self.operands) - 1)

    def watch(self, value: Any) -> None:
        """Notes that the function gets a copy of a value that the program may change."""
        if is_changeable(value):
            self.changeable.append(value)

    def object(self, value: Any) -> Any:
        """The template of a container, or of an object that graphs do not hold."""
        kind = type(value)
        if kind in (list, tuple) or isinstance(value, tuple) and hasattr(kind, "_fields"):
            self.watch(value)
            return Made(kind, (), tuple(map(self.part, value)))
        if kind is dict:
            self.watch(value)
            keys = tuple(map(self.part, value))
            return Made(dict, keys, tuple(map(self.part, value.values())))
        if kind is slice:
            return Made(slice, (), tuple(map(self.part, (value.start, value.stop, value.step))))
        if kind in COPIED and not holds_staged(tuple(value)):
            self.watch(value)
            return Made(kind, (), tuple(map(self.part, value)))
        if isinstance(value, LAZY):
            if kind is CoroutineType:
                value.close()  # else Python warns that nothing awaits it
            raise staging_error(
                f"{with_article(kind.__name__)} is an argument of {self.name}, which each run "
                "calls",
                "It was made while the graph was being built, and the first run would use it up.",
                "Pass a list, or make it in a function marked with @rt.effect.",
                EffectError,
            )
        return self.kept(value)

    def kept(self, value: Any) -> Any:
        """The template of an object that is the same in every run."""
        stream = _stream(value)
        if stream is not None:
            return stream
        if isinstance(value, FunctionType):
            self.refuse_staged(value, closure_of(value))
        elif isinstance(value, MethodType) and not isinstance(value.__self__, type):
            made = self.part(value.__self__)
            return Host(value) if isinstance(made, Host) else Method(made, value.__name__)
        elif is_users_class(type(value)) and not isinstance(value, type):
            held = tuple(attributes(value).values())
            if id(value) in trace.current().state(NewObjects):
                self.watch(value)
                return Made(type(value), tuple(attributes(value)), tuple(map(self.part, held)))
            self.refuse_staged(value, held)
        self.refuse_new(value)
        return Host(value)

    def refuse_staged(self, value: Any, held: tuple) -> None:
        """Raises `StagingError` if an object holds staged values, which it will not have in a
        run."""
        if any(map(holds_staged, held)):
            raise staging_error(
                f"{with_article(type(value).__name__)} that holds staged values is an argument of "
                f"{self.name}, which each run calls",
                "The run writes into the object when it has ended.",
                "Pass the values themselves.",
                EffectError,
            )

    def refuse_new(self, value: Any) -> None:
        """Raises `StagingError` for an object of which each run should have its own."""
        made = trace.current().state(MadeObjects)
        for one in made.reached_from(value) if self.changes_objects else ():
            made.need_own(one, f"is given to {self.name}, which each run calls")
        if is_package_object(value):
            made.hand(value)
        made.note_used(value, f"is used by {self.name}, which each run calls")
        if id(value) in trace.current().state(MadeWhileRecording):
            name = type(value).__qualname__
            raise staging_error(
                f"{self.name} is to be called by each run, with {with_article(name)} that was made "
                "while the graph was being built",
                f"Each call of the function would make its own {name}; the graph has only one.",
                f"Create it outside of the function, or in each run: rt.host_call({name}, ...).",
                EffectError,
            )


def holds_made(owner: Any) -> bool:
    """Whether an object of the user's holds staged values that the code being recorded has put
    there.  Others, which are arrays of its own, it holds again when the graph runs."""
    if isinstance(owner, type) or not is_users_class(type(owner)):
        return False
    captured = trace.current().state(CallValues).captured
    held = flatten(list(attributes(owner).values()))[0]
    return any(isinstance(one, Tensor) and one._value not in captured for one in held)


def _is_made_here(owner: Any) -> bool:
    """Whether an object of the user's was made, or got staged values, while the graph is built."""
    return id(owner) in trace.current().state(NewObjects) or holds_made(owner)


def closure_of(function: FunctionType) -> tuple:
    held = []
    for cell in function.__closure__ or ():
        try:
            held.append(cell.cell_contents)
        except ValueError:
            continue
    return tuple(held)


def _stream(value: Any) -> Stream | None:
    """A standard stream that the user's code has just looked up in `sys`."""
    for name in STREAMS:
        if value is not None and value is getattr(sys, name):
            frame = sys._getframe(1)
            while frame.f_back is not None and is_skipped(frame.f_code.co_filename):
                frame = frame.f_back
            return Stream(name) if name in frame.f_code.co_names else None
    return None


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
