"""Derivatives of functions that select, repeat, join and rearrange elements.

Most are written with functions that have derivatives, some have an adjoint of their own:

    repeat, delete, insert, pad      `take`, at indices that the function itself rearranges
    tile, sliding_window_view        the adjoint sums over the copies of an element
    select, choose, clip             nested `where`
"""

import numpy as np

from runtime.ir.derivative import NoDerivative, PartialCotangent
from runtime.ir.op import find
from runtime.ir.slot import Slot
from runtime.ops.adjoints import shapes
from runtime.ops.adjoints.sizes import counted, grown, zeros


def array(value):
    """An array built from nested tuples or lists, whose elements may be staged."""
    if isinstance(value, (tuple, list)):
        return np.stack([array(part) for part in value]) if value else np.asarray(value)
    return value if hasattr(value, "__record__") else np.asarray(value)


def padded(x, before, after, axis):
    """An array with zeros added before and after it along an axis."""
    shape = list(np.shape(x))

    def block(size):
        return zeros((*shape[: axis % len(shape)], size, *shape[axis % len(shape) + 1 :]), x.dtype)

    widths = (before, None, after)
    parts = [x if n is None else block(n) for n in widths if not (isinstance(n, int) and n == 0)]
    return np.concatenate(parts, axis=axis) if len(parts) > 1 else x


def taken(x, places, axis=0):
    """`np.take`, where the array or the indices may be staged."""
    return find("take")(x, places, axis=axis)


# -- indexed elements ------------------------------------------------------------------------------


def repeat(a, repeats, axis=None):
    """`take` at the repeated indices."""
    if axis is None:
        a, axis = np.ravel(a), 0
    repeats = array(repeats) if isinstance(repeats, tuple) else repeats
    slots = (Slot(0), Slot(1))
    numbers = find("repeat")(counted(np.shape(a)[axis]), repeats, given=slots, named=())
    return taken(a, numbers, axis)


def delete(arr, obj, axis=None):
    """`take` at the indices that remain."""
    if axis is None:
        arr, axis = np.ravel(arr), 0
    return taken(arr, np.delete(counted(np.shape(arr)[axis]), obj), axis)


def insert(arr, obj, values, axis=None):
    """The elements of both arrays, in the order that `np.insert` gives to their indices."""
    if axis is None:
        arr, axis = np.ravel(arr), 0
    values, size = array(values), np.shape(arr)[axis]
    if np.ndim(values) < np.ndim(arr):
        values = np.reshape(values, (1,) * (np.ndim(arr) - np.ndim(values)) + np.shape(values))
    if np.ndim(obj) == 0 and not isinstance(obj, slice):
        values = np.moveaxis(values, 0, axis)
    if isinstance(obj, slice) or np.shape(obj) not in ((), (1,)):
        is_old = np.insert(counted(size), obj, -1)
        order = _insertion_order(obj, size)
        new = np.shape(is_old)[0] - size
    else:  # all values at one index
        new = np.shape(values)[axis]
        is_old = np.insert(counted(size), obj, -1 - 0 * counted(new))
        order = counted(new)
    # Old elements have the indices 0, 1, ..., new ones -1, and come in the order of their indices.
    order = np.concatenate([order, np.zeros(1, order.dtype)])  # nothing can be taken of no elements
    source = size + taken(order, np.cumsum(is_old < 0) - 1, 0)
    shape = list(np.shape(arr))
    shape[axis] = new
    both = np.concatenate([arr, values + zeros(shape, values.dtype)], axis=axis)
    return taken(both, np.where(is_old < 0, source, is_old), axis)


def _insertion_order(obj, size):
    """The indices of the inserted values in the order in which `np.insert` places them."""
    if isinstance(obj, slice):
        return np.argsort(counted(size)[obj], kind="stable")
    indices = array(obj)
    if indices.dtype == np.bool_:
        return counted(np.shape(np.flatnonzero(indices))[0])
    return np.argsort(np.where(indices < 0, indices + size, indices), kind="stable")


def compress(condition, a, axis=None):
    """`take` at the indices where a condition holds."""
    if axis is None:
        a, axis = np.ravel(a), 0
    return taken(a, np.flatnonzero(condition), axis)


def extract(condition, arr):
    """`take` at the flat indices where a condition holds."""
    return taken(np.ravel(arr), np.flatnonzero(np.ravel(array(condition))))


def resize(a, new_shape):
    """The elements in flat order, repeated until the new shape is full."""
    shape = new_shape if isinstance(new_shape, tuple) else (new_shape,)
    if not all(isinstance(size, (int, np.integer)) for size in shape):
        return NoDerivative("The new shape of np.resize is staged.", "Use np.take.")
    places = counted(int(np.prod(shape))) % np.size(a)
    return np.reshape(taken(np.ravel(a), places), shape)


