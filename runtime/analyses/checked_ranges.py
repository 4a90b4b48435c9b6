"""Intervals of the integers of machine code, which ends where one leaves its registers.

y = x * x        y is at most 2 ** 63 - 1 where the code goes on; a NumPy program wraps around
i = i + 1        so a variable that starts at 0 stays above it
"""

from runtime.analyses.counted_ranges import CountedRanges
from runtime.analyses.intervals import Interval, bounds
from runtime.ir.graph import Value
from runtime.ir.types import INT

INT64 = Interval(-(1 << 63), (1 << 63) - 1)


class CheckedRanges(CountedRanges):
    """The intervals of integers in code that ends where one leaves its type, or 64 bits."""

    def limits(self, value: Value) -> Interval:
        """The values that a register may have."""
        return INT64 if value.type is INT else bounds(value)

    def overflowed(self, value: Value, exact: Interval) -> Interval:
        """The values with which the code goes on."""
        limits = self.limits(value)
        return exact.limited(limits.low, limits.high)
