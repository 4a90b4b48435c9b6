"""Shapes in differentiation rules: sizes are ints or, if known only at run time, staged.

grown(d, (3, n))        d broadcast to a shape, like `np.broadcast_to`
zeros((3, n), dtype)    zeros, like `np.zeros`
counted(n)              0, 1, ... n - 1, like `np.arange`
count(x, axis)          the number of elements that a reduction combines
"""

import numpy as np

from runtime.ir.op import find


def _known(shape):
    """The shape with None for each staged size, and the staged sizes."""
    known = tuple(size if isinstance(size, int) else None for size in shape)
    return known, [size for size in shape if not isinstance(size, int)]


def grown(d, shape):
    """A value broadcast to a shape."""
    known, unknown = _known(shape)
    if not known:
        return d
    return find("grow_to")(d, *unknown, shape=known) if unknown else np.broadcast_to(d, known)


def zeros(shape, dtype):
    """Zeros of some shape and dtype."""
    known, unknown = _known(shape)
    return find("full")(0, *unknown, shape=known, dtype=np.dtype(dtype))


def counted(size):
    """The integers from 0 up to, but not including, a size."""
    return np.arange(size) if isinstance(size, int) else find("arange")(0, size, 1)


def unit(size):
    """The identity matrix of bools, so that a product with it keeps the other factor's dtype."""
    places = counted(size)
    return places[:, None] == places


def axes_of(x, axis) -> tuple[int, ...]:
    """The axes that a reduction combines, as non-negative ints."""
    rank = np.ndim(x)
    if axis is None or not rank:
        return tuple(range(rank))
    return np.lib.array_utils.normalize_axis_tuple(axis, rank)


def count(x, axis):
    """The number of elements that a reduction combines into one."""
    shape, total = np.shape(x), 1
    for each in axes_of(x, axis):
        total = total * shape[each]
    return total


def kept(d, x, axis, keepdims):
    """d, which has the shape of a reduction of x, with the reduced axes restored as size one.

    If all axes were reduced (`axis=None`), d is a scalar, which broadcasts as it is.
    """
    axes = axes_of(x, axis)
    return d if keepdims or axis is None or not axes else np.expand_dims(d, axes)
