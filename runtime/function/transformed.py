"""Applies a transformation to a function; the result is cached on the function."""

from collections.abc import Callable
from types import MethodType
from typing import Any

from runtime.function.applicable import check_applicable
from runtime.function.decorator import eager
from runtime.function.function import Function
from runtime.function.transformation import Transform
from runtime.function.transformed_cache import cached


def transformed(fn: Callable[..., Any], transform: Transform) -> Function[..., Any]:
    """The transformed function.  Raises `TypeError` if `fn` cannot be called."""
    check_applicable(fn, f"rt.{'.'.join(transform.names) or 'function'}")
    if transform.key is None:
        return _transformed(fn, transform)
    return cached(fn, transform.key, lambda: _transformed(fn, transform))


def _transformed(fn, transform):
    known = fn.__func__ if isinstance(fn, MethodType) else fn
    if not isinstance(known, Function):
        made = Function(fn, transform=transform)
    else:
        made = Function(
            eager(fn),
            convert_packages=known._packages,
            transform=transform.after(known.transform),
            engine=known.engine,
        )
    if transform.made_by is not None:
        maker, arguments = transform.made_by
        made.made_by = maker, fn, *arguments
    return made
