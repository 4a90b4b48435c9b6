"""The truth of a value, as `if`, `while`, `not` and `bool` ask for it."""

import numpy as np

from autograph.constructs.ternary import if_expr
from runtime.ir.op import find
from runtime.ir.types import BOOL, TEXT, TensorType
from runtime.staging.lists.trace_list import TraceList
from runtime.tracing.conversion import cast
from runtime.tracing.tensor import Tensor, apply
from runtime.tracing.undefined import PerhapsNone, PerhapsUndefined


def truth(value):
    """Whether a value counts as true: a staged bool, or a bool where that is known."""
    if isinstance(value, TraceList):
        value = value.length()
    if not isinstance(value, Tensor) or value.is_computed:
        return bool(value)
    if isinstance(value, PerhapsUndefined):
        value.check_defined()
        value = value.unchecked()
    if isinstance(value, PerhapsNone):
        return _truth_unless_none(value)
    if value.type == TEXT:
        return apply(find("truth"), value.__getattr__("__len__")())
    if value.type == BOOL or value.type == TensorType(np.dtype(bool)):
        return value
    return apply(find("truth"), value)


def _truth_unless_none(value):
    """None counts as false."""
    present = value.unchecked()
    found = if_expr(value.absent, lambda: False, lambda: truth(present))
    return cast(found, BOOL) if isinstance(found, Tensor) else found
