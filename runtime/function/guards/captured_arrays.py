"""Arrays that a function reads without being passed them, and their substitution while tracing.

    W = np.eye(2)
    def f(x):                     while f is traced, W is a staged value,
        return x @ W              afterwards the same array as before

Each knows how to set the variable, cell, attribute or item that it was read from.
"""

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from runtime.ir.types import DTYPE_NAMES, TensorType
from runtime.tracing.tensor import Tensor

Setter = Callable[[Any], None]


@dataclass(frozen=True, eq=False)
class CapturedArray:
    """An array that a function can read, the variable of the guard that holds it, and its path."""

    variable: str
    path: str
    array: Any
    set: Setter

    @property
    def type(self) -> TensorType:
        """Its type, which the guard requires."""
        return TensorType(self.array.dtype, self.array.shape)


def is_array(value: Any) -> bool:
    """Whether a value is an array, or a NumPy scalar, of a dtype that graphs support."""
    exact = type(value) in (np.ndarray, np.memmap) or isinstance(value, np.generic)
    return exact and value.dtype in DTYPE_NAMES


@contextmanager
def substituted(captured: list[CapturedArray], tensors: dict[int, Tensor]) -> Iterator[None]:
    """Substitutes staged values for arrays while it is open; `tensors` are by the arrays'
    identity."""
    done: list[CapturedArray] = []
    try:
        for one in captured:
            done.append(one)
            one.set(tensors[id(one.array)])
        yield
    finally:
        for one in reversed(done):
            one.set(one.array)


# -- setters ---------------------------------------------------------------------------------------


def item_setter(container: Any, key: Any) -> Setter:
    """Sets an item of a list or dict, whatever a subclass makes of that."""
    if isinstance(container, dict):
        return functools.partial(dict.__setitem__, container, key)
    return functools.partial(container.__setitem__, key)


class TupleItems:
    """Sets items of a tuple by replacing the tuple."""

    def __init__(self, value: tuple, set_: Setter | None):
        self.value, self.set, self.items = value, set_, list(value)

    def setter(self, key: int) -> Setter | None:
        """Sets an item; None if the tuple cannot be replaced."""
        return None if self.set is None else functools.partial(self.replace, self.set, key)

    def replace(self, set_: Setter, key: int, new: Any) -> None:
        """Sets the tuple with one item replaced; the original tuple if no item is replaced."""
        self.items[key] = new
        kind = type(self.value)
        if all(item is old for item, old in zip(self.items, self.value, strict=True)):
            set_(self.value)
        else:
            set_(kind._make(self.items) if hasattr(kind, "_make") else kind(self.items))
