"""Derivatives of ufunc methods, written with the ufuncs themselves.

np.subtract.outer(x, y)        np.subtract(x[..., None], y)
np.multiply.reduce(x)          np.prod(x)
np.subtract.reduce(x)          x[0] - np.sum(x[1:])
np.maximum.accumulate(x)       x, at the indices of the latest new maximum
"""

import functools

import numpy as np

from runtime.ir.derivative import Adjoint, Composition, NoDerivative, Rule
from runtime.ir.op import find
from runtime.ir.slot import Slot
from runtime.ops.adjoints import statistics
from runtime.ops.adjoints.selection import array
from runtime.ops.adjoints.sizes import axes_of, counted

REDUCTIONS = {
    np.add: statistics.sum,
    np.multiply: statistics.prod,
    np.maximum: statistics.max,
    np.minimum: statistics.min,
    np.fmax: statistics.of_numbers(statistics.max),
    np.fmin: statistics.of_numbers(statistics.min),
}
SCANS = {np.add: np.cumsum, np.multiply: np.cumprod}
# Ufuncs whose reductions have a derivative.  For others (in NumPy 2.4: arctan2, power) the order
# in which NumPy combines the elements depends on the machine.
IN_ORDER = {np.subtract, np.divide, np.logaddexp, np.logaddexp2, np.hypot}
RUNNING = {np.maximum, np.minimum, np.fmax, np.fmin}


def method_rule(ufunc: np.ufunc, method: str) -> Rule | None:
    """The rule of a method of a ufunc; None where its results are never floats."""
    if not any(kinds.endswith(("d", "D")) for kinds in ufunc.types):
        return None
    if method == "outer":
        return Composition(functools.partial(_outer, ufunc))
    if method == "reduce" and ufunc in {*REDUCTIONS, *IN_ORDER}:
        return Composition(functools.partial(_reduce, ufunc))
    if method == "accumulate" and ufunc in {*SCANS, *RUNNING, *IN_ORDER}:
        return Composition(functools.partial(_accumulate, ufunc))
    if ufunc is np.add and method == "reduceat":
        return Adjoint(_add_reduceat)
    if ufunc in (np.add, np.subtract) and method == "at":
        return Adjoint(_add_at if ufunc is np.add else _subtract_at)
    return NoDerivative(
        f"np.{ufunc.__name__}.{method} has no derivative.", "Write it with functions that have one."
    )


def _outer(ufunc, A, B, /, **options):
    a, b = array(A), array(B)
    return ufunc(np.reshape(a, (*np.shape(a), *(1,) * np.ndim(b))), b)


def _reduce(
    ufunc, array_, /, axis=0, dtype=None, out=None, keepdims=False, initial=None, where=True
):
    x, keepdims = array(array_), keepdims is True
    if ufunc in REDUCTIONS:
        return REDUCTIONS[ufunc](x, axis, keepdims=keepdims, initial=initial, where=where)
    if where is not True:
        name = ufunc.__name__
        return NoDerivative(f"np.{name}.reduce is called with `where`.", "Use np.where before.")
    is_given = initial is not None and initial is not np._NoValue
    if np.ndim(x) == 0:
        return ufunc(initial, x) if is_given else x + 0
    if ufunc in FROM_FIRST:
        return _from_first(ufunc, x, axis, keepdims, initial if is_given else None)
    found = TOGETHER[ufunc](x, axis, keepdims)
    return ufunc(initial, found) if is_given else found


def _from_first(ufunc, x, axis, keepdims, initial):
    """Reduces x[0] - x[1] - x[2] - ... as x[0] - (x[1] + x[2] + ...), and division likewise."""
    join, (axis, *_) = FROM_FIRST[ufunc], axes_of(x, axis)
    if initial is not None:
        return ufunc(initial, join(x, axis=axis, keepdims=keepdims))
    row = np.moveaxis(x, axis, -1)
    found = ufunc(row[..., :1], join(row[..., 1:], axis=-1, keepdims=True))
    return np.moveaxis(found, -1, axis) if keepdims else found[..., 0]