def pad(array, pad_width, mode="constant", **options):
    """Constants joined to the array, or `take` at the padded indices."""
    if mode == "empty" or mode not in ("constant", "edge", "reflect", "symmetric", "wrap"):
        return NoDerivative(f"np.pad has mode={mode!r}.", "Use mode='constant'.")
    if options.get("reflect_type", "even") != "even":
        return NoDerivative("np.pad has reflect_type='odd'.", "Use reflect_type='even'.")
    widths = _pairs(pad_width, np.ndim(array))
    values = _pairs(options.get("constant_values", 0), np.ndim(array))
    for axis, (before, after) in enumerate(widths):
        if mode == "constant":
            array = _joined(array, axis, (before, after), values[axis])
        else:
            numbers = np.pad(counted(np.shape(array)[axis]), (before, after), mode)
            array = taken(array, numbers, axis)
    return array


def _joined(x, axis, widths, values):
    shape = list(np.shape(x))

    def block(width, value):
        return grown(value, (*shape[:axis], width, *shape[axis + 1 :])) + zeros((), x.dtype)

    first, last = (block(w, v) for w, v in zip(widths, values, strict=True))
    return np.concatenate([first, x, last], axis=axis)


def _pairs(given, rank):
    """A (before, after) pair for each axis, expanded from NumPy's shorter forms."""
    if not isinstance(given, (tuple, list)):
        return [(given, given)] * rank
    if len(given) == 1 or not isinstance(given[0], (tuple, list)):
        (one,) = given if len(given) == 1 else (given,)
        pair = tuple(one) if isinstance(one, (tuple, list)) else (one, one)
        return [pair if len(pair) == 2 else pair * 2] * rank
    return [tuple(pair) if len(pair) == 2 else tuple(pair) * 2 for pair in given]


# -- indices along an axis -------------------------------------------------------------------------


def grid(shape, indices, axis):
    """The subscript of `take_along_axis`: `indices` at `axis`, an open grid at the other axes.

    Returns the index arrays and the slots that they fill.
    """
    rank = len(shape)
    places = []
    for i, size in enumerate(shape):
        sizes = [1] * rank
        sizes[i] = -1
        places.append(indices if i == axis % rank else np.reshape(counted(size), tuple(sizes)))
    return places, tuple(map(Slot, range(rank)))


def take_along_axis(d, r, arr, indices, axis=-1):
    """d is added at the indices that were taken."""
    shape = np.shape(arr)

    def added(total):
        if axis is None:
            row = find("added_at")(np.reshape(total, (-1,)), d, indices, at=(Slot(0),))
            return np.reshape(row, shape)
        places, at = grid(shape, indices, axis)
        return find("added_at")(total, d, *places, at=at)

    return {"arr": PartialCotangent(added)}


def partition(d, r, a, kth, axis=-1, kind="introselect", order=None):
    """Each element gets the cotangent of the result that has the same rank in sorted order."""
    shape = np.shape(a)
    if axis is None:
        a, axis = np.ravel(a), 0
    in_order = np.take_along_axis(d, np.argsort(r, axis=axis), axis)
    found = shapes.sort(in_order, None, a, axis)[0]
    return {"a": np.reshape(found, shape)}


def sliding_window_view(d, r, x, window_shape, axis=None, *, subok=False, writeable=False):
    """The cotangent of each window is added to its elements."""
    sizes = window_shape if isinstance(window_shape, tuple) else (window_shape,)
    rank = np.ndim(x)
    axes = range(rank) if axis is None else axis if isinstance(axis, tuple) else (axis,)

    def added(total):
        for offsets in np.ndindex(*sizes):
            at = [slice(None)] * rank
            for each, offset in zip(axes, offsets, strict=True):
                start = (at[each].start or 0) + offset
                at[each] = slice(start, start + np.shape(d)[each])
            slots, bounds = _with_slots(at)
            total = find("added_at")(total, d[(..., *offsets)], *bounds, at=slots)
        return total

    return {"x": PartialCotangent(added)}


def _with_slots(at):
    """A subscript of slices in which slots replace staged bounds, and these bounds."""
    bounds: list = []

    def part(bound):
        if bound is None or isinstance(bound, int):
            return bound
        bounds.append(bound)
        return Slot(len(bounds) - 1)

    return tuple(slice(part(s.start), part(s.stop)) for s in at), bounds


# -- choices ---------------------------------------------------------------------------------------


def select(condlist, choicelist, default=0):
    """The first choice whose condition holds."""
    found = default
    for condition, choice in zip(reversed(condlist), reversed(choicelist), strict=True):
        found = np.where(condition, choice, found)
    return found


def choose(a, choices, mode="raise"):
    """For each element of `a`, the element of the choice with that index."""
    if not isinstance(choices, (tuple, list)):
        if not isinstance(np.shape(choices)[0], int):
            return NoDerivative("The number of arrays in np.choose is staged.", "Use x[i].")
        choices = _rows(choices)
    if mode == "wrap":
        a = a % len(choices)
    elif mode == "clip":
        a = np.clip(a, 0, len(choices) - 1)
    found = choices[0]
    for number, choice in enumerate(choices):
        found = np.where(a == number, choice, found)
    return found


