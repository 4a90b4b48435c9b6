"""Objects that `rt.function` and the transformations cannot be applied to, and how to write it.

rt.function(f(x))        f has been called: write rt.function(f)(x)
@rt.function             a class: decorate its methods
class Model: ...
@rt.function             a property, static method or class method: write its decorator above
@property
async def, def with yield          decorate the function that computes, and call it there
"""

import functools
import inspect
from types import FunctionType, MethodType
from typing import Any

from autograph.errors import with_article
from runtime.errors import DecoratorError, users_location
from runtime.ir.types import type_of

_WAITING = (
    "A graph runs from its start to its end, without waiting for an event loop.",
    "Apply {shown} to a plain function of the computation, and call it in the coroutine: it does "
    "not block for longer than the computation takes; asyncio.to_thread(f, x) runs it in a thread.",
)

# By a predicate of functions: their kind, why they are refused, and the remedy.
KINDS = {
    inspect.iscoroutinefunction: ("an `async def`", *_WAITING),
    inspect.isasyncgenfunction: ("an `async def` with `yield`", *_WAITING),
    inspect.isgeneratorfunction: (
        "a generator function",
        "A graph computes all its results in one run, and cannot stop at a `yield`.",
        "Return a list of the values.  Or apply {shown} to a function that computes one of them, "
        "and call it in the generator.",
    ),
}

AT_A_POINT = ("rt.vjp", "rt.jvp")  # they take the arguments of the function too
WRAPPERS = {property: "@property", staticmethod: "@staticmethod", classmethod: "@classmethod"}


def check_applicable(fn: Any, shown: str) -> None:
    """Raises `TypeError` if `fn` is not a function or another callable object.

    `shown` is the name by which users call the decorator: `rt.function`.
    """
    wrapper = WRAPPERS.get(type(fn))
    if wrapper is not None:
        raise _error(
            f"{shown} is applied to {with_article(type(fn).__name__)}",
            "Decorators are applied from the bottom up, and this one takes the function itself.",
            f"Write {wrapper} above @{shown}",
        )
    if isinstance(fn, type) and shown == "rt.function":
        raise _error(
            f"rt.function is applied to the class {fn.__qualname__}",
            "Graphs are traced from functions.",
            "Decorate the methods that are called with arrays: __call__, for example.",
        )
    if not callable(fn):
        raise _error(f"{shown} is applied to {_shown(fn)}", *_reason(fn, shown))
    _check_kind(fn, shown)


def _check_kind(fn, shown):
    """Raises `TypeError` for functions that return before their body has run."""
    function = fn
    while isinstance(function, (functools.partial, MethodType)):
        function = function.func if isinstance(function, functools.partial) else function.__func__
    if not isinstance(function, FunctionType):
        function = inspect.getattr_static(type(function), "__call__", None)
    for is_kind, (kind, why, remedy) in KINDS.items():
        if isinstance(function, FunctionType) and is_kind(function):
            what = f"{shown} is applied to {function.__qualname__}, {kind}"
            raise _error(what, why, remedy.format(shown=shown))


def _reason(fn, shown):
    """Why an object that cannot be called is refused, and the remedy."""
    if fn is None:
        return (
            "A function that returns nothing returns None.",
            "Return the function at the end of the function that makes it.",
        )
    if isinstance(fn, (list, tuple)) and shown == "rt.function":
        return (
            "The first argument of rt.function is the function.",
            "Pass specs by name: @rt.function(input_signature=[...])",
        )
    if type_of(fn) is not None:
        return (
            "It needs the function itself, and the function has been called already.",
            f"Write {shown}(f, x)"
            if shown in AT_A_POINT
            else f"Write {shown}(f)(x) in place of {shown}(f(x))",
        )
    kind = with_article(type(fn).__name__)
    return f"{kind[0].upper()}{kind[1:]} cannot be called.", f"Pass a function: {shown}(f)"


def _shown(fn):
    if isinstance(fn, (list, tuple, dict, set)):
        return with_article(type(fn).__name__)
    kind = type_of(fn)
    if fn is None:
        return "None"
    return with_article(type(fn).__name__) if kind is None else f"a value: {kind}"


def _error(what, why, remedy):
    return DecoratorError.about(what, users_location(), why, remedy)
