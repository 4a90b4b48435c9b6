"""The truth of a value, for `if`, `while`, `not` and `bool`."""

import numpy as np

from autograph.constructs.ternary import if_expr
from runtime.ir.op import find
from runtime.ir.types import BOOL, STRING, TensorType
from runtime.staging.calls.host_values import HostValue, truth_of
from runtime.staging.calls.staged_range import StagedRange
from runtime.staging.calls.users_conversions import own_truth
from runtime.staging.chosen import Chosen
from runtime.staging.containers import StagedContainer
from runtime.staging.lists.staged_tuple import StagedTuple
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.tracing.conversion import cast
from runtime.tracing.maybe import MaybeNone, MaybeUnbound
from runtime.tracing.tensor import Tensor, apply


def truth(value):
    """The truth of a value: a staged bool, or a bool if it is known."""
    if type(value) is not Tensor:  # most values are, and `isinstance` reads their class
        if isinstance(value, (TraceList, StagedContainer, StagedRange, StagedTuple)):
            value = value.length()
        if isinstance(value, Chosen):
            return value.each(truth)
        if isinstance(value, MaybeNoneObject):
            return _truth_unless_none(value)
    if not isinstance(value, Tensor):
        return own_truth(value)
    if value.is_eager:
        return bool(value)
    if type(value) is not Tensor:
        if isinstance(value, MaybeUnbound):
            value.check_bound()
            value = value.__unchecked__()
        if isinstance(value, MaybeNone):
            return _truth_unless_none(value)
        if isinstance(value, HostValue):
            return truth_of(value)
    if value.type == STRING:
        return apply(find("truth"), value.__getattr__("__len__")())
    if value.type == BOOL or value.type == TensorType(np.dtype(bool)):
        return value
    return apply(find("truth"), value)


def _truth_unless_none(value):
    """The truth of an optional value; None is false."""
    present = value.__unchecked__()
    found = if_expr(value.__is_none__, lambda: False, lambda: truth(present))
    return cast(found, BOOL) if isinstance(found, Tensor) else found
