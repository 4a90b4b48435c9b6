"""Derivatives of functions that write into their first argument, for what it is afterwards.

np.put(x, i, v)          x gets nothing at i, v gets what stands there
x.sort()                 each element gets what stands where it went
"""

import numpy as np

from runtime.ir.derivative import Adjoint, NoDerivative, Rule
from runtime.ir.op import find
from runtime.ir.slot import Slot
from runtime.ops.adjoints import shapes, subscripts
from runtime.ops.adjoints.selection import array, grid, partition
from runtime.ops.adjoints.sizes import counted


def copyto(d, r, dst, src, casting="same_kind", where=True):
    """One where it was written, the other elsewhere."""
    if where is True:
        return {"src": d}
    return {"dst": np.where(where, 0, d), "src": np.where(where, d, 0)}


def putmask(d, r, a, mask, values):
    """Of values that come over and over, each gets all that it became."""
    values_size = np.size(array(values))
    mine = np.where(mask, d, 0)
    if isinstance(values_size, int) and values_size == 1:
        return {"a": np.where(mask, 0, d), "values": np.sum(mine)}
    places = counted(np.size(d)) % values_size
    return {"a": np.where(mask, 0, d), "values": _gathered(np.ravel(mine), places, values)}


def place(d, r, arr, mask, vals):
    """The first value goes to the first place, and so on, over and over."""
    is_written = np.ravel(mask)
    places = (np.cumsum(is_written) - 1) % np.size(array(vals))
    mine = np.where(is_written, np.ravel(d), 0)
    return {"arr": np.where(mask, 0, d), "vals": _gathered(mine, places, vals)}


def _gathered(row, places, values):
    """The sums of the elements that stand for each value."""
    values = array(values)
    total = np.reshape(np.zeros_like(values, order="C"), (-1,))
    found = find("added_at")(total, row, places, at=(Slot(0),))
    return np.reshape(found, np.shape(values))


def put(d, r, a, ind, v, mode="raise"):
    """As an assignment to the elements in a row; values come over and over."""
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
    """As an assignment at places along an axis."""
    if axis is None:
        row, written, _ = subscripts.setitem(
            np.reshape(d, (-1,)), None, arr, values, indices, at=(Slot(0),)
        )
        return {"arr": np.reshape(row, np.shape(d)), "values": written}
    places, at = grid(np.shape(d), indices, axis)
    before, written, *_ = subscripts.setitem(d, None, arr, values, *places, at=at)
    return {"arr": before, "values": written}


def flat_assigned(d, r, array_, key, value):
    """As an assignment to the elements in a row."""
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
    """The diagonal from one, all else from the other."""
    if wrap or np.ndim(d) != 2:
        return NoDerivative(
            "np.fill_diagonal(wrap=True), or of more than two dimensions, is asked for.",
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
    """To where each element was."""
    return {"a": shapes.sort(d, r, a, axis)[0]}


def nan_to_num(d, r, x, copy=True, nan=0.0, posinf=None, neginf=None):
    """Only to what was a number."""
    return {"x": np.where(np.isfinite(x), d, 0)}


RULES: dict[str, Rule] = {
    "copyto": Adjoint(copyto),
    "fill_diagonal": Adjoint(fill_diagonal),
    "place": Adjoint(place),
    "put": Adjoint(put),
    "put_along_axis": Adjoint(put_along_axis),
    "putmask": Adjoint(putmask),
    "byteswap": NoDerivative("The bytes of a float in another order are no function of it."),
    "fill": Adjoint(lambda d, r, a, value: {"value": d}),
    "partition": Adjoint(partition),
    "sort": Adjoint(sort),
    "nan_to_num": Adjoint(nan_to_num),
    "flat_assigned": Adjoint(flat_assigned),
}
