"""Subscripts of staged arrays: a template with slots, and the operands for the slots.

x[i, 1:n, ..., [0, 2]]      at=(_0, slice(1, _1), ..., _2), operands i, n, [0, 2]
"""

from typing import Any

import numpy as np

from runtime.like_array import read
from runtime.ops.index import Slot
from runtime.tensor import Tensor, is_staged, staged


def subscript(key: Any) -> tuple[tuple, list]:
    """A subscript as a template with slots, and the operands for the slots."""
    operands = []

    def part(value):
        value = read(value)
        if isinstance(value, slice):
            return slice(part(value.start), part(value.stop), part(value.step))
        if value is None or value is Ellipsis or type(value) is int:
            return value
        if isinstance(value, (Tensor, np.ndarray, np.generic, list, tuple, bool)):
            operands.append(_index(value))
            return Slot(len(operands) - 1)
        if hasattr(value, "__index__"):
            return value.__index__()
        raise TypeError(
            "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer or "
            "boolean arrays are valid indices"
        )

    parts = key if isinstance(key, tuple) else (key,)
    return tuple(map(part, parts)), operands


def _index(value):
    """A part of a subscript that is an array, or stands for one."""
    if isinstance(value, (list, tuple)) and not value:
        return np.array(value, np.intp)
    if isinstance(value, (list, tuple)) and is_staged(value):
        return staged(value)
    return np.asarray(value) if isinstance(value, (list, tuple, bool)) else value
