"""The functions that converted code calls instead of others while a graph is being built."""

from collections.abc import Callable
from typing import Any, TypeVar

from autograph.backend import register_call

F = TypeVar("F", bound=Callable)


def answers(original: Any) -> Callable[[F], F]:
    """Registers the decorated function as the replacement of `original` in converted code."""

    def register(replacement: F) -> F:
        register_call(original, replacement)
        return replacement

    return register
