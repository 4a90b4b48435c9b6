"""NumPy functions that are decomposed into several ops.

They are written with NumPy functions, so they accept staged and plain values alike.
"""

import numpy as np

from runtime.errors import MemoryLayoutError, UnknownTypeError, staging_error, unsupported
from runtime.ir.op import find
from runtime.ir.types import BoxType, PythonType, TensorType, is_array
from runtime.tracing.conversion import cast
from runtime.tracing.numpy_api.foreign_calls import record_call, record_write
from runtime.tracing.numpy_api.registry import alias, composed
from runtime.tracing.requirements import require
from runtime.tracing.tensor import Tensor, apply, staged


def check_order(order, known):
    """Raises `StagingError` for orders of elements that depend on the memory layout of an array."""
    if order not in known:
        raise staging_error(
            f"order={order!r} is given for a staged array",
            "It depends on the memory layout of the array, and graphs have values only.",
            "Use order='C' or order='F'.",
            MemoryLayoutError,
        )


alias((np.around, np.round), (np.amax, np.max), (np.amin, np.min))


def _filled_like(value):
    """The replacement of `np.zeros_like`, `np.ones_like` or `np.empty_like`."""

    def like(prototype, dtype=None, order="K", subok=True, shape=None, *, device=None):
        return full_like(prototype, value, dtype, order, shape=shape)

    return like


@composed(np.full_like)
def full_like(a, fill_value, dtype=None, order="K", subok=True, shape=None, *, device=None):
    """An array of one value, with the shape and dtype of another."""
    a = staged(a)
    check_order(order if a.ndim > 1 else "C", "CK")
    if order == "K" and shape is None and a.ndim > 1:
        return _in_order_of(a, fill_value, dtype)
    sizes = a.shape if shape is None else (shape,) if isinstance(shape, int) else tuple(shape)
    known = tuple(size if isinstance(size, int) else None for size in sizes)
    unknown = [size for size in sizes if not isinstance(size, int)]
    dtype = np.dtype(a.dtype if dtype is None else dtype)
    return apply(find("full"), fill_value, *unknown, shape=known, dtype=dtype)


def _in_order_of(a, fill_value, dtype):
    """An array of one value with the memory layout of another array."""
    return record_call(
        find("full_like"), (a, fill_value, np.dtype(a.dtype if dtype is None else dtype)), {}
    )


for _original, _value in ((np.zeros_like, 0), (np.ones_like, 1), (np.empty_like, 0)):
    composed(_original)(_filled_like(_value))


# -- functions that write --------------------------------------------------------------------------


@composed(np.copyto)
def copyto(dst, src, casting="same_kind", where=True):
    """Gives an array the elements of another, where `where` is true."""
    is_plain = where is True and isinstance(dst, Tensor) and is_array(dst.type)
    source = staged(src)
    fits = not isinstance(source.type, PythonType) and np.can_cast(source.dtype, dst.dtype, casting)
    # An item takes a scalar by its value: one that an integer cannot hold raises, and is cast here.
    is_cast = not is_array(source.type) and dst.dtype.kind in "iu"
    if is_plain and fits and not (is_cast and not np.can_cast(source.dtype, dst.dtype)):
        dst[...] = source
    else:
        record_write(np.copyto, (dst, src), {"casting": casting, "where": where})


# -- about an array --------------------------------------------------------------------------------


@composed(np.ndim)
def ndim(a):
    """The number of dimensions."""
    return staged(a).ndim


@composed(np.shape)
def shape(a):
    """The sizes of the dimensions."""
    return staged(a).shape


@composed(np.size)
def size(a, axis=None):
    """The number of elements, along an axis or in all."""
    a = staged(a)
    return a.size if axis is None else a.shape[axis]


def _static(function):
    """Registers a function that needs only dtypes and shapes; it is called while tracing."""

    def answer(*args, **kwargs):
        return function(*map(_stand_in, args), **kwargs)

    composed(function)(answer)


def _stand_in(value):
    """An array with the dtype and shape of a staged one."""
    if not isinstance(value, Tensor):
        return value
    if isinstance(value.type, PythonType):
        return value.type.kind(0)
    if not isinstance(value.type, TensorType):
        raise unsupported(f"the dtype of {value.staged_value}")
    shape = tuple(size if isinstance(size, int) else 1 for size in value.type.shape)
    return np.broadcast_to(np.zeros((), value.dtype), shape)


for _function in (
    np.can_cast, np.common_type, np.einsum_path, np.iscomplexobj, np.isrealobj, np.result_type
):  # fmt: skip
    _static(_function)


