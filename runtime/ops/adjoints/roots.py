"""Powers of lengths and roots, in terms that are smooth where the length or the root is not.

    abs(x) ** 2         x * x           the length has a kink at 0, its square has none
    sqrt(x) ** 2        x
    norm(x) ** 4        sum(x * x) ** 2

Derivatives of the left side, step by step, multiply the slope of the length at zero, which does not
exist, by the zero slope of the square.  Those of the right side are exact, of any order.

A function of this module returns its op's result to the power k, for k of 2 or more, or None if it
knows no such terms for the arguments.
"""

from typing import Any

import numpy as np


def exponent_of_square(x: Any) -> Any:
    """The exponent of `square(x)`."""
    return 2


def exponent_of_product(x: Any, y: Any) -> Any:
    """The exponent of `x * y`, which is a power of x only if both are the same value."""
    return 2 if x is y else None


def exponent_of_power(x: Any, y: Any) -> Any:
    """The exponent of `x ** y`, if it is a Python number."""
    return y if type(y) in (int, float) else None


def raised(square: Any, k: float) -> Any:
    """The power k of a length whose square is given."""
    if k == 2:
        return square
    return np.power(square, k // 2 if k % 2 == 0 else k / 2)


def _squares(x):
    if not np.iscomplexobj(x):
        return x * x
    real, imaginary = np.real(x), np.imag(x)
    return real * real + imaginary * imaginary


def absolute(k: float, x: Any) -> Any:
    """|x| ** k."""
    return raised(_squares(x), k)


def sqrt(k: float, x: Any) -> Any:
    """sqrt(x) ** k, for real x."""
    return None if np.iscomplexobj(x) else raised(x, k)


def hypot(k: float, x: Any, y: Any) -> Any:
    """hypot(x, y) ** k."""
    return raised(x * x + y * y, k)


def std(k: float, x: Any, axis=None, dtype=None, ddof=0, keepdims=False) -> Any:
    """std(x) ** k."""
    return raised(np.var(x, axis=axis, dtype=dtype, ddof=ddof, keepdims=keepdims), k)


def norm(k: float, x: Any, ord=None, axis=None, keepdims=False) -> Any:
    """norm(x) ** k, for the lengths of vectors and the Frobenius norms of matrices."""
    is_vector = isinstance(axis, int) or axis is None and np.ndim(x) == 1
    if not (ord is None or ord == "fro" or ord == 2 and is_vector):
        return None
    return raised(np.sum(_squares(x), axis=axis, keepdims=keepdims), k)


def vector_norm(k: float, x: Any, /, *, axis=None, keepdims=False, ord=2) -> Any:
    """vector_norm(x) ** k, for lengths."""
    return raised(np.sum(_squares(x), axis=axis, keepdims=keepdims), k) if ord == 2 else None


ROOTS = {np.linalg.norm: norm, np.linalg.vector_norm: vector_norm}  # functions called directly
