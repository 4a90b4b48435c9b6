"""NumPy functions that return views of their argument, decomposed into ops that do.

np.split(x, 3), np.moveaxis(x, 0, 1)        subscripts, `transpose`
np.reshape(x, (2, 3), order="F")            `reshape` of the transposed array, transposed
"""

import numpy as np

from runtime.errors import UnknownTypeError, staging_error, unsupported
from runtime.ir.broadcasting import ShapeError, broadcast
from runtime.ir.op import find
from runtime.ir.types import BOOL, INT, BoxType, is_array
from runtime.tracing.conversion import cast
from runtime.tracing.numpy_api.decompositions import check_order
from runtime.tracing.numpy_api.positions import sole_size
from runtime.tracing.numpy_api.registry import alias, composed
from runtime.tracing.requirements import require
from runtime.tracing.tensor import Tensor, apply, staged


@composed(np.reshape)
def reshape(a, /, shape, order="C", *, copy=None):
    """The same elements in another shape."""
    check_order(order, "CF")
    a = staged(a)
    sizes = _sizes(shape)
    if order == "F":
        found = np.transpose(reshape(np.transpose(a), sizes[::-1]))
    else:
        found = _reshaped(a, sizes)
    return found.copy() if copy else found


def _sizes(shape):
    """The sizes in a shape, which may be a single size; any of them may be staged."""
    is_one = not isinstance(shape, (tuple, list)) and np.ndim(shape) == 0
    if is_one and not isinstance(shape, (int, np.integer, Tensor)):
        return (sole_size(shape),)
    return (shape,) if is_one else tuple(shape)


def _reshaped(a, sizes):
    known = tuple(None if isinstance(size, Tensor) else int(size) for size in sizes)
    unknown = [size for size in sizes if isinstance(size, Tensor)]
    if unknown:
        return apply(find("reshape_to"), a, *unknown, shape=known)
    return apply(find("reshape"), a, shape=known)


@composed(np.ravel)
def ravel(a, order="C"):
    """All elements in one dimension."""
    a = staged(a)
    check_order(order if a.ndim > 1 else "C", "CF")
    return apply(find("ravel"), np.transpose(a) if order == "F" else a)


@composed(np.squeeze)
def squeeze(a, axis=None):
    """Without axes of size one."""
    a = staged(a)
    if axis is None and not all(isinstance(size, int) for size in a.type.shape):
        raise staging_error(
            "np.squeeze is called without axis, and a size of the array is known only at run time",
            "The number of remaining dimensions depends on that size.",
            "Name the axis: np.squeeze(x, axis=0).",
            UnknownTypeError,
        )
    return apply(find("squeeze"), a, axis=axis)


@composed(np.broadcast_to)
def broadcast_to(array, shape, subok=False):
    """Repeated along axes of size one."""
    sizes = _sizes(shape)
    if any(isinstance(size, Tensor) for size in sizes):
        raise unsupported("np.broadcast_to of a staged shape", "Use np.full, or np.tile.")
    return apply(find("broadcast_to"), array, shape=tuple(map(int, sizes)))


@composed(np.broadcast_arrays)
def broadcast_arrays(*args, subok=False):
    """Arrays that are repeated to the shape that they have together."""
    arrays = [a if is_array(a.type) else cast(a, BoxType(a.dtype)) for a in map(staged, args)]
    try:
        shape = broadcast(*(array.type.shape for array in arrays))
    except ShapeError as error:
        np.broadcast_arrays(*(np.broadcast_to(0, array.type.shape) for array in arrays))
        raise error
    return tuple(a if a.type.shape == shape else np.broadcast_to(a, shape) for a in arrays)


def _with_dimensions(count, grown):
    """The replacement of `np.atleast_1d` and similar; `grown` adds the dimensions."""

    def atleast(*arys):
        found = [a if a.ndim >= count else grown(a) for a in map(staged, arys)]
        return found[0] if len(found) == 1 else tuple(found)

    return atleast


def _grown_to_three(a):
    if a.ndim == 2:
        return a[:, :, None]
    return a[None, :, None] if a.ndim == 1 else np.reshape(a, (1, 1, 1))


composed(np.atleast_1d)(_with_dimensions(1, lambda a: np.reshape(a, (1,))))
composed(np.atleast_2d)(
    _with_dimensions(2, lambda a: a[None, :] if a.ndim else np.reshape(a, (1, 1)))
)
composed(np.atleast_3d)(_with_dimensions(3, _grown_to_three))


@composed(np.matrix_transpose)
def matrix_transpose(x, /):
    """The last two axes exchanged."""
    if x.ndim < 2:
        raise ValueError(
            f"Input array must be at least 2-dimensional, but it is {x.ndim}",
        )
    return np.swapaxes(x, -1, -2)


alias((np.linalg.matrix_transpose, np.matrix_transpose))


@composed(np.linalg.diagonal)
def linalg_diagonal(x, /, *, offset=0):
    """The diagonals of matrices."""
    return np.diagonal(x, offset, -2, -1)