def _rows(x):
    return [x[i] for i in range(np.shape(x)[0])]


def clip(a, a_min=None, a_max=None, *, min=None, max=None):
    """The bounds where `a` exceeds them; an element that equals a bound has derivative 1."""
    low, high = a_min if min is None else min, a_max if max is None else max
    if low is not None and low is not np._NoValue:
        a = np.where(a < low, low, a)
    return a if high is None or high is np._NoValue else np.where(a > high, high, a)


# -- joining and repeating -------------------------------------------------------------------------


def append(arr, values, axis=None):
    """Concatenation, of raveled arrays if there is no axis."""
    values = array(values)
    return (
        np.concatenate([arr, values], axis=axis)
        if axis is not None
        else np.concatenate([np.ravel(arr), np.ravel(values)])
    )


def hstack(tup, *, dtype=None, casting="same_kind"):
    """Concatenation along the second axis, of vectors along the first."""
    parts = [np.reshape(x, (1,)) if np.ndim(x) == 0 else x for x in map(array, _parts(tup))]
    return np.concatenate(parts, axis=0 if np.ndim(parts[0]) == 1 else 1)


def vstack(tup, *, dtype=None, casting="same_kind"):
    """Concatenation along the first axis; vectors become rows."""
    return np.concatenate([_plane(x) for x in map(array, _parts(tup))], axis=0)


def dstack(tup):
    """Concatenation along the third axis."""
    parts = [_plane(x) for x in map(array, _parts(tup))]
    return np.concatenate([x[..., None] if np.ndim(x) == 2 else x for x in parts], axis=2)


def column_stack(tup):
    """Concatenation along the second axis; vectors become columns."""
    parts = [np.reshape(x, (-1, 1)) if np.ndim(x) < 2 else x for x in map(array, _parts(tup))]
    return np.concatenate(parts, axis=1)


def _parts(tup):
    return tup if isinstance(tup, (tuple, list)) else _rows(tup)


def _plane(x):
    return np.reshape(x, (1, -1)) if np.ndim(x) < 2 else x


def tile(d, r, A, reps):
    """The sum of the cotangents of all copies."""
    if hasattr(reps, "__record__"):
        return NoDerivative("The repetitions of np.tile are staged.", "Use np.repeat.")
    reps = tuple(map(int, np.ravel(reps)))
    shape = np.shape(A)
    reps = (1,) * (len(shape) - len(reps)) + reps
    shape = (1,) * (len(reps) - len(shape)) + shape
    pairs = [size for n, size in zip(reps, shape, strict=True) for size in (n, size)]
    found = np.sum(np.reshape(d, tuple(pairs)), axis=tuple(range(0, len(pairs), 2)))
    return {"A": np.reshape(found, np.shape(A))}


def meshgrid(*xi, copy=True, sparse=False, indexing="xy"):
    """Each vector along its own axis, broadcast along the others."""
    count = len(xi)
    places = list(range(count))
    if indexing == "xy" and count > 1:
        places[:2] = 1, 0
    rows = [np.reshape(x, (-1,)) for x in map(array, xi)]
    sizes = [None] * count
    for row, place in zip(rows, places, strict=True):
        sizes[place] = np.shape(row)[0]
    found = []
    for row, place in zip(rows, places, strict=True):
        shape = [1] * count
        shape[place] = sizes[place]
        each = np.reshape(row, tuple(shape))
        found.append(each if sparse else grown(each, tuple(sizes)))
    return tuple(found)


def diagflat(d, r, v, k=0):
    """The diagonal of d."""
    return {"v": np.reshape(np.diagonal(d, k), np.shape(v))}


ADJOINTS = {
    np.ascontiguousarray: lambda d, r, a, dtype=None: {"a": d},
    np.asfortranarray: lambda d, r, a, dtype=None: {"a": d},
    np.copy: lambda d, r, a, order="K", subok=False: {"a": d},
    np.diagflat: diagflat,
    np.full_like: lambda d, r, a, fill_value, *rest, **options: {"fill_value": d},
    np.lib.stride_tricks.sliding_window_view: sliding_window_view,
    np.partition: partition,
    np.sort_complex: lambda d, r, a: {"a": shapes.sort(d, r, a + 0j)[0]},
    np.take_along_axis: take_along_axis,
    np.tile: tile,
    np.tril: lambda d, r, m, k=0: {"m": np.tril(d, k)},
    np.triu: lambda d, r, m, k=0: {"m": np.triu(d, k)},
}
COMPOSITIONS = {
    np.append: append,
    np.choose: choose,
    np.clip: clip,
    np.column_stack: column_stack,
    np.compress: compress,
    np.delete: delete,
    np.dstack: dstack,
    np.extract: extract,
    np.hstack: hstack,
    np.insert: insert,
    np.meshgrid: meshgrid,
    np.pad: pad,
    np.repeat: repeat,
    np.resize: resize,
    np.select: select,
    np.vstack: vstack,
}
