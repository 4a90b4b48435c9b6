"""Adjoints of ops that move elements: each cotangent moves back to its element's position."""

import numpy as np

from runtime.ir.derivative import PartialCotangent
from runtime.ir.op import find
from runtime.ir.slot import Slot
from runtime.ops.adjoints.sizes import counted


def reshape(d, r, x, *sizes, **shape):
    """d in the shape of x; also used by ops without operands for sizes."""
    return (np.reshape(d, np.shape(x)), *(None for _ in sizes))


def transpose(d, r, x, axes=None):
    """The inverse permutation of the axes."""
    if axes is None:
        return (np.transpose(d),)
    back = np.argsort(np.lib.array_utils.normalize_axis_tuple(axes, np.ndim(x)))
    return (np.transpose(d, tuple(map(int, back))),)


def squeeze(d, r, x, axis=None):
    """The removed axes of size one, restored."""
    if axis is None or not np.ndim(x):
        return (np.reshape(d, np.shape(x)),)
    return (np.expand_dims(d, axis),)


def diagonal(d, r, x, offset=0, axis1=0, axis2=1):
    """d is added on the diagonal."""
    rows = counted(np.shape(d)[-1]) + max(-offset, 0)
    columns = counted(np.shape(d)[-1]) + max(offset, 0)

    def added(total):
        moved = np.moveaxis(total, (axis1, axis2), (-2, -1))
        at = (Ellipsis, Slot(0), Slot(1))
        return np.moveaxis(
            find("added_at")(moved, d, rows, columns, at=at), (-2, -1), (axis1, axis2)
        )

    return (PartialCotangent(added),)


def roll(d, r, x, shift, axis=None):
    """A roll in the opposite direction."""
    back = tuple(-s for s in shift) if isinstance(shift, tuple) else -shift
    return (np.roll(d, back, axis),)


def sort(d, r, x, axis=-1):
    """Each element gets the cotangent at the position to which it was sorted."""
    if axis is None:
        return (np.reshape(sort(d, r, np.ravel(x), 0)[0], np.shape(x)),)
    places = np.argsort(np.argsort(x, axis=axis), axis=axis)
    return (np.take_along_axis(d, places, axis),)


def concatenate(d, r, *parts, axis=0):
    """Each array gets its part of d."""
    if axis is None:
        rows = concatenate(d, r, *map(_raveled, parts))
        return tuple(np.reshape(row, np.shape(x)) for row, x in zip(rows, parts, strict=True))
    before = (slice(None),) * (axis % np.ndim(d))
    found, start = [], 0
    for part in parts:
        end = start + np.shape(part)[axis]
        found.append(d[(*before, slice(start, end))])
        start = end
    return tuple(found)


def _raveled(x):
    return np.reshape(x, (-1,))


def stack(d, r, *parts, axis=0):
    """Each array gets its slice of d along the new axis."""
    before = (slice(None),) * (axis % np.ndim(d))
    return tuple(d[(*before, i)] for i in range(len(parts)))


def arange(d, r, start, stop, step, dtype=None):
    """Element i is start + i * step; the stop value has no influence."""
    return np.sum(d), None, np.sum(d * counted(np.shape(d)[0]))
