"""Arguments in the order of a function's parameters, however the call is written.

    def f(a, b=2, *rest, k=None)
    f(1, k=3)            bound: (1, 2, (), 3)        called again: f(1, 2, k=3)

Python itself binds the arguments: a function with the same parameters is generated, so a wrong call
raises exactly the error that the user's function would raise.
"""

import functools
import inspect
import os
from collections.abc import Callable
from inspect import Parameter
from types import BuiltinFunctionType, FunctionType
from typing import Any

import numpy as np

from runtime.errors import staging_error
from runtime.tracing.dispatchers import is_dispatcher

# The file name of generated functions, which makes their frames not the user's.
GENERATED = os.path.join(os.path.dirname(__file__), "<generated>")

_SCALARS = (bool, int, float, complex, str, bytes, type(None))
_NONE = object()  # in place of a default
_STAR = {Parameter.VAR_POSITIONAL: "*", Parameter.VAR_KEYWORD: "**"}


class Parameters:
    """The parameters of a function: their names, and functions that bind and pass on arguments.

    `bind(*args, **kwargs)` returns a tuple with one item for each parameter (a tuple for `*args`, a
    dict for `**kwargs`), defaults filled in.  Raises `TypeError` like a call.  Only
    the first `passed_defaults` parameters (None: all) have defaults that are no Python scalars
    filled in; the function itself fills in the others.
    """

    def __init__(self, function: Callable, passed_defaults: int | None = None):
        try:
            parameters = list(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):  # some built-in functions have no signature
            parameters = None
        innermost = function
        while isinstance(innermost, functools.partial):
            innermost = innermost.func
        is_of_python = isinstance(innermost, (np.ufunc, BuiltinFunctionType))
        if parameters is None or is_of_python or is_dispatcher(innermost):
            # They distinguish an argument that is passed from one that is left out.
            parameters = [
                Parameter("args", Parameter.VAR_POSITIONAL),
                Parameter("kwargs", Parameter.VAR_KEYWORD),
            ]
        self.names = [parameter.name for parameter in parameters]
        self._parameters = parameters
        self.function = function
        self._passed_defaults = passed_defaults
        self._known_defaults = _defaults(function)
        self.defaults: dict[str, Any] = {}
        self.header = self._header()
        self.bound = "(" + "".join(f"{name}, " for name in self.names) + ")"
        self._name = getattr(function, "__name__", type(function).__name__)
        self._qualname = getattr(function, "__qualname__", self._name)
        self.bind: Callable[..., tuple] = self.generated(self.bound)

    def _header(self):
        """The parameters as they are written in a definition; `defaults` has the defaults."""
        shown, previous = [], None
        for i, parameter in enumerate(self._parameters):
            kind = parameter.kind
            if previous is Parameter.POSITIONAL_ONLY is not kind:
                shown.append("/")
            is_first_keyword = kind is Parameter.KEYWORD_ONLY is not previous
            if is_first_keyword and previous is not Parameter.VAR_POSITIONAL:
                shown.append("*")
            text = _STAR.get(kind, "") + parameter.name
            if parameter.default is not Parameter.empty:
                self.defaults[f"default_{i}_"] = self._default(i, parameter.default)
                text += f"=default_{i}_"
            shown.append(text)
            previous = kind
        if previous is Parameter.POSITIONAL_ONLY:
            shown.append("/")
        return ", ".join(shown)

    def _default(self, position, value):
        """The default that calls pass on: NumPy's marker if the function fills it in itself."""
        passed = self._passed_defaults
        is_passed = passed is None or position < passed or type(value) in _SCALARS
        return value if is_passed else np._NoValue

    @property
    def positional(self) -> int:
        """How many of them, the first ones, a call may give by position."""
        return sum(p.kind not in (*_STAR, Parameter.KEYWORD_ONLY) for p in self._parameters)

    @property
    def last_defaults(self) -> list[Any] | None:
        """The defaults of the last parameters, which calls may leave out; None if a parameter
        collects arguments, or one without a default follows one with a default."""
        found = [self.defaults.get(f"default_{i}_", _NONE) for i in range(len(self.names))]
        while found and found[0] is _NONE:
            del found[0]
        first = len(self.names) - len(found)
        collects = any(parameter.kind in _STAR for parameter in self._parameters)
        is_unclear = any(one is _NONE for one in found) or first > self.positional
        return None if collects or is_unclear else found

    def check_defaults(self) -> None:
        """Raises `StagingError` if the function's defaults are others than those that calls get."""
        known, now = self._known_defaults, _defaults(self.function)
        if len(known) != len(now) or any(a is not b for a, b in zip(known, now, strict=True)):
            raise staging_error(
                f"the defaults of {self._name} were replaced after rt.function was applied to it",
                "Calls get the defaults that it had then.",
                "Replace them before, or pass the values as arguments.",
            )

    def generated(self, expression: str, names: dict[str, Any] | None = None) -> Callable:
        """A function with these parameters that returns the value of an expression."""
        namespace = self.defaults | (names or {}) | {"__tracebackhide__": True}  # for pytest
        text = f"def generated({self.header}): return {expression}"
        exec(compile(text, GENERATED, "exec"), namespace)
        return self.named(namespace["generated"])

    def named(self, generated: Callable) -> Callable:
        """A generated function with the name of the original, which errors show."""
        generated.__name__, generated.__qualname__ = self._name, self._qualname
        vars(generated)["__wrapped__"] = self.function
        return generated

    def call(self, function: Callable, bound: tuple) -> Any:
        """The result of a function for arguments that were bound."""
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        left_out = False
        for parameter, value in zip(self._parameters, bound, strict=True):
            if value is np._NoValue:  # NumPy's marker for an argument that is left out
                left_out = True
                continue
            match parameter.kind:
                case Parameter.POSITIONAL_OR_KEYWORD if left_out:
                    kwargs[parameter.name] = value
                case Parameter.VAR_POSITIONAL:
                    args += value
                case Parameter.VAR_KEYWORD:
                    kwargs |= value
                case Parameter.KEYWORD_ONLY:
                    kwargs[parameter.name] = value
                case _:
                    args.append(value)
        return function(*args, **kwargs)


def _defaults(function):
    """The values of a Python function's defaults."""
    if not isinstance(function, FunctionType):
        return ()
    return (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
