"""What rules need of sizes, which are ints or, where only a run can tell, staged.

grown(d, (3, n))        d repeated to a shape, as `np.broadcast_to` does
zeros((3, n), dtype)    zeros
counted(n)              0, 1, ... n - 1
count(x, axis)          how many elements a reduction takes together
"""

import numpy as np

from runtime.ir.op import find


def _known(shape):
    """The sizes that are known, None for others; and those others."""
    known = tuple(size if isinstance(size, int) else None for size in shape)
    return known, [size for size in shape if not isinstance(size, int)]


def grown(d, shape):
    """A value repeated along the axes of a shape that it broadcasts to."""
    known, unknown = _known(shape)
    if not known:
        return d
    return find("grow_to")(d, *unknown, shape=known) if unknown else np.broadcast_to(d, known)


def zeros(shape, dtype):
    """Zeros."""
    known, unknown = _known(shape)
    return find("full")(0, *unknown, shape=known, dtype=np.dtype(dtype))


def counted(size):
    """The numbers from 0 up to, without, a size."""
    return np.arange(size) if isinstance(size, int) else find("arange")(0, size, 1)


def unit(size):
    """The identity, as bools, which take on the dtype of what they are multiplied with."""
    places = counted(size)
    return places[:, None] == places


def axes_of(x, axis) -> tuple[int, ...]:
    """The axes that a reduction takes together, counted from the front."""
    rank = np.ndim(x)
    if axis is None or not rank:
        return tuple(range(rank))
    return np.lib.array_utils.normalize_axis_tuple(axis, rank)


def count(x, axis):
    """How many elements a reduction takes together."""
    shape, total = np.shape(x), 1
    for each in axes_of(x, axis):
        total = total * shape[each]
    return total


def kept(d, x, axis, keepdims):
    """What belongs to a reduced array with the reduced axes put back, of size one."""
    axes = axes_of(x, axis)
    return d if keepdims or axis is None or not axes else np.expand_dims(d, axes)
