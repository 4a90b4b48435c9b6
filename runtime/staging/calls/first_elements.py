"""Functions that take elements of a generator until they have found one.

next(gen(x))            a generator that calls its consumer (`staging/generators.py`)
2.0 in gen(x)
"""

from collections.abc import Callable
from typing import Any

from runtime.errors import IterationError, staging_error
from runtime.staging.generators import in_python, started_of


def _first(items):
    for item in items:
        return item
    raise StopIteration


def _first_or(items, default):
    for item in items:
        return item
    return default


def first_of(items: Any, *default: Any) -> Any:
    """The first element of a generator that can be consumed.

    Raises `StagingError` if the exception for an empty generator would have a value.
    """
    ended = None if default else _with_value(items)
    if ended is not None:
        raise staging_error(
            f"{ended} may end with a value before its first element",
            "`next` raises StopIteration with the value that the function returns, and a condition "
            "around its `yield` is staged.",
            "Give `next` a default: next(generator, None).",
            IterationError,
        )
    return in_python(_first_or if default else _first)(items, *default)


def _with_value(items):
    """The generator that an iterator takes its elements from, if it may return a value:
    this is the value of the StopIteration of `map(abs, gen(x))`, too."""
    started = started_of(items)
    if started is None:
        return None
    if started.has_value:
        return started.title
    return next(filter(None, map(_with_value, started.args)), None)


def _is_among(equals, item, items):
    return any(equals(one, item) for one in items)


def is_among(equals: Callable, item: Any, items: Any) -> Any:
    """Whether a generator that can be consumed yields an item; `equals` compares it with one."""
    return in_python(_is_among)(equals, item, items)
