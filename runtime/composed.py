"""NumPy functions that are made of several ops.

They are written with NumPy's own functions, and so take staged values and plain ones alike.
"""

import numpy as np

from runtime.errors import unsupported
from runtime.op import find
from runtime.tensor import apply, cast, staged
from runtime.types import BOOL, PythonType

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


# -- what changes an array ------------------------------------------------------------------------


@composed(np.copyto)
def copyto(dst, src, casting="same_kind", where=True):
    """Gives an array the elements of another, where `where` is true."""
    source = staged(src)
    if not (isinstance(source.type, PythonType) or np.can_cast(source.dtype, dst.dtype, casting)):
        raise TypeError(
            f"Cannot cast array data from {source.dtype!r} to {dst.dtype!r} according to the rule "
            f"{casting!r}"
        )
    dst[...] = source if where is True else np.where(where, source, dst).astype(dst.dtype)


@composed(np.putmask)
def putmask(a, mask, values):
    """Gives an array other elements where a mask is true; `values` has its shape, or is one."""
    if np.ndim(values) and np.shape(values) != a.shape:
        raise unsupported("np.putmask with values of another shape")
    a[...] = np.where(mask, values, a).astype(a.dtype)


@composed(np.put)
def put(a, ind, v, mode="raise"):
    """Gives the elements at some places of the flattened array other values."""
    if mode != "raise":
        raise unsupported(f"np.put(mode={mode!r})")
    if np.ndim(v) and np.shape(v) != np.shape(ind):
        raise unsupported("np.put with another number of values than places")
    flat = np.ravel(a).copy()
    flat[ind] = v
    a[...] = np.reshape(flat, a.shape)


@composed(np.fill_diagonal)
def fill_diagonal(a, val, wrap=False):
    """Gives the diagonal of a matrix other elements."""
    if a.ndim != 2 or wrap:
        raise unsupported("np.fill_diagonal of what is no matrix")
    places = np.arange(min(a.shape))
    a[places, places] = val


# -- views ---------------------------------------------------------------------------------------


@composed(np.moveaxis)
def moveaxis(a, source, destination):
    """Axes in other places."""
    source = np.lib.array_utils.normalize_axis_tuple(source, a.ndim, "source")
    destination = np.lib.array_utils.normalize_axis_tuple(destination, a.ndim, "destination")
    order = [axis for axis in range(a.ndim) if axis not in source]
    for place, axis in sorted(zip(destination, source, strict=True)):
        order.insert(place, axis)
    return np.transpose(a, order)


@composed(np.split)
def split(ary, indices_or_sections, axis=0):
    """Parts of equal size, or parts that begin at some places."""
    size = ary.shape[axis]
    places = indices_or_sections
    if isinstance(places, int):
        if isinstance(size, int) and size % places:
            raise ValueError("array split does not result in an equal division")
        places = [size // places * i for i in range(1, places)]
    bounds = [0, *places, size]
    before = (slice(None),) * (axis % ary.ndim)
    return [ary[(*before, slice(a, b))] for a, b in zip(bounds, bounds[1:], strict=False)]


@composed(np.fliplr)
def fliplr(m):
    """The columns in reverse order."""
    return m[:, ::-1]


@composed(np.flipud)
def flipud(m):
    """The rows in reverse order."""
    return m[::-1, ...]


@composed(np.real)
def real(val):
    """The real parts; a real array is its own."""
    return val if val.dtype.kind != "c" else apply(find("real"), val)


@composed(np.imag)
def imag(val):
    """The imaginary parts."""
    return np.zeros_like(val) if val.dtype.kind != "c" else apply(find("imag"), val)


@composed(np.angle)
def angle(z, deg=False):
    """The angles of complex numbers."""
    found = np.arctan2(np.imag(z), np.real(z))
    return found * (180 / np.pi) if deg else found


@composed(np.diag)
def diag(v, k=0):
    """A matrix with a diagonal, or the diagonal of a matrix."""
    return np.diagflat(v, k) if v.ndim == 1 else np.diagonal(v, k)


# -- about an array --------------------------------------------------------------------------------


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
