"""Host calls: calls of Python functions with effects, in the order of the program.

    os.remove(path)              host_call(function=host('os.remove'), given=('a.txt',), types=())
    file.write(f"{x}")           host_call(text, function=..., given=(_0,), types=(object,))
    rt.host_call(f, x, like=0.0) host_call(x, function=..., given=(_0,), types=(float,))

A host call happens in each run in which the program reaches it, with plain values: arrays, NumPy
scalars and Python scalars.  Arrays are copied, since the function may keep them, and the program
uses their memory again.  Nothing is known about the function, so its result is no differentiable
function of the arguments, and has the type that `types` states: `object` is any object of Python.
"""

import functools
import math
import sys
from collections.abc import Callable
from contextvars import ContextVar
from types import FunctionType
from typing import Any

import numpy as np

from autograph.errors import HandledInRunError
from autograph.functions.frames import shim
from autograph.functions.policy import is_skipped
from runtime.ir.derivative import NoDerivative
from runtime.ir.graph import Graph, Node, walk
from runtime.ir.host import Caller, Host, Watched, filled
from runtime.ir.op import Op
from runtime.ir.slot import Slot
from runtime.ir.traits import Effect, Traits
from runtime.ir.types import (
    INT,
    OBJECT,
    STRING,
    PythonType,
    TensorType,
    Type,
    fits,
    is_array,
    type_of,
)
from runtime.ops.answers import noted
from runtime.ops.examples import SCALAR, call
from runtime.ops.watched_arguments import watching


def _evaluate(xp: Any, operands: tuple[Any, ...], attributes: dict[str, Any]) -> Any:
    function = filled(attributes["function"], operands)
    types = attributes["types"]
    found = noted(function, lambda: _called(function, operands, attributes), bool(types))
    return converted(found, types[0], function) if types else None


def _called(function: Any, operands: tuple[Any, ...], attributes: dict[str, Any]) -> Any:
    given = filled(attributes["given"], operands)
    named = {name: filled(part, operands) for name, part in attributes["named"]}
    template = attributes["function"]
    callers = getattr(template, "callers", ())
    if not isinstance(template, Watched):
        return call_from(callers, function, given, named)
    parts = (*attributes["given"], *(part for _, part in attributes["named"]))
    with watching(template, function, parts, (*given, *named.values()), operands):
        return call_from(callers, function, given, named)


def call_from(
    callers: tuple[Caller, ...], function: Callable[..., Any], args: tuple, kwargs: dict[str, Any]
) -> Any:
    """The result of a function that is called from frames of the user's code, innermost first."""
    if not callers:
        return function(*args, **kwargs)
    _count_frames(kwargs, len(callers))
    return _as_caller(function, kwargs, callers)(*args)


def _as_caller(function: Callable, named: dict[str, Any], callers: tuple) -> Callable:
    """A function that calls another one from the frames of the user's code."""
    made: Any = functools.partial(function, **named) if named else function
    for caller in callers:
        code = shim(caller.filename, caller.name, caller.lineno)
        made = functools.partial(FunctionType(code, caller.variables), made)
    return made


def _count_frames(named: dict[str, Any], known: int) -> None:
    """Makes `stacklevel` count the frames of the run, where it leads out of the user's function."""
    level = named.get("stacklevel")
    if type(level) is not int or level <= known:
        return
    frame, passed = sys._getframe(1), 0
    while frame.f_back is not None and is_skipped(frame.f_code.co_filename):
        frame, passed = frame.f_back, passed + 1
    named["stacklevel"] = level + passed


def converted(value: Any, kind: Type, function: Any) -> Any:
    """The result of a host call as a value of a type.

    Raises `TypeError` if it is none.
    """
    if kind == OBJECT:
        return value
    if kind == STRING and type(value) is str:
        return value
    array = np.asarray(value) if isinstance(kind, TensorType) or type_of(value) else None
    if array is not None and type_of(array) and np.can_cast(array.dtype, kind.dtype, "same_kind"):
        if isinstance(kind, PythonType) and not array.shape:
            return kind.kind(value)
        array = array.astype(kind.dtype)
        if fits(TensorType(array.dtype, array.shape), TensorType(kind.dtype, kind.shape)):
            return array if is_array(kind) else array[()]
    name = getattr(function, "__qualname__", type(function).__qualname__)
    raise TypeError(f"the host call of {name} returned {_shown(value)}, and not {kind} as declared")


def _shown(value: Any) -> str:
    kind = type_of(value)
    return f"a value of type {type(value).__name__}" if kind is None else str(kind)


# -- contexts: `with` around a host value ----------------------------------------------------------

_open: ContextVar[list[Any] | None] = ContextVar("open contexts", default=None)


def enter(context: Any) -> Any:
    """The start of a `with`: the value that its variable gets."""
    found = type(context).__enter__(context)
    opened = _open.get()
    assert opened is not None
    opened.append(context)
    return found


def leave(context: Any) -> None:
    """The end of a `with` whose block has ended without an exception."""
    opened = _open.get()
    assert opened is not None
    opened.remove(context)
    type(context).__exit__(context, None, None, None)


def opens_contexts(graph: Graph) -> bool:
    """Whether a run may leave a context open when an exception ends it."""
    return any(node.attributes.get("function") == Host(enter) for node in walk(graph))


def closing_contexts(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that, if an exception ends it, leaves the contexts that it has entered."""

    def run(*inputs: Any) -> Any:
        opened: list[Any] = []
        token = _open.set(opened)
        try:
            return function(*inputs)
        except BaseException as error:
            while opened:
                context = opened.pop()
                if type(context).__exit__(context, type(error), error, error.__traceback__):
                    raise _suppressed(context) from error
            raise
        finally:
            _open.reset(token)

    return run


def _suppressed(context: Any) -> HandledInRunError:
    return HandledInRunError.about(
        f"{type(context).__qualname__} suppresses an exception that a run has raised",
        None,
        "A graph cannot go on after the `with` that would catch it.",
        "Write the `with` around the call of the function.",
    )


# -- the record ------------------------------------------------------------------------------------


def itself(value: Any) -> Any:
    """The value, as an object of Python."""
    return value


def _example() -> list:
    return [call(SCALAR, function=Host(math.floor), given=(Slot(0),), named=(), types=(INT,))]


host_call = Op(
    "host_call",
    "Calls a Python function with plain values, in the order of the program.",
    lambda *operands, function, given, named, types: types,
    _evaluate,
    arity=None,
    traits=Traits(effect=Effect.EXTERNAL, takes_unions=True),
    derivative=NoDerivative(
        "A graph cannot look into a Python function that it only calls.",
        "Use rt.custom_gradient around the call, or rt.stop_gradient on its arguments.",
    ),
    examples=_example,
    called="",
)


def unordered_call(region: Graph) -> Node | None:
    """A host call that is not the region's only effect, or that may happen several times; None if
    there is none.

    A batch applies each operation to all elements, so their effects would be in another order.
    """
    outside = [node for node in walk(region) if node.op.effect is Effect.EXTERNAL]
    calls = [node for node in outside if node.op is host_call]
    if len(outside) > 1 and calls:
        return calls[0]
    repeated = [node for node in walk(region) if node.op.control_flow and _repeats(node)]
    inside = {one for node in repeated for body in node.regions.values() for one in walk(body)}
    return next((node for node in calls if node in inside), None)


def _repeats(node: Node) -> bool:
    return node.op.control_flow is not None and node.op.control_flow.loop is not None
