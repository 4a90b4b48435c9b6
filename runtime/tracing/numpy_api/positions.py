"""The integers that objects stand for: `x[i]`, `np.zeros(n)`, where `i` or `n` has `__index__`.

A number that a run decides to be an int or a float is an int there (`tracing/unions.py`).
"""

from typing import Any

from runtime.ir.types import PythonType, UnionType
from runtime.tracing import trace, unions
from runtime.tracing.tensor import Tensor, handle


def index_of(value: Any) -> Any:
    """The int, possibly staged, that the `__index__` of an object returns; None if it has no such
    method, or the method returns anything else."""
    method = getattr(type(value), "__index__", None)
    found = None if method is None else method(value)
    if isinstance(found, Tensor):
        return found if isinstance(found.type, PythonType) and found.type.kind is int else None
    return int(found) if isinstance(found, int) else None


def integer_of(value: Any, takes_bools: bool = True) -> Any:
    """A staged number, of which only the run knows whether it is an int, as an int."""
    recorder = trace.current()
    if not isinstance(value, Tensor) or not isinstance(value.type, UnionType) or recorder is None:
        return value
    found = unions.as_integer(recorder, value._value, takes_bools)
    return value if found is value._value else handle(found, recorder.region)


def sole_size(shape: Any) -> Any:
    """The size, possibly staged, that an object stands for in place of a shape.

    Raises the TypeError of NumPy if it stands for none.
    """
    found = index_of(shape)
    if found is None:
        raise TypeError(f"expected a sequence of integers or a single integer, got '{shape!r}'")
    return found