def _log_of_sum(exponential, logarithm):
    def reduced(x, axis, keepdims):
        most = np.max(x, axis=axis, keepdims=True)
        most = np.where(np.isfinite(most), most, 0)
        total = np.sum(exponential(x - most), axis=axis, keepdims=True)
        found = most + logarithm(total)
        return found if keepdims else np.squeeze(found, axes_of(x, axis))

    return reduced


def _length(x, axis, keepdims):
    return np.linalg.vector_norm(x, axis=axis, keepdims=keepdims)


FROM_FIRST = {np.subtract: np.sum, np.divide: np.prod}
TOGETHER = {
    np.logaddexp: _log_of_sum(np.exp, np.log),
    np.logaddexp2: _log_of_sum(np.exp2, np.log2),
    np.hypot: _length,
}


def _slices(x, axis):
    moved = np.moveaxis(x, axis, 0)
    return [moved[i] for i in range(np.shape(moved)[0])]


def _accumulate(ufunc, array_, /, axis=0, dtype=None, out=None):
    x = array(array_)
    if ufunc in SCANS:
        return SCANS[ufunc](x, axis=axis)
    if ufunc in RUNNING:
        return _running(ufunc, x, axis)
    size = np.shape(x)[axis]
    if not isinstance(size, int):
        return NoDerivative(
            f"np.{ufunc.__name__}.accumulate runs along an axis of staged size.",
            "Write a loop.",
        )
    found: list = []
    for each in _slices(x, axis):
        found.append(ufunc(found[-1], each) if found else each)
    return np.moveaxis(np.stack(found), 0, axis)


def _running(ufunc, x, axis):
    moved = np.moveaxis(x, axis, -1)
    # The running extremes are only compared: the elements are taken from `moved`.
    found = ufunc.accumulate(find("stop_gradient")(moved), -1)
    places = counted(np.shape(moved)[-1])
    is_new = np.concatenate(
        [moved[..., :1] == moved[..., :1], found[..., 1:] != found[..., :-1]], -1
    )
    last_new = np.maximum.accumulate(np.where(is_new, places, 0), -1)
    return np.moveaxis(np.take_along_axis(moved, last_new, -1), -1, axis)


def _add_reduceat(d, r, array_, indices, axis=0, dtype=None, out=None):
    """d of each segment goes to its elements.

    A segment whose start is not before the next one consists of one element.
    """
    size, indices = np.shape(array_)[axis], array(indices)
    ends = np.concatenate([indices[1:], np.reshape(size, (1,))])
    d = np.moveaxis(d, axis, 0)
    places = counted(size)
    is_inside = (places[:, None] >= indices) & (places[:, None] < np.maximum(ends, indices + 1))
    found = np.tensordot(is_inside.astype(d.dtype), d, 1)
    return {"array_": np.moveaxis(found, 0, axis)}


def _slot_and_operands(indices):
    """A subscript as ops take it: a tuple with slots, and the operands that fill them."""
    parts = indices if isinstance(indices, tuple) else (indices,)
    operands: list = []

    def part(value):
        if value is None or value is Ellipsis or type(value) is int:
            return value
        if isinstance(value, slice):
            return slice(*(part(each) for each in (value.start, value.stop, value.step)))
        operands.append(np.asarray(value) if isinstance(value, (tuple, list)) else value)
        return Slot(len(operands) - 1)

    return tuple(map(part, parts)), operands


def _add_at(d, r, a, indices, b):
    at, operands = _slot_and_operands(indices)
    return {"a": d, "b": find("getitem")(d, *operands, at=at)}


def _subtract_at(d, r, a, indices, b):
    found = _add_at(d, r, a, indices, b)
    return {"a": d, "b": -found["b"]}
