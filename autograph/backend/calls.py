"""The calls that backends replace: in converted code, while something is being staged."""

from collections.abc import Callable
from typing import Any
from weakref import WeakSet

_tables: "WeakSet[CallTable]" = WeakSet()
_common: dict[Callable[..., Any], Callable[..., Any]] = {}  # replacements for every backend


class CallTable:
    """The functions that converted code calls in place of others, for one backend."""

    def __init__(self) -> None:
        self._replacements: dict[Callable[..., Any], Callable[..., Any]] = {}
        _tables.add(self)

    def register(self, original: Callable[..., Any], replacement: Callable[..., Any]) -> None:
        """Replaces calls of `original`.  Raises `ValueError` if they are already replaced."""
        _refuse_other(original, replacement, (self._replacements, _common))
        self._replacements[original] = replacement

    def get(self, function: Any) -> Any:
        """The replacement of a function, or the function itself."""
        try:
            found = self._replacements.get(function)
            return found or _common.get(function, function)
        except TypeError:  # callables may be unhashable
            return function

    def __contains__(self, function: object) -> bool:
        return function in self._replacements


def _refuse_other(
    original: Callable[..., Any],
    replacement: Callable[..., Any],
    tables: tuple[dict[Callable[..., Any], Callable[..., Any]], ...],
) -> None:
    for table in tables:
        known = table.get(original, replacement)
        if known is not replacement:
            raise ValueError(f"{original!r} is already replaced by {known!r}")


def replace_for_all(original: Callable[..., Any], replacement: Callable[..., Any]) -> None:
    """Replaces calls of `original` for every backend.

    Raises `ValueError` if one of them already replaces them.
    """
    _refuse_other(original, replacement, (_common, *(t._replacements for t in _tables)))
    _common[original] = replacement


def replacement_for_all(function: Any) -> Any:
    """The replacement of a function for every backend, or the function itself."""
    try:
        return _common.get(function, function)
    except TypeError:  # callables may be unhashable
        return function


def is_replaced(function: Any) -> bool:
    """Whether some backend replaces calls of a function."""
    try:
        return function in _common or any(function in table for table in _tables)
    except TypeError:
        return False


_describers: list[Callable[[Any], str]] = []


def describe_calls(describer: Callable[[Any], str]) -> None:
    """Lets `describer(function)` say in reports what calls of a function do; "" for nothing."""
    _describers.append(describer)


def description_of(function: Any) -> str:
    """The effect of a call of a function, as a backend describes it; "" if none does."""
    return next(filter(None, (describer(function) for describer in _describers)), "")
