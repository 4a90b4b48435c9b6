"""The arguments of list methods, as operands and attributes of ops.

z.insert(0, x)       operands x, attributes by="insert", given=(0, _1)
"""

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np

from runtime.ir.slot import Slot
from runtime.tracing.tensor import Tensor


def is_staged_index(index: Any) -> bool:
    """Whether an index, or a bound of a slice, is staged."""
    if isinstance(index, slice):
        return any(isinstance(part, Tensor) for part in (index.start, index.stop, index.step))
    return isinstance(index, Tensor)


def arguments_in(given: tuple) -> Iterator[Any]:
    """The arguments of a method, and the bounds of slices among them."""
    for value in given:
        yield from (value.start, value.stop, value.step) if isinstance(value, slice) else (value,)


def is_operand(part: Any) -> bool:
    """Whether an argument is an operand: a staged value, an array, or a list."""
    return isinstance(part, (Tensor, list, tuple, np.generic, np.ndarray))


def method_attributes(by: str, given: tuple) -> dict[str, Any]:
    """The attributes of a method's op: its arguments, with slots for staged values."""
    numbers = itertools.count(1)

    def slotted(part):
        return Slot(next(numbers)) if is_operand(part) else part

    template = tuple(
        slice(*map(slotted, (v.start, v.stop, v.step))) if isinstance(v, slice) else slotted(v)
        for v in given
    )
    return {"by": by, "given": template}
