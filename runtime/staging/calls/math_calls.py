"""`math`, for numbers of which only a run knows how many there are.

math.fsum(z), math.dist(p, q), math.hypot(*z)       library calls: their results are exact
math.prod(z)                                        a product from the left to the right
"""

import functools
import math
import operator
from collections.abc import Callable
from typing import Any

from autograph.functions.calls import converted_call
from runtime.ops.library import length_of
from runtime.staging.calls.builtins import mathematical
from runtime.staging.calls.iteration import is_staged_iterable
from runtime.staging.calls.library_calls import record_library_call
from runtime.staging.calls.registry import answers, register_call
from runtime.staging.calls.starred_calls import RULES, whole
from runtime.staging.calls.statistics_calls import data, of_data
from runtime.staging.generators import consumed_list
from runtime.staging.lists.trace_list import is_staged_list


@answers(math.prod)
def staged_prod(iterable: Any, /, *, start: Any = 1) -> Any:
    """The product of the elements."""
    items = consumed_list(iterable)
    if is_staged_iterable(items):
        return converted_call(functools.reduce)(operator.mul, items, start)
    return mathematical(math.prod)(items, start=start)


def _hypot(found, args):
    return record_library_call(length_of, (data(whole(args)),), {})


def _of_lists(function: Callable) -> Callable:
    """The replacement of a function that takes lists of numbers."""
    of_lists, of_values = of_data(function), mathematical(function)

    @functools.wraps(function)
    def call(*args: Any) -> Any:
        args = tuple(map(consumed_list, args))
        return (of_lists if any(map(is_staged_list, args)) else of_values)(*args)

    return call


register_call(math.fsum, _of_lists(math.fsum))
register_call(math.dist, _of_lists(math.dist))
RULES[math.hypot] = _hypot
