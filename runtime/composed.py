"""NumPy functions that are made of several ops.

They are written with NumPy's own functions, and so take staged values and plain ones alike.
"""

import numpy as np

from runtime.errors import unsupported
from runtime.op import find
from runtime.tensor import apply, cast, staged
from runtime.types import BOOL

COMPOSED = {}


def composed(original):
    """Registers the decorated function as what stands for a NumPy function."""

    def register(function):
        COMPOSED[original] = function
        return function

    return register


@composed(np.clip)
def clip(a, a_min=None, a_max=None, *, min=None, max=None):
    """Limited to an interval; None leaves a side open."""
    low = min if a_min is None else a_min
    high = max if a_max is None else a_max
    a = a if low is None else np.maximum(a, low)
    return a if high is None else np.minimum(a, high)


@composed(np.linalg.norm)
def norm(x, ord=None, axis=None, keepdims=False):
    """The 2-norm of vectors, the Frobenius norm of a matrix."""
    if (
        ord not in (None, 2)
        or isinstance(axis, tuple)
        or (ord == 2 and axis is None and x.ndim > 1)
    ):
        raise unsupported(f"np.linalg.norm(ord={ord!r})")
    return np.sqrt(np.sum(np.square(np.abs(x)), axis=axis, keepdims=keepdims))


@composed(np.array_equal)
def array_equal(a1, a2, equal_nan=False):
    """Whether two arrays have the same shape and elements."""
    if equal_nan:
        raise unsupported("np.array_equal(equal_nan=)")
    first, second = staged(a1), staged(a2)
    if first.type.ndim != second.type.ndim:
        return False
    for one, other in zip(first.type.shape, second.type.shape, strict=True):
        if isinstance(one, int) and isinstance(other, int) and one != other:
            return False
    return cast(np.all(first == second), BOOL)


@composed(np.vstack)
def vstack(tup):
    """Rows on top of each other."""
    return np.concatenate([np.atleast_2d(rows) for rows in tup], axis=0)


@composed(np.hstack)
def hstack(tup):
    """Columns side by side."""
    parts = [np.atleast_1d(part) for part in tup]
    return np.concatenate(parts, axis=0 if parts[0].ndim == 1 else 1)


@composed(np.atleast_1d)
def atleast_1d(ary):
    """With one dimension at least."""
    return ary if np.ndim(ary) else np.reshape(ary, (1,))


@composed(np.atleast_2d)
def atleast_2d(ary):
    """With two dimensions at least."""
    return ary if np.ndim(ary) > 1 else np.reshape(ary, (1, -1))


@composed(np.round)
def round_(a, decimals=0):
    """To the nearest number of that many decimals, halves to the even one."""
    if decimals >= 0 and a.dtype.kind in "iu":
        return a
    if decimals == 0:
        return np.rint(a)
    scale = 10.0**decimals
    return np.rint(a * scale) / scale


def _filled_like(value):
    """What stands for `np.zeros_like`, `np.ones_like` and `np.empty_like`."""

    def like(prototype, dtype=None, order="K", subok=True, shape=None):
        return full_like(prototype, value, dtype, shape=shape)

    return like


@composed(np.full_like)
def full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None):
    """An array of one value, with the shape and dtype of another."""
    sizes = a.shape if shape is None else (shape,) if isinstance(shape, int) else tuple(shape)
    known = tuple(size if isinstance(size, int) else None for size in sizes)
    unknown = [size for size in sizes if not isinstance(size, int)]
    dtype = np.dtype(a.dtype if dtype is None else dtype)
    return apply(find("full"), fill_value, *unknown, shape=known, dtype=dtype)


for _original, _value in ((np.zeros_like, 0), (np.ones_like, 1), (np.empty_like, 0)):
    composed(_original)(_filled_like(_value))


@composed(np.copy)
def copy(a):
    """An array of its own with the same elements."""
    return a.copy()


@composed(np.ndim)
def ndim(a):
    """The number of dimensions."""
    return a.ndim


@composed(np.shape)
def shape(a):
    """The sizes of the dimensions."""
    return a.shape


@composed(np.size)
def size(a, axis=None):
    """The number of elements, along an axis or in all."""
    return a.size if axis is None else a.shape[axis]
