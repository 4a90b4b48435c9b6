"""Staged objects that are not arrays, but of which NumPy reads the array of their elements.

x + range(n), np.take(x, range(n))    `range(n)` is an array there
x[found]                              a list that a run has grown
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.ir.pytree import transform


class ReadAsArray:
    """A staged object that is not an array, of which NumPy and operators read the elements."""

    def numbers(self) -> Any:
        """The array."""
        raise NotImplementedError

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **options: Any) -> Any:
        return getattr(ufunc, method)(*map(numbers_of, inputs), **options)

    def __array_function__(self, function: Any, types: Any, args: tuple, kwargs: dict) -> Any:
        if function is np.result_type:
            return NotImplemented  # which takes arrays, but no objects that hold numbers
        args, kwargs = transform(numbers_of, (args, kwargs))
        return function(*args, **kwargs)


# Each returns the array of a list that only a run knows; other values as they are.
LIST_READERS: list[Callable[[Any], Any]] = []


def numbers_of(value: Any) -> Any:
    """The array of such an object or list; other values as they are."""
    if isinstance(value, ReadAsArray):
        return value.numbers()
    for list_read in LIST_READERS:
        value = list_read(value)
    return value
