"""The table of functions that stand for those of packages where derivatives are needed.

    @stands_for("scipy.linalg.inv")          a function: by the name that users import
    @stands_for_method("PPoly.__call__")     a method: by its class or a class it derives from

A stand-in has the parameters of the function whose values it takes into account.  A call with
another argument has no derivative, unless the argument only says how the result is computed.

Nothing here imports a package: a program that calls one of its functions has done so.
"""

import functools
import inspect
import operator
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from autograph.errors import with_article
from runtime.errors import CustomGradientError
from runtime.ops.library_call import DIFFERENTIABLE, public_name
from runtime.staging.calls.library_calls import record_library_call
from runtime.tracing import trace
from runtime.tracing.tensor import is_staged
from runtime.transforms.markers import REGISTRIES

_functions: dict[str, Callable] = {}
_methods: dict[str, Callable] = {}
_users: dict[int, tuple[Any, Callable]] = {}

# Arguments that say how a result is computed, and not which.
WITHOUT_EFFECT = frozenset(
    (
        *("overwrite_a", "overwrite_b", "overwrite_ab", "overwrite_c", "overwrite_x"),
        *("overwrite_data", "check_finite", "driver", "lapack_driver", "workers", "disp"),
    )
)


def stands_for(*names: str) -> Callable[[Callable], Callable]:
    """Registers the decorated function for functions of packages."""

    def register(function):
        _functions.update((name, _strict(name, function)) for name in names)
        return function

    return register


def stands_for_method(*names: str) -> Callable[[Callable], Callable]:
    """Registers the decorated function, whose first argument is the object, for methods."""

    def register(function):
        _methods.update((name, _strict(name, function)) for name in names)
        return function

    return register


def _strict(name: str, function: Callable) -> Callable:
    """The stand-in; raises `NotImplementedError` for arguments that it does not know."""
    signature = inspect.signature(function)
    takes_all = any(one.kind is one.VAR_KEYWORD for one in signature.parameters.values())

    @functools.wraps(function)
    def called(*args, **kwargs):
        if not takes_all:
            known = signature.parameters
            kwargs = {k: v for k, v in kwargs.items() if k in known or k not in WITHOUT_EFFECT}
        try:
            signature.bind(*args, **kwargs)
        except TypeError as error:
            raise NotImplementedError(f"{name} with these arguments: {error}") from None
        return function(*args, **kwargs)

    return called


class WithoutDerivative:
    """A call of this project whose arguments have no derivatives; `name` is for messages."""

    name = ""

    def refuse(self, *args: Any, **kwargs: Any) -> Any:
        """Raises the `NotImplementedError` that becomes the user's error."""
        raise NotImplementedError(self.name)


class StandInObject:
    """An object of this project in place of one of a package: not all attributes have a rule."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        raise NotImplementedError(f"the attribute {name} of {type(self).__doc__}")


def register_gradient(of: Any, function: Callable) -> None:
    """Makes `function` stand for a function of a package; it has a custom gradient.

    Raises `CustomGradientError` for what cannot be called.
    """
    if not callable(of):
        raise CustomGradientError.about(
            f"custom_gradient(of=...) is given {with_article(type(of).__name__)}",
            None,
            "A gradient is registered for a function, a class or a method of a package.",
            "Write @rt.custom_gradient(of=package.function).",
        )
    _users[_key(of)] = of, function


def _key(function: Any) -> int:
    return id(getattr(function, "__func__", function))


def stand_ins() -> list[str]:
    """The names of the functions and methods of packages that have derivatives."""
    return sorted([*_functions, *_methods])


def call(path: str, *args: Any, **kwargs: Any) -> Any:
    """A call of a function of SciPy, recorded if an argument is staged."""
    module, _, name = f"scipy.{path}".rpartition(".")
    function = getattr(sys.modules[module], name)
    if isinstance(function, np.ufunc):
        return function(*args, **kwargs)
    if trace.current() is not None and is_staged([*args, *kwargs.values()]):
        return record_library_call(function, args, kwargs)
    return function(*args, **kwargs)


def _found(function: Any) -> Callable[..., Any] | None:
    known = _users.get(_key(function))
    if known is not None:
        return known[1]
    if isinstance(function, WithoutDerivative):
        return function.refuse
    if function is getattr or getattr(function, "__module__", None) == operator.add.__module__:
        return function
    owner = getattr(function, "__self__", None)
    if owner is not None and not isinstance(owner, (type, type(sys))):
        return _of_method(owner, function.__name__)
    if isinstance(function, type) or hasattr(function, "__qualname__"):
        return _functions.get(public_name(function))
    return _of_method(function, "__call__")


def _of_method(owner: Any, name: str) -> Callable[..., Any] | None:
    for kind in type(owner).__mro__:
        found = _methods.get(f"{kind.__name__}.{name}")
        if found is not None and kind.__module__.startswith("scipy."):
            return partial(found, owner)
    return None


DIFFERENTIABLE.insert(0, _found)
REGISTRIES.append(register_gradient)
