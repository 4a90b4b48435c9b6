"""Questions about the arguments of a call of foreign code (`gate.py`)."""

import abc
import inspect
from collections.abc import Iterator
from types import FunctionType, MethodType
from typing import Any

from autograph.functions.calls import converted_call
from autograph.functions.policy import is_users_function
from autograph.staging.accessors import has_contents
from runtime.staging.calls.host_values import HostValue
from runtime.staging.calls.natures import hides_state
from runtime.tracing.array_like import ArrayLike
from runtime.tracing.tensor import Tensor


def argument_of(function: Any, name: str, args: tuple, kwargs: dict) -> Any:
    """The argument of a parameter; the first one if the function does not say."""
    if name in kwargs:
        return kwargs[name]
    first = args[0] if args else None
    try:
        signature = inspect.signature(function)
        bound = signature.bind(*args, **kwargs)
    except (TypeError, ValueError):
        return first
    return bound.arguments.get(name) if name in signature.parameters else first


def changed_arguments(function: Any, names: tuple[str, ...], args: tuple, kwargs: dict) -> list:
    """The arguments that a call changes, by the names that the table of effects states."""
    found = []
    for name in names:
        is_consumed, name = name.endswith("~"), name.rstrip("~?")
        if name == "self":
            owner = getattr(function, "__self__", None)
            found.append(args[0] if owner is None and args else owner)
        else:
            value = argument_of(function, name, args, kwargs)
            if not is_consumed or isinstance(value, Iterator):
                found.append(value)
    return [value for value in found if value is not None]


def is_followed(value: Any) -> bool:
    """Whether changes of an object are found by comparing its contents."""
    if isinstance(value, (Tensor, ArrayLike)):
        return True
    return has_contents(value) and not hides_state(type(value))


def converted_argument(value: Any) -> Any:
    """A converted user function, as an argument of one that calls it."""
    function = value.__func__ if type(value) is MethodType else value
    if type(function) is FunctionType and is_users_function(function):
        return converted_call(value)
    return value


def has_host_value(values: tuple) -> bool:
    """Whether an object that only a run has is among values, or in lists, tuples and dicts."""
    for value in values:
        if isinstance(value, HostValue):
            return True
        if type(value) in (list, tuple) or isinstance(value, list):
            if has_host_value(tuple(list.__iter__(value) if isinstance(value, list) else value)):
                return True
        elif type(value) is dict and has_host_value(tuple(value.values())):
            return True
    return False


def has_abstract_class(classes: Any) -> bool:
    """Whether classes, which may be nested in tuples, can get further subclasses by `register`."""
    return any(
        has_abstract_class(one) if type(one) is tuple else issubclass(type(one), abc.ABCMeta)
        for one in classes
    )
