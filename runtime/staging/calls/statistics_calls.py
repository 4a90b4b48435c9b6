"""`statistics`, for staged values: each run calls the functions, whose results are exact.

statistics.mean(x), statistics.stdev(z)      library calls
"""

import functools
import statistics
from collections.abc import Callable
from typing import Any

from runtime.staging.calls.library_calls import record_library_call
from runtime.staging.calls.registry import register_call
from runtime.staging.generators import consumed_list
from runtime.staging.lists.forms import refuse_forms
from runtime.staging.lists.trace_list import is_staged_list
from runtime.staging.staged_values import holds_staged

NAMES = (
    "correlation covariance fmean geometric_mean harmonic_mean mean median median_high median_low "
    "pstdev pvariance stdev variance"
)


def of_data(function: Callable) -> Callable:
    """The replacement of a function of lists, which is called by each run."""

    @functools.wraps(function)
    def call(*args: Any, **options: Any) -> Any:
        given = tuple(map(data, args))
        if any(map(is_staged_list, args)) or holds_staged((given, options)):
            return record_library_call(function, given, options)
        return function(*given, **options)

    return call


def data(value: Any) -> Any:
    """An argument of such a call: a list of the elements."""
    value = consumed_list(value)
    if is_staged_list(value):
        refuse_forms(value.value.type, "an argument of a function of `statistics`")
        return value.value
    return list(value) if isinstance(value, list) else value


for _name in NAMES.split():
    _function = getattr(statistics, _name)
    register_call(_function, of_data(_function))