@composed(np.rollaxis)
def rollaxis(a, axis, start=0):
    """An axis moved backwards to a place."""
    axis = np.lib.array_utils.normalize_axis_index(axis, a.ndim)
    start = start + a.ndim if start < 0 else start
    order = [i for i in range(a.ndim) if i != axis]
    order.insert(start - (axis < start), axis)
    return np.transpose(a, order)


@composed(np.rot90)
def rot90(m, k=1, axes=(0, 1)):
    """The array rotated by right angles in the plane of two axes."""
    first, second = axes
    k %= 4
    if k == 0:
        return m[:]
    if k == 2:
        return np.flip(np.flip(m, first), second)
    if k == 1:
        return np.swapaxes(np.flip(m, second), first, second)
    return np.flip(np.swapaxes(m, first, second), second)


@composed(np.unstack)
def unstack(x, /, *, axis=0):
    """The parts along an axis."""
    if not isinstance(x.type.shape[axis], int):
        raise unsupported("np.unstack along a dimension with a size known only at run time")
    return tuple(np.moveaxis(x, axis, 0))


@composed(np.moveaxis)
def moveaxis(a, source, destination):
    """The array with axes moved to other positions."""
    source = np.lib.array_utils.normalize_axis_tuple(source, a.ndim, "source")
    destination = np.lib.array_utils.normalize_axis_tuple(destination, a.ndim, "destination")
    order = [axis for axis in range(a.ndim) if axis not in source]
    for place, axis in sorted(zip(destination, source, strict=True)):
        order.insert(place, axis)
    return np.transpose(a, order)


@composed(np.array_split)
def array_split(ary, indices_or_sections, axis=0):
    """Parts of nearly equal size, or parts that begin at given indices."""
    size = ary.shape[axis]
    places = _known_sections(indices_or_sections)
    if isinstance(places, (int, np.integer)):
        if not isinstance(size, int):
            raise unsupported("np.array_split along a dimension with a size known only at run time")
        if places <= 0:
            raise ValueError("number sections must be larger than 0.")
        each, larger = divmod(size, places)
        sizes = [each + 1] * larger + [each] * (places - larger)
        places = np.cumsum(sizes)[:-1].tolist()
    bounds = [0, *places, size]
    before = (slice(None),) * (axis % ary.ndim)
    return [ary[(*before, slice(a, b))] for a, b in zip(bounds, bounds[1:], strict=False)]


def _known_sections(places):
    """The indices at which parts begin, or the number of parts, which must be known."""
    if isinstance(places, Tensor) and places.ndim == 0:
        raise unsupported("np.split into a number of parts known only at run time")
    return places


@composed(np.split)
def split(ary, indices_or_sections, axis=0):
    """Parts of equal size, or parts that begin at given indices."""
    size = ary.shape[axis]
    places = _known_sections(indices_or_sections)
    if isinstance(places, int):
        why = "array split does not result in an equal division"
        if not isinstance(size, int):
            require(staged(size) % places == 0, ValueError, why)
        elif size % places:
            raise ValueError(why)
        places = [size // places * i for i in range(1, places)]
    return array_split(ary, places, axis)


@composed(np.hsplit)
def hsplit(ary, indices_or_sections):
    """Parts side by side."""
    if np.ndim(ary) == 0:
        raise ValueError("hsplit only works on arrays of 1 or more dimensions")
    return split(ary, indices_or_sections, 1 if ary.ndim > 1 else 0)


@composed(np.vsplit)
def vsplit(ary, indices_or_sections):
    """Parts on top of each other."""
    if np.ndim(ary) < 2:
        raise ValueError("vsplit only works on arrays of 2 or more dimensions")
    return split(ary, indices_or_sections, 0)


@composed(np.dsplit)
def dsplit(ary, indices_or_sections):
    """Parts along the third axis."""
    if np.ndim(ary) < 3:
        raise ValueError("dsplit only works on arrays of 3 or more dimensions")
    return split(ary, indices_or_sections, 2)


@composed(np.fliplr)
def fliplr(m):
    """The columns in reverse order."""
    return m[:, ::-1]


@composed(np.flipud)
def flipud(m):
    """The rows in reverse order."""
    return m[::-1, ...]


def _number(val):
    """A staged value; the parts of a Python bool are ints."""
    val = staged(val)
    return cast(val, INT) if val.type == BOOL else val


@composed(np.real)
def real(val):
    """The real parts; of a real array, the array itself."""
    val = _number(val)
    return val if val.dtype.kind != "c" else apply(find("real"), val)


@composed(np.imag)
def imag(val):
    """The imaginary parts."""
    val = _number(val)
    if val.dtype.kind == "c":
        return apply(find("imag"), val)
    return np.zeros_like(val) if is_array(val.type) else cast(0, val.type)


@composed(np.angle)
def angle(z, deg=False):
    """The arguments (phase angles) of complex numbers."""
    z = staged(z)
    # NumPy takes the int 0 as the imaginary part of a real array.
    imaginary = np.imag(z) if z.dtype.kind == "c" else 0
    found = np.arctan2(imaginary, np.real(z))
    return found * (180 / np.pi) if deg else found


@composed(np.diag)
def diag(v, k=0):
    """A matrix with a diagonal, or the diagonal of a matrix."""
    v = staged(v)
    return np.diagflat(v, k) if v.ndim == 1 else np.diagonal(v, k)
