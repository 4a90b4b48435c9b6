"""The integers that objects stand for: `x[i]`, `np.zeros(n)`, where `i` or `n` has `__index__`."""

from typing import Any

from runtime.ir.types import PythonType
from runtime.tracing.tensor import Tensor


def index_of(value: Any) -> Any:
    """The int, possibly staged, that the `__index__` of an object returns; None if it has no such
    method, or the method returns anything else."""
    method = getattr(type(value), "__index__", None)
    found = None if method is None else method(value)
    if isinstance(found, Tensor):
        return found if isinstance(found.type, PythonType) and found.type.kind is int else None
    return int(found) if isinstance(found, int) else None


def sole_size(shape: Any) -> Any:
    """The size, possibly staged, that an object stands for in place of a shape.

    Raises the TypeError of NumPy if it stands for none.
    """
    found = index_of(shape)
    if found is None:
        raise TypeError(f"expected a sequence of integers or a single integer, got '{shape!r}'")
    return found