@composed(np.real_if_close)
def real_if_close(a, tol=100):
    """The array itself if it is real; a scalar as an array."""
    value = staged(a)
    if value.dtype.kind == "c":
        raise staging_error(
            "np.real_if_close is called on a staged complex array",
            "Whether its result is real depends on the elements.",
            "If you know that the imaginary parts are zero, use x.real.",
            UnknownTypeError,
        )
    return a if is_array(value.type) else cast(value, BoxType(value.dtype))


@composed(np.astype)
def astype(x, dtype, /, *, copy=True, device=None):
    """The array cast to another dtype."""
    return x.astype(dtype, copy=copy)


# -- arrays of arrays ------------------------------------------------------------------------------


@composed(np.ix_)
def ix_(*args):
    """Indices of every combination of some rows, columns..."""
    found = []
    for place, given in enumerate(args):
        is_empty = not isinstance(given, Tensor) and np.size(given) == 0
        index = staged(np.asarray(given, np.intp) if is_empty else given)
        if index.ndim != 1:
            raise ValueError("Cross index must be 1 dimensional")
        if index.dtype.kind == "b":
            (index,) = np.nonzero(index)
        shape = [1] * len(args)
        shape[place] = -1
        found.append(np.reshape(index, shape))
    return tuple(found)


@composed(np.argwhere)
def argwhere(a):
    """The indices of the elements that are not zero, one row for each."""
    a = staged(a)
    if a.ndim == 0:
        return record_call(find("argwhere"), (a,), {})
    return np.transpose(np.stack(np.nonzero(a)))


def _indices_of(original, computed):
    """Registers a function that needs only the shape of its argument.

    Sizes that only the run knows go to a function of the array.
    """

    def answer(arr, *args, **kwargs):
        shape = arr.type.shape
        if len(shape) < 2 or all(isinstance(size, int) for size in shape):
            return original(np.broadcast_to(0, [size or 0 for size in shape]), *args, **kwargs)
        return computed(arr, *args, **kwargs)

    composed(original)(answer)


def _positions(size):
    """`np.arange(size)`, of a size that may be staged."""
    return apply(find("arange"), 0, size, 1) if isinstance(size, Tensor) else np.arange(size)


def _triangle_of(original, is_inside):
    def computed(arr, k=0):
        if arr.ndim != 2:
            raise ValueError("input array must be 2-d")
        rows, columns = map(_positions, arr.shape)
        return np.nonzero(is_inside(columns - rows[:, None], k))

    _indices_of(original, computed)


def _diagonal(arr):
    first, *others = arr.shape
    for size in others:
        is_equal = first == size
        if isinstance(is_equal, Tensor):
            require(is_equal, ValueError, NOT_EQUAL)
        elif not is_equal:
            raise ValueError(NOT_EQUAL)
    return (_positions(first),) * arr.ndim


NOT_EQUAL = "All dimensions of input must be of equal length"
_triangle_of(np.triu_indices_from, lambda above, k: above >= k)
_triangle_of(np.tril_indices_from, lambda above, k: above <= k)
_indices_of(np.diag_indices_from, _diagonal)


@composed(np.block)
def block(arrays):
    """Blocks of nested lists joined: the innermost lists along the last axis."""
    depth = _depth(arrays)
    if depth == 0 and not isinstance(arrays, tuple):
        array = staged(arrays)
        return array.copy() if is_array(array.type) else cast(array, BoxType(array.dtype))
    np.block(_of_empty_arrays(arrays, depth))  # raises for lists of different depths
    rank = max(depth, *(np.ndim(leaf) for leaf in _leaves(arrays)))
    return _block(arrays, depth, rank, depth)


def _depth(arrays):
    return 1 + max(map(_depth, arrays), default=0) if isinstance(arrays, list) else 0


def _of_empty_arrays(arrays, depth):
    """The nested lists with empty arrays, which fit each other, in place of arrays."""
    if isinstance(arrays, list):
        return [_of_empty_arrays(part, depth) for part in arrays]
    return arrays if isinstance(arrays, tuple) else np.empty((0,) * depth)


def _leaves(arrays):
    if not isinstance(arrays, list):
        return [arrays]
    return [leaf for part in arrays for leaf in _leaves(part)]


def _block(arrays, level, rank, depth):
    if not isinstance(arrays, list):
        missing = rank - np.ndim(arrays)
        array = staged(arrays)
        return np.reshape(array, (1,) * missing + tuple(array.shape)) if missing else array
    return np.concatenate([_block(a, level - 1, rank, depth) for a in arrays], axis=-level)
