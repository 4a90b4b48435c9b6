"""Loops of adjoints run speculatively: first with plain products, then, if need be, with `scaled`.

    while True:
        d_x, d_w = ...                          the starts, which stay as they are
        while v != 0:
            ...
            d_x = product(d_y, w)               `operator.mul`: no test for zeros beside infinities
        if product is scaled or has_no_nan(d_x, d_w):
            break
        product = scaled                        again, with the test

A product of zero and infinity is nan, and a sum with nan is nan.  So if no cotangent that the loop
returns is nan, no such product has contributed to one.
"""

import operator
from typing import Any

import numpy as np

from runtime.ops.cotangents import may_hold_nan

PRODUCT = operator.mul


def has_no_nan(*values: Any) -> bool:
    """Whether there is no nan in some numbers, arrays, and lists and tuples of them."""
    for value in values:
        if isinstance(value, list):
            if not (_row_has_none(value) if _are_arrays(value) else has_no_nan(*value)):
                return False
        elif isinstance(value, tuple):
            if not has_no_nan(*value):
                return False
        elif isinstance(value, np.ndarray):
            if not _row_has_none([value]):
                return False
        elif value != value:
            return False
    return True


def _are_arrays(values: Any) -> bool:
    return bool(values) and isinstance(values[0], np.ndarray)


def _row_has_none(arrays: Any) -> bool:
    """Whether there is no nan in arrays of one dtype."""
    if arrays[0].dtype.kind not in "fc":
        return True
    row = (
        np.concatenate([array.ravel("K") for array in arrays])
        if arrays[1:]
        else arrays[0].ravel("K")
    )
    return not may_hold_nan(row)  # type: ignore[no-untyped-call]
