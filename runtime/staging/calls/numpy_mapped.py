"""Python functions that NumPy maps over arrays: `np.vectorize`, `np.apply_along_axis` and others.

    np.apply_along_axis(f, 1, x)      the result for the first row determines the array;
                                      a staged loop calls f on the other rows
    np.piecewise(x, [x < 0], [f])     a staged branch calls f if there are such elements

The function is converted as if the user's code called it.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.backend import State
from autograph.constructs.ternary import if_expr
from autograph.functions.calls import converted_call
from runtime.errors import unsupported
from runtime.ir.op import find
from runtime.ir.types import INT
from runtime.staging.calls.array_creation import full
from runtime.staging.calls.iteration import positions
from runtime.staging.calls.registry import answers
from runtime.staging.calls.staged_range import StagedRange
from runtime.staging.control_flow.loop import Loop
from runtime.tracing.conversion import cast
from runtime.tracing.numpy_api.registry import composed
from runtime.tracing.tensor import Tensor, apply, is_staged, staged


def _for_each(first, count, body, roots):
    """Calls `body` with each number from `first` to `count - 1`, in a staged loop."""
    position = positions(StagedRange(first, cast(staged(count), INT)))

    def turn():
        body(position.element())
        position.advance()
        return position.more()

    loop = Loop(turn, State((), None, None), (body,), position.places, roots=roots)
    loop.stage(position.more())


# -- rows ------------------------------------------------------------------------------------------


@composed(np.apply_along_axis)
def apply_along_axis(func1d, axis, arr, *args, **kwargs):
    """The results of a function for each row along an axis."""
    arr = staged(arr)
    call = converted_call(func1d)

    def function(row):
        return call(row, *args, **kwargs)

    axis = np.lib.array_utils.normalize_axis_index(axis, arr.ndim)
    around = [size for i, size in enumerate(arr.shape) if i != axis]
    if not all(isinstance(size, int) for size in arr.type.shape):
        raise unsupported("np.apply_along_axis with a dimension known only at run time")
    if 0 in around:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    count = int(np.prod(around, dtype=int))
    rows = np.reshape(np.moveaxis(arr, axis, -1), (count, arr.shape[axis]))
    first = staged(function(rows[0]))
    results = full((count, *first.shape), 0, first.dtype)
    results[0] = first

    def fill(i):
        results[i] = function(rows[i])

    if count > 1:
        _for_each(1, count, fill, (rows, results))
    found = np.reshape(results, (*around, *first.shape))
    order = list(range(len(around) + first.ndim))
    moved = order[len(around) :]
    rest = order[: len(around)]
    return np.transpose(found, (*rest[:axis], *moved, *rest[axis:]))


@composed(np.apply_over_axes)
def apply_over_axes(func, a, axes):
    """A function applied over several axes, one after the other."""
    call = converted_call(func)
    a = staged(a)
    for axis in np.atleast_1d(axes).tolist():
        axis = a.ndim + axis if axis < 0 else axis
        found = call(a, axis)
        if found.ndim == a.ndim - 1:
            found = np.expand_dims(found, axis)
        elif found.ndim != a.ndim:
            raise ValueError("function is not returning an array of the correct shape")
        a = found
    return a


# -- elements --------------------------------------------------------------------------------------


class Vectorized:
    """The result of `np.vectorize(f)`: a function of arrays that calls f on their elements."""

    def __init__(self, made: np.vectorize):
        self.made = made

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not any(map(is_staged, (*args, *kwargs.values()))):
            return self.made(*args, **kwargs)
        made = self.made
        if kwargs or made.excluded or made.signature is not None:
            raise unsupported("np.vectorize(signature=, excluded=) or with keywords")
        arrays = np.broadcast_arrays(*map(np.atleast_1d, map(staged, args)))
        shape = np.broadcast_shapes(*(np.shape(staged(arg)) for arg in args))
        parts = [np.ravel(array) for array in arrays]
        if not isinstance(parts[0].type.shape[0], int):
            raise unsupported("np.vectorize with a size known only at run time")
        return self._mapped(converted_call(made.pyfunc), parts, shape)

    def _mapped(self, function, parts, shape):
        count = len(parts[0])
        if self.made.otypes is not None:
            dtypes = [np.dtype(code) for code in self.made.otypes]
            is_tuple = len(dtypes) > 1
        elif count == 0:
            raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
        else:
            first = function(*(part[0] for part in parts))
            is_tuple = isinstance(first, tuple)
            dtypes = [_dtype_of(found) for found in (first if is_tuple else (first,))]
        results = [full(count, 0, dtype) for dtype in dtypes]

        def fill(i):
            found = function(*(part[i].item() for part in parts))
            for result, value in zip(results, found if is_tuple else (found,), strict=True):
                result[i] = value

        if count:
            _for_each(0, count, fill, (*parts, *results))
        found = tuple(np.reshape(result, shape) for result in results)
        return found if is_tuple else found[0]


def _dtype_of(value):
    return value.dtype if isinstance(value, Tensor) else np.asarray(value).dtype


@answers(np.vectorize)
def staged_vectorize(*args, **options):
    """A function that calls another on the elements of arrays."""
    made = np.vectorize(*args, **options)
    return made if made.pyfunc is np._NoValue else Vectorized(made)


# -- pieces ----------------------------------------------------------------------------------------


def _where_called(x, y, condition, call):
    """`y` with the results of a function where a condition holds; the function is called only if
    there are such elements."""
    values = x[condition]

    def written():
        changed = y.copy()
        changed[condition] = call(values)
        return changed

    size = values.type.shape[0]
    if isinstance(size, int):
        return written() if size else y
    return if_expr(apply(find("size"), values, axis=0) > 0, written, y.copy)


@composed(np.piecewise)
def piecewise(x, condlist, funclist, *args, **kw):
    """The results of different functions where different conditions hold."""
    x = staged(x)
    if not isinstance(condlist, (list, tuple)):
        condlist = list(condlist) if np.ndim(condlist) > x.ndim else [condlist]
    conditions = list(map(staged, condlist))
    if len(conditions) + 1 == len(funclist):
        conditions.append(~np.any(np.stack(conditions), axis=0))
    elif len(conditions) != len(funclist):
        raise ValueError(
            f"with {len(conditions)} condition(s), either {len(conditions)} or "
            f"{len(conditions) + 1} functions are expected"
        )
    if x.ndim == 0:
        raise unsupported("np.piecewise of a scalar", "Use `if`.")
    y = np.zeros_like(x)
    for condition, function in zip(conditions, funclist, strict=True):
        if callable(function):
            call = converted_call(function)
            y = _where_called(x, y, condition, lambda values, call=call: call(values, *args, **kw))
        else:
            y[condition] = function
    return y


@answers(np.fromfunction)
def staged_fromfunction(function: Callable, shape, *, dtype=float, like=None, **kwargs):
    """The result of a function of index arrays."""
    return converted_call(function)(*map(staged, np.indices(shape, dtype=dtype)), **kwargs)
