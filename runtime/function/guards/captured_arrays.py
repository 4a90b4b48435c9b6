"""Arrays that a function reads without being given them, and staged values in their places.

    W = np.eye(2)
    def f(x):                     while f is recorded, W holds a staged value,
        return x @ W              afterwards the same array as before

Each knows how to be replaced where it was read: a global variable, a cell, an attribute, an item.
"""

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.ir.types import DTYPE_NAMES, TensorType
from runtime.tracing.tensor import Tensor


@dataclass(frozen=True, eq=False)
class Captured:
    """An array that the function can read: which variable of the check holds it, and where it
    is."""

    variable: str
    path: str
    array: Any
    put: Callable[[Any], None]

    @property
    def type(self) -> TensorType:
        """Its type, which is part of what must stay as it is."""
        return TensorType(self.array.dtype, self.array.shape)


def is_array(value) -> bool:
    """Whether a value is an array, or a number of NumPy's, that graphs can take."""
    exact = type(value) in (np.ndarray, np.memmap) or isinstance(value, np.generic)
    return exact and value.dtype in DTYPE_NAMES


@contextmanager
def replaced(captured: list[Captured], tensors: dict[int, Tensor]) -> Iterator[None]:
    """Puts staged values into the places of arrays while it is open; `tensors` are by the arrays'
    identity."""
    done: list[Captured] = []
    try:
        for one in captured:
            done.append(one)
            one.put(tensors[id(one.array)])
        yield
    finally:
        for one in reversed(done):
            one.put(one.array)


# -- places ----------------------------------------------------------------------------------------


def item_putter(container: Any, key: Any) -> Callable[[Any], None]:
    """Puts things into an item of a list or dict."""
    if isinstance(container, dict):
        return lambda new: dict.__setitem__(container, key, new)
    return lambda new: container.__setitem__(key, new)


class TupleItems:
    """Puts things into a tuple, by putting another tuple into its place."""

    def __init__(self, value: tuple, put: Callable[[Any], None] | None):
        self.value, self.put, self.items = value, put, list(value)

    def putter(self, key: int) -> Callable[[Any], None] | None:
        """Puts things into an item, where the tuple itself can be replaced."""
        return None if self.put is None else functools.partial(self.replace, key)

    def replace(self, key: int, new: Any) -> None:
        """Puts something into an item."""
        self.items[key] = new
        kind = type(self.value)
        if all(item is old for item, old in zip(self.items, self.value, strict=True)):
            self.put(self.value)  # all is as it was: the very tuple
        else:
            self.put(kind._make(self.items) if hasattr(kind, "_make") else kind(self.items))
