"""Adjoints of functions that write into their first argument.

The result is the argument after the call, and d its cotangent:

    np.put(x, i, v)          x gets d, with zeros at i; v gets d[i]
    x.sort()                 each element gets d at the position to which it moved
"""

import numpy as np

from runtime.ir.derivative import Adjoint, NoDerivative, Rule
from runtime.ir.op import find
from runtime.ir.slot import Slot
from runtime.ops.adjoints import shapes, subscripts
from runtime.ops.adjoints.selection import array, grid, partition
from runtime.ops.adjoints.sizes import counted


def copyto(d, r, dst, src, casting="same_kind", where=True):
    """src gets d where it was written, dst gets d elsewhere."""
    if where is True:
        return {"src": d}
    return {"dst": np.where(where, 0, d), "src": np.where(where, d, 0)}


def putmask(d, r, a, mask, values):
    """Each value, which may be used repeatedly, gets the sum over the elements it replaced."""
    values_size = np.size(array(values))
    mine = np.where(mask, d, 0)
    if isinstance(values_size, int) and values_size == 1:
        return {"a": np.where(mask, 0, d), "values": np.sum(mine)}
    places = counted(np.size(d)) % values_size
    return {"a": np.where(mask, 0, d), "values": _gathered(np.ravel(mine), places, values)}


def place(d, r, arr, mask, vals):
    """The values are written to the masked elements in order, and start over at the end."""
    is_written = np.ravel(mask)
    places = (np.cumsum(is_written) - 1) % np.size(array(vals))
    mine = np.where(is_written, np.ravel(d), 0)
    return {"arr": np.where(mask, 0, d), "vals": _gathered(mine, places, vals)}


def _gathered(row, places, values):
    """For each value, the sum of the elements of `row` whose entry in `places` is its index."""
    values = array(values)
    total = np.reshape(np.zeros_like(values, order="C"), (-1,))
    found = find("added_at")(total, row, places, at=(Slot(0),))
    return np.reshape(found, np.shape(values))


def put(d, r, a, ind, v, mode="raise"):
    """Like an assignment to the flattened array; values are repeated as needed."""
    ind, v = array(ind), array(v)
    size = np.size(d)
    if mode == "wrap":
        ind = ind % size
    elif mode == "clip":
        ind = np.clip(ind, 0, size - 1)
    places = np.reshape(ind, (-1,))
    row, written, _ = subscripts.setitem(np.reshape(d, (-1,)), None, a, v, places, at=(Slot(0),))
    numbers = counted(np.shape(places)[0]) % np.size(v)
    return {"a": np.reshape(row, np.shape(d)), "v": _gathered(written, numbers, v)}


def put_along_axis(d, r, arr, indices, values, axis):
    """Like an assignment at the indices along an axis."""
    if axis is None:
        row, written, _ = subscripts.setitem(
            np.reshape(d, (-1,)), None, arr, values, indices, at=(Slot(0),)
        )
        return {"arr": np.reshape(row, np.shape(d)), "values": written}
    places, at = grid(np.shape(d), indices, axis)
    before, written, *_ = subscripts.setitem(d, None, arr, values, *places, at=at)
    return {"arr": before, "values": written}


def flat_assigned(d, r, array_, key, value):
    """Like an assignment to the flattened array."""
    row = np.reshape(d, (-1,))
    if isinstance(key, slice) or key is Ellipsis:
        at, operands = (key,), ()
    else:
        at, operands = (Slot(0),), (array(key),)
    before, written, *_ = subscripts.setitem(row, None, array_, value, *operands, at=at)
    count = np.shape(written)[0] if np.ndim(written) else 1
    if np.ndim(value) and np.ndim(written):
        written = _gathered(written, counted(count) % np.size(array(value)), value)
    return {"array_": np.reshape(before, np.shape(d)), "value": written}


def fill_diagonal(d, r, a, val, wrap=False):
    """val gets the diagonal of d, a gets d with zeros on the diagonal."""
    if wrap or np.ndim(d) != 2:
        return NoDerivative(
            "np.fill_diagonal is differentiated only for matrices and without wrap=True.",
            "Write x[i, i] = value, with i = np.arange(n).",
        )
    diagonal = np.diagonal(d)
    places = np.minimum(*np.shape(d)) if not _is_known(d) else min(np.shape(d))
    numbers = counted(places)
    before = find("setitem")(d, 0, numbers, numbers, at=(Slot(0), Slot(1)))
    if np.ndim(val):
        diagonal = _gathered(diagonal, numbers % np.size(array(val)), val)
    return {"a": before, "val": diagonal}


def _is_known(x):
    return all(isinstance(size, int) for size in np.shape(x))


def sort(d, r, a, axis=-1, kind=None, order=None, *, stable=None):
    """Each element gets the cotangent at the position to which it was sorted."""
    return {"a": shapes.sort(d, r, a, axis)[0]}


def nan_to_num(d, r, x, copy=True, nan=0.0, posinf=None, neginf=None):
    """d where x is finite, zero elsewhere."""
    return {"x": np.where(np.isfinite(x), d, 0)}


RULES: dict[str, Rule] = {
    "copyto": Adjoint(copyto),
    "fill_diagonal": Adjoint(fill_diagonal),
    "place": Adjoint(place),
    "put": Adjoint(put),
    "put_along_axis": Adjoint(put_along_axis),
    "putmask": Adjoint(putmask),
    "byteswap": NoDerivative("Reordering the bytes of a float is not a differentiable function."),
    "fill": Adjoint(lambda d, r, a, value: {"value": d}),
    "partition": Adjoint(partition),
    "sort": Adjoint(sort),
    "nan_to_num": Adjoint(nan_to_num),
    "flat_assigned": Adjoint(flat_assigned),
}
