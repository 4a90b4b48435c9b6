"""The operators of iterables with a star, in displays, among targets, and among arguments."""

from collections.abc import Callable
from typing import Any

from runtime.staging.calls.iterables import staged_tuple_of
from runtime.staging.calls.starred import extended, unpacked, updated
from runtime.staging.calls.starred_calls import StarredCall, spread


class StarOperators:
    """The part of a backend that takes iterables of which only a run knows the length."""

    def extended(self, items: list, iterable: Any) -> Any:
        """`[*items, *iterable]`"""
        return extended(items, iterable)

    def updated(self, elements: set, iterable: Any) -> Any:
        """`{*elements, *iterable}`"""
        return updated(elements, iterable)

    def unpacked(self, value: Any, before: int, after: int) -> tuple:
        """`a, *b, c = value`"""
        return unpacked(value, before, after)

    def tuple_of(self, items: Any) -> Any:
        """`(a, *z)`, of the list of its elements."""
        return staged_tuple_of(items)

    def spread(self, iterable: Any) -> Any:
        """The iterable after a star among the arguments of a call."""
        return spread(iterable)

    def starred(self, function: Any, found: Callable) -> StarredCall:
        """The callable for a call with a star."""
        return StarredCall(function, found)
