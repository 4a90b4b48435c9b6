"""Arguments and subscripts whose values are known while the graph is being built."""

from typing import Any

from runtime.tracing.constant_values import UNKNOWN, constant_value
from runtime.tracing.tensor import Tensor


def with_constants(value: Any) -> Any:
    """A value with its elements in place of staged values that depend on constants only, also
    inside tuples, lists and slices."""
    if isinstance(value, Tensor):
        known = constant_value(value._value)
        return value if known is UNKNOWN else known
    if type(value) in (tuple, list):
        return type(value)(map(with_constants, value))
    if isinstance(value, slice):
        return slice(*map(with_constants, (value.start, value.stop, value.step)))
    return value
