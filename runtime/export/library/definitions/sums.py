"""Sums along an array, and functions of sums."""

import numpy as np

import autograph
from runtime.export.library.definitions.table import defines, is_float, is_row


@defines("cumsum")
def cumulative_sum(x):
    """Each element plus all elements before it."""
    return _accumulated(x, np.add) if _keeps_dtype(x) else NotImplemented


@defines("cumprod")
def cumulative_product(x):
    """Each element times all elements before it."""
    return _accumulated(x, np.multiply) if _keeps_dtype(x) else NotImplemented


def _keeps_dtype(x):
    """Whether NumPy accumulates the elements in their own dtype."""
    return is_row(x) and (is_float(x) or x.dtype.itemsize == 8)


@autograph.convert
def _accumulated(x, combine):
    found = np.zeros(len(x), x.dtype)
    if len(x) > 0:
        total = x[0]
        found[0] = total
        for i in range(1, len(x)):
            total = combine(total, x[i])
            found[i] = total
    return found


@defines("var")
def variance(x, axis=None, dtype=None, ddof=0, keepdims=False):
    """The mean of the squared distances from the mean."""
    if not _is_whole(x, axis, dtype, keepdims) or type(ddof) is not int:
        return NotImplemented
    return _variance(x, ddof)


@defines("std")
def standard_deviation(x, axis=None, dtype=None, ddof=0, keepdims=False):
    """The root of the variance."""
    if not _is_whole(x, axis, dtype, keepdims) or type(ddof) is not int:
        return NotImplemented
    return np.sqrt(_variance(x, ddof))


def _is_whole(x, axis, dtype, keepdims):
    is_plain = axis is None and dtype is None and not keepdims
    return is_plain and is_row(x) and is_float(x)


@autograph.convert
def _variance(x, ddof):
    distances = x - np.sum(x) / len(x)
    return np.sum(distances * distances) / max(len(x) - ddof, 0)


@defines("diff")
def differences(x):
    """Each element minus the one before it."""
    return x[1:] - x[:-1] if is_row(x) else NotImplemented


@defines("outer")
def outer_product(x, y):
    """All products of an element of x and one of y."""
    return x[:, None] * y if is_row(x) and is_row(y) else NotImplemented


@defines("linalg_norm")
def norm(x):
    """The root of the sum of squares, which a product of the array with itself gives."""
    return np.sqrt(np.dot(x, x)) if is_row(x) and is_float(x) else NotImplemented


@defines("ptp")
def span(x):
    """The distance between the largest and the smallest element."""
    return np.max(x) - np.min(x) if is_row(x) else NotImplemented


@defines("convolve")
def convolution(x, y):
    """The sums of products of elements whose positions have one sum."""
    if not (is_row(x) and is_row(y) and is_float(x) and x.dtype == y.dtype):
        return NotImplemented
    if len(x) == 0:
        raise ValueError("a cannot be empty")
    if len(y) == 0:
        raise ValueError("v cannot be empty")
    found = np.zeros(len(x) + len(y) - 1, x.dtype)
    for i in range(len(x)):
        for k in range(len(y)):
            found[i + k] += x[i] * y[k]
    return found


@defines("polyval")
def polynomial(coefficients, x):
    """The value of a polynomial by Horner's rule."""
    if not (is_row(coefficients) and is_float(coefficients)) or getattr(x, "ndim", 0):
        return NotImplemented
    found = 0.0 * x
    for i in range(len(coefficients)):
        found = found * x + coefficients[i]
    return found
