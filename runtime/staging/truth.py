"""The truth of a value, as `if`, `while`, `not` and `bool` ask for it."""

import numpy as np

from runtime.op import find
from runtime.staging.lists import TraceList
from runtime.tensor import Tensor, apply
from runtime.types import BOOL, TEXT, TensorType
from runtime.undefined import PerhapsUndefined


def truth(value):
    """Whether a value counts as true: a staged bool, or a bool where that is known."""
    if isinstance(value, TraceList):
        value = value.length()
    if not isinstance(value, Tensor):
        return bool(value)
    if isinstance(value, PerhapsUndefined):
        value.check_defined()
        value = value.unchecked()
    if value.type == TEXT:
        return apply(find("truth"), value.__getattr__("__len__")())
    if value.type == BOOL or value.type == TensorType(np.dtype(bool)):
        return value
    return apply(find("truth"), value)
