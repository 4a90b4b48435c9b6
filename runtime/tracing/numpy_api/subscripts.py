"""Subscripts of staged values: `x[1:, i]`, `x[i] = y`.

x[i, 1:]          getitem(x, i, at=(_0, slice(1, None, None)))
"""

import operator
from typing import Any

import numpy as np

from runtime.ir.op import find
from runtime.ir.slot import Slot
from runtime.ir.types import PythonType, TensorType, is_array
from runtime.tracing.array_like import read
from runtime.tracing.foreign_operands import is_foreign, new_contents, recorded, with_item
from runtime.tracing.numpy_api.positions import index_of, integer_of
from runtime.tracing.read_as_array import numbers_of
from runtime.tracing.tensor import Tensor, apply, is_object, is_staged, staged


def get_item(tensor: Tensor, key: Any) -> Tensor:
    """`x[key]`"""
    if _is_foreign(key):
        return recorded(operator.getitem, tensor, key)
    _check_scalar(tensor, key)
    at, operands = _subscript(key)
    return apply(find("getitem"), tensor, *operands, at=at)


def set_item(tensor: Tensor, key: Any, value: Any) -> None:
    """`x[key] = value`: gives the handle the changed array as its new value."""
    if not is_array(tensor.type):
        kind = tensor.type.kind if isinstance(tensor.type, PythonType) else tensor.dtype.type
        name = kind.__name__ if isinstance(tensor.type, PythonType) else f"numpy.{kind.__name__}"
        raise TypeError(f"'{name}' object does not support item assignment")
    if _is_foreign(key) or is_foreign(value):
        tensor._assign(new_contents(tensor, with_item, key, value))
        return
    at, operands = _subscript(key)
    tensor._assign(apply(find("setitem"), tensor, value, *operands, at=at))


def _check_scalar(tensor, key):
    """Raises the exception of a scalar that has no such subscript."""
    if isinstance(tensor.type, PythonType):
        raise TypeError(f"'{tensor.type.kind.__name__}' object is not subscriptable")
    if not isinstance(tensor.type, TensorType) or is_array(tensor.type):
        return
    parts = key if isinstance(key, tuple) else (key,)
    if not all(one is None or one is Ellipsis or _is_truth(one) for one in parts):
        raise IndexError("invalid index to scalar variable.")


def _is_truth(value):
    return isinstance(value, bool) or getattr(getattr(value, "dtype", None), "kind", "") == "b"


def _is_foreign(key):
    """Whether a subscript has a part of another package, other than a number."""
    parts = key if isinstance(key, tuple) else (key,)
    return any(is_object(part) or is_foreign(part) and not _is_number(part) for part in parts)


def _is_number(value):
    return hasattr(value, "__index__") and not getattr(value, "shape", ())


NO_SUBSCRIPT = (
    "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or boolean "
    "arrays are valid indices"
)


def _subscript(key):
    """A subscript as a template with slots, and the operands for the slots."""
    operands = []

    def part(value, is_bound=False):
        value = integer_of(numbers_of(read(value)), takes_bools=False)
        if isinstance(value, slice) and not is_bound:
            bounds = value.start, value.stop, value.step
            return slice(*(part(one, is_bound=True) for one in bounds))
        if value is None or value is Ellipsis or type(value) is int:
            return value
        if isinstance(value, (Tensor, np.ndarray, np.generic, list, tuple, range, bool)):
            operands.append(_index(value))
            return Slot(len(operands) - 1)
        number = index_of(value)
        if number is not None:
            return part(number)
        raise _no_bound(value) if is_bound else IndexError(NO_SUBSCRIPT)

    parts = key if isinstance(key, tuple) else (key,)
    return tuple(map(part, parts)), operands


def _no_bound(value):
    """The error of a slice with a bound that stands for no integer."""
    if hasattr(type(value), "__index__"):
        kind = type(type(value).__index__(value)).__name__
        return TypeError(f"__index__ returned non-int (type {kind})")
    return TypeError("slice indices must be integers or None or have an __index__ method")


def _index(value):
    """An array in a subscript, or a list, tuple or range that denotes one."""
    if isinstance(value, (list, tuple, range)) and not value:
        return np.array(value, np.intp)
    if isinstance(value, (list, tuple)) and is_staged(value):
        return staged(value)
    return np.asarray(value) if isinstance(value, (list, tuple, range, bool)) else value


Tensor.__getitem__ = get_item
Tensor.__setitem__ = set_item
