"""Intervals of the counters of loops that begin without a test: `for i in range(7)`.

    i = 0; while True: ...; i = i + 1; if not i < 7: break       i is 0, or passed the test: 0 to 6

`analyses/intervals.py` uses a test that holds before the loop and after each iteration; of a loop
over a known range only the second is left.
"""

from typing import Any

from runtime.analyses.intervals import COMPARISONS, Ranges
from runtime.ir.graph import Value
from runtime.ir.regions import Carried


class CountedRanges(Ranges):
    """The intervals of the integer scalars of a graph, regions included."""

    def by_test(self, variable: Carried, before: Any, after: Any) -> Any:
        """The interval of a loop's variable: that of its start, or of an end that passed the test
        against a number."""
        interval = super().by_test(variable, before, after)
        start = self[variable.start]
        for name, left, right in after:
            if left is variable.end and not isinstance(right, Value):
                passed = COMPARISONS[name](interval, self[right])[0]
            elif right is variable.end and not isinstance(left, Value):
                passed = COMPARISONS[name](self[left], interval)[1]
            else:
                continue
            interval = passed.join(start).limited(interval.low, interval.high)
        return interval
