"""Adjoints of reductions and scans.

sum, mean       the same cotangent for every element
max, min        only the extreme elements get a cotangent; ties share it equally
prod, cumprod   products of the other elements, which stay correct where elements are zero
std             0 where all elements are equal, since there is no derivative
"""

import numpy as np

from runtime.ir.op import find
from runtime.ops.adjoints.products import conjugated
from runtime.ops.adjoints.sizes import axes_of, count, grown, kept

# -- sums ------------------------------------------------------------------------------------------


def sum(d, r, x, axis=None, dtype=None, keepdims=False):
    """The cotangent of the sum, broadcast to the operand."""
    return (grown(kept(d, x, axis, keepdims), np.shape(x)),)


def mean(d, r, x, axis=None, dtype=None, keepdims=False):
    """The cotangent of the mean over the number of elements, broadcast to the operand."""
    return sum(d / count(x, axis), r, x, axis, dtype, keepdims)


def var(d, r, x, axis=None, dtype=None, ddof=0, keepdims=False):
    """Twice the deviation from the mean, over n - ddof."""
    distance = x - np.mean(x, axis=axis, dtype=dtype, keepdims=True)
    return (_scaled(kept(2 * d / (count(x, axis) - ddof), x, axis, keepdims), distance),)


def std(d, r, x, axis=None, dtype=None, ddof=0, keepdims=False):
    """The deviation from the mean in standard deviations, over n - ddof."""
    each = d / (count(x, axis) - ddof) / np.where(r == 0, 1, r)
    distance = x - np.mean(x, axis=axis, dtype=dtype, keepdims=True)
    return (_scaled(kept(each, x, axis, keepdims), distance),)


def _scaled(d, slope):
    """d times the slope, and zero where d is zero, also next to infinity and nan."""
    return find("scaled")(d, slope)


def cumsum(d, r, x, axis=None, dtype=None):
    """The reversed cumulative sum."""
    if axis is None or not np.ndim(x):
        return (np.reshape(sums_from_behind(d, 0), np.shape(x)),)
    return (sums_from_behind(d, axis),)


def sums_from_behind(d, axis):
    """For each element, the sum from that element to the end of the axis."""
    return np.flip(np.cumsum(np.flip(d, axis), axis=axis), axis)


# -- extremes --------------------------------------------------------------------------------------


def extreme(d, r, x, axis=None, keepdims=False):
    """The elements that equal the extreme share its cotangent."""
    is_extreme = x == kept(r, x, axis, keepdims)
    several = np.sum(is_extreme, axis=axis, dtype=d.dtype, keepdims=keepdims)
    share = d / np.maximum(several, 1)  # if the extreme is nan, no element equals it
    return (np.where(is_extreme, kept(share, x, axis, keepdims), 0),)


# -- products --------------------------------------------------------------------------------------


def prod(d, r, x, axis=None, dtype=None, keepdims=False):
    """For each element, the product of all others."""
    axes = axes_of(x, axis)
    if not axes:
        return (d,)
    last = tuple(range(-len(axes), 0))
    moved = np.moveaxis(x, axes, last)
    row = conjugated(np.reshape(moved, (*np.shape(moved)[: -len(axes)], count(x, axis))))
    others = products_before(row) * np.flip(products_before(np.flip(row, -1)), -1)
    others = np.moveaxis(np.reshape(others, np.shape(moved)), last, axes)
    return (_scaled(kept(d, x, axis, keepdims), others),)


def products_before(row):
    """For each element, the product of all elements before it, along the last axis."""
    first = np.ones_like(row[..., :1], order="C")
    return np.concatenate([first, np.cumprod(row[..., :-1], axis=-1)], axis=-1)


def cumprod(d, r, x, axis=None, dtype=None):
    """For x[i]: the product before i, times the sum over j >= i of d[j] times x[i + 1] ... x[j]."""
    if axis is None or not np.ndim(x):
        found = _of_products(d, np.ravel(x) if np.ndim(x) else np.reshape(x, (1,)))
        return (np.reshape(found, np.shape(x)),)
    found = _of_products(np.moveaxis(d, axis, -1), np.moveaxis(x, axis, -1))
    return (np.moveaxis(found, -1, axis),)


def _of_products(d, row):
    row = conjugated(row)
    return products_before(row) * find("recurrence_behind")(d, row)
