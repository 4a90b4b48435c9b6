"""`range(...)` with a staged bound.

for i in range(n)           a staged loop
x[range(n)], x + range(n)   where NumPy takes an array: the numbers
k in range(n), range(n)[2]  computed from the bounds
return range(n), str(...)   each run makes a range of Python
"""

import operator
import sys
from typing import Any

import numpy as np

from autograph.constructs.boolean import and_
from autograph.constructs.ternary import if_expr
from runtime.errors import HashNeededError, asked_for, staging_error, unsupported
from runtime.ir.op import find
from runtime.ir.types import BOOL, INT
from runtime.staging.calls.host_values import asked
from runtime.staging.calls.run_errors import check
from runtime.staging.generators import in_python
from runtime.tracing.axis_errors import not_an_integer
from runtime.tracing.conversion import cast
from runtime.tracing.matching import reads_class
from runtime.tracing.numpy_api.positions import integer_of
from runtime.tracing.read_as_array import ReadAsArray
from runtime.tracing.strings import StagedString
from runtime.tracing.tensor import Tensor, apply
from runtime.tracing.unconverted_texts import text_outside


class StagedRange(ReadAsArray):
    """`range(...)` with a staged bound."""

    kind = range

    @property
    def __class__(self) -> Any:
        """The class that code reads."""
        return range if reads_class(sys._getframe(1)) else StagedRange

    def __init__(self, *bounds):
        start, stop, step = {1: (0, *bounds, 1), 2: (*bounds, 1), 3: bounds}[len(bounds)]
        self.start, self.stop, self.step = (as_integer(bound) for bound in (start, stop, step))
        check(self.step != 0, ValueError, "range() arg 3 must not be zero")

    def length(self) -> Any:
        """The number of elements."""
        count = -((self.start - self.stop) // self.step)
        return if_expr(count > 0, lambda: count, lambda: 0)

    def numbers(self) -> Any:
        """The numbers as an array."""
        return apply(find("arange"), self.start, self.stop, self.step)

    def of_run(self) -> Any:
        """The range of Python that each run makes."""
        return asked(range, self.start, self.stop, self.step)

    def reversed(self) -> "StagedRange":
        """The same numbers from the last to the first."""
        last = self.start + (self.length() - 1) * self.step
        return StagedRange(last, self.start - self.step, -self.step)

    def contains(self, item: Any, within: Any = None) -> Any:
        """`item in range(...)`"""
        if isinstance(item, Tensor) and item.type.ndim != 0:
            raise unsupported("an array is looked for in a range")
        if not isinstance(item, (Tensor, int, float, np.integer, np.floating)):
            return asked(operator.contains, self.of_run(), item, kind=BOOL)
        if isinstance(item, np.integer) or isinstance(item, Tensor) and item.dtype.kind in "iub":
            item = as_integer(item)
        first, last = self.start, self.stop
        upwards = and_(first <= item, lambda: item < last)
        downwards = and_(last < item, lambda: item <= first)
        is_inside = if_expr(self.step > 0, lambda: upwards, lambda: downwards)
        return and_(is_inside, lambda: cast((item - first) % self.step == 0, BOOL))

    def __getitem__(self, index):
        length = self.length()
        if isinstance(index, slice):
            parts = index.start, index.stop, index.step
            first, last, step = in_python(bounds_of_part)(*parts, length)
            at = self.start + first * self.step, self.start + last * self.step
            return StagedRange(*at, step * self.step)
        index = as_integer(index)
        is_inside = and_(-length <= index, lambda: index < length)
        check(is_inside, IndexError, "range object index out of range")
        position = if_expr(index < 0, lambda: index + length, lambda: index)
        return self.start + position * self.step

    def __getattr__(self, name: str) -> Any:
        if hasattr(range, name) and not name.startswith("__"):
            raise unsupported(f"the method {name!r} of a range with a staged bound")
        raise AttributeError(f"'range' object has no attribute {name!r}")

    def __eq__(self, other: Any) -> Any:
        if not isinstance(other, (StagedRange, range)):
            return NotImplemented
        other = other.of_run() if isinstance(other, StagedRange) else other
        return asked(operator.eq, self.of_run(), other, kind=BOOL)

    def __ne__(self, other: Any) -> Any:
        if not isinstance(other, (StagedRange, range)):
            return NotImplemented
        other = other.of_run() if isinstance(other, StagedRange) else other
        return asked(operator.ne, self.of_run(), other, kind=BOOL)

    def __repr__(self) -> str:
        return text_outside("a range with a staged bound", "<staged range>")

    def __hash__(self) -> int:
        raise staging_error(
            "a range with a staged bound cannot be an element of a set or a key of a dict",
            "Its hash depends on its bounds, which are known only at run time.",
            "Use the bounds as the key: (start, stop).",
            HashNeededError,
        )

    def __iter__(self):
        raise asked_for("the bounds of a range are known only at run time")


def bounds_of_part(start, stop, step, length):
    """`slice(start, stop, step).indices(length)`"""
    step = 1 if step is None else step
    lowest, highest = (0, length) if step > 0 else (-1, length - 1)
    if start is None:
        start = lowest if step > 0 else highest
    elif start < 0:
        start = max(start + length, lowest)
    else:
        start = min(start, highest)
    if stop is None:
        stop = highest if step > 0 else lowest
    elif stop < 0:
        stop = max(stop + length, lowest)
    else:
        stop = min(stop, highest)
    return start, stop, step


def as_integer(bound):
    """A bound of a range, or another staged number that Python uses as an index, as a Python
    int."""
    if not isinstance(bound, Tensor):
        return bound.__index__()
    if isinstance(bound, StagedString):
        raise not_an_integer(bound.type)
    bound = integer_of(bound)
    is_integer = bound.dtype.kind in "iu" or bound.type == BOOL
    if bound.type.ndim != 0 or not is_integer:
        raise not_an_integer(bound.type)
    return cast(bound, INT)
