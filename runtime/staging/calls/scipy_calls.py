"""Calls of functions of `scipy.special` that are no ufuncs, with staged arguments."""

from collections.abc import Callable
from functools import partial
from typing import Any

from runtime.ir.op import Op
from runtime.ops.special import special_function
from runtime.tracing.numpy_api.foreign_calls import record_call
from runtime.tracing.tensor import is_staged


def scipy_call(function: Any) -> Callable[..., Any]:
    """The replacement of a function of SciPy, or the function itself."""
    if not str(getattr(function, "__module__", "")).startswith("scipy.special."):
        return function
    op = special_function(function)
    return function if op is None else partial(_called, op, function)


def _called(op: Op, function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    staged = is_staged([*args, *kwargs.values()])
    return record_call(op, args, kwargs) if staged else function(*args, **kwargs)
