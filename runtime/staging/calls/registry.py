"""The functions that converted code calls instead of others while a graph is being built."""

from collections.abc import Callable
from typing import Any, TypeVar

from autograph.backend import CallTable

F = TypeVar("F", bound=Callable)

CALLS = CallTable()
register_call = CALLS.register
replacement = CALLS.get


def answers(original: Any) -> Callable[[F], F]:
    """Registers the decorated function as the replacement of `original` in converted code."""

    def register(replacement: F) -> F:
        register_call(original, replacement)
        return replacement

    return register
