"""Operands of classes of other packages: each run applies the operator or function to them.

    x + column, x[mask], np.where(mask, x, 0.0)       `column` and `mask` are of pandas

Staged values know neither such classes nor how calls are recorded: `RECORDERS` does.
"""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from runtime.ir.pytree import flatten
from runtime.ir.types import Type


class Recorder(Protocol):
    """Records calls with operands of other packages."""

    def is_foreign(self, value: Any) -> bool:
        """Whether a value is an object of another package."""

    def record(self, function: Callable, args: tuple, kwargs: dict) -> Any:
        """Records a call of a function that changes none of its arguments."""

    def record_as(self, kind: Type, function: Callable, args: tuple) -> Any:
        """Records a call whose result is of a known type."""


RECORDERS: list[Recorder] = []


def is_foreign(value: Any) -> bool:
    """Whether a value is an object of another package, which no graph can hold."""
    return bool(RECORDERS) and RECORDERS[0].is_foreign(value)


def holds_foreign(*values: Any) -> bool:
    """Whether values are such objects, or lists, tuples and dicts that contain some."""
    return any(map(is_foreign, flatten(values)[0]))


def recorded(function: Callable, *args: Any, **kwargs: Any) -> Any:
    """The result of a call that each run makes with such objects."""
    return RECORDERS[0].record(function, args, kwargs)


def new_contents(array: Any, function: Callable, *args: Any) -> Any:
    """The array that `function(array, *args)` returns, of the same type as `array`."""
    return RECORDERS[0].record_as(array.type, function, (array, *args))


# -- what runs call --------------------------------------------------------------------------------


def by_method(array: Any, name: str, *args: Any, **kwargs: Any) -> Any:
    """The result of a method of an array that changes nothing."""
    return getattr(array.copy(), name)(*args, **kwargs)


def with_item(array: Any, key: Any, value: Any) -> Any:
    """A copy of an array after `array[key] = value`."""
    changed = array.copy()
    changed[key] = value
    return changed


def changed_by(operator: Callable) -> Callable[[Any, Any], Any]:
    """The function that returns a copy of an array after an operator such as `+=`, or the object
    that the other operand makes instead."""

    def changed(array: Any, other: Any) -> Any:
        copied = array.copy()
        found = operator(copied, other)
        if found is not copied and isinstance(found, np.ndarray):
            raise TypeError(
                f"{operator.__name__}(array, {type(other).__name__}) returns a new array"
            )
        return found

    return changed
