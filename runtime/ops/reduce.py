"""Reductions and scans: sums, products, means, extremes and their indices.

`axis` is None (all elements), an int or a tuple of ints; with `keepdims`, reduced dimensions stay
with size one.
"""

import operator
import warnings

import numpy as np

from runtime.ir.derivative import Adjoint
from runtime.ir.op import Op
from runtime.ir.traits import Cost, Per, Traits
from runtime.ir.types import TensorType, is_array, type_of
from runtime.ops.adjoints import reductions, roots
from runtime.ops.conditions import emptiness_errors, may_have_too_few_elements


def _axes(x, axis):
    """The axes as non-negative ints.  Raises `AxisError` as NumPy does."""
    if axis is None:
        return tuple(range(x.ndim))
    return np.lib.array_utils.normalize_axis_tuple(axis, x.ndim)


def _reduced_shape(x, axis, keepdims):
    axes = _axes(x, axis)
    sizes = ((1 if keepdims else ...) if i in axes else size for i, size in enumerate(x.shape))
    return tuple(size for size in sizes if size is not ...)


def _sample(x):
    """A small array of the same dtype, with which NumPy shows the dtype of a function's result."""
    return np.ones(1, x.dtype)


def _of_number(function, x, **options):
    """The result type of a function of a scalar; some functions accept the axes 0 and -1 for it."""
    number = np.ones((), x.dtype)
    return type_of(function(number if is_array(x) else number[()], **options))


def reduction(name, doc, back, dtypes=True, **traits):
    """The op of a NumPy reduction with adjoint `back`; `dtypes`: whether it takes a `dtype`."""
    function = getattr(np, name)

    def infer(x, axis=None, dtype=None, keepdims=False):
        options = {"dtype": dtype} if dtype is not None else {}
        if not x.shape:
            return _of_number(function, x, axis=axis, keepdims=keepdims, **options)
        result = function(_sample(x), **options)
        return TensorType(np.asarray(result).dtype, _reduced_shape(x, axis, keepdims))

    def infer_plain(x, axis=None, keepdims=False):
        return infer(x, axis, None, keepdims)

    derivative = None if back is None else Adjoint(back)
    rule = infer if dtypes else infer_plain
    return Op(
        name,
        doc,
        rule,
        f"xp.{name}(x, ...)",
        function,
        traits=Traits(
            reduction=True, cost=Cost(0.7, Per.OPERAND), method=f"x.{name}(...)", **traits
        ),
        derivative=derivative,
    )


sum = reduction(
    "sum", "Sum; small integers are summed as i64, floats pairwise.", reductions.sum, linear=(0,)
)
prod = reduction("prod", "Product; small integers are multiplied as i64.", reductions.prod)
mean = reduction(
    "mean",
    "Arithmetic mean; nan if there are no elements.",
    reductions.mean,
    linear=(0,),
    warns=may_have_too_few_elements,
)
max = reduction(
    "max",
    "The largest element; nan if any element is nan.  Raises ValueError if there are no elements.",
    reductions.extreme,
    False,
    raises=emptiness_errors,
)
min = reduction(
    "min",
    "The smallest element; nan if any element is nan.  Raises ValueError if there are no elements.",
    reductions.extreme,
    False,
    raises=emptiness_errors,
)
any = reduction("any", "Whether any element is true.", None, False)
all = reduction("all", "Whether all elements are true.", None, False)


def _spread_rule(x, axis=None, dtype=None, ddof=0, keepdims=False):
    if not x.shape:
        with np.errstate(all="ignore"), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _of_number(np.var, x, axis=axis, dtype=dtype, ddof=ddof, keepdims=keepdims)
    result = np.var(_sample(x), dtype=dtype)
    return TensorType(np.asarray(result).dtype, _reduced_shape(x, axis, keepdims))


var = Op(
    "var",
    "Variance: the sum of squared deviations from the mean, over n - ddof.",
    _spread_rule,
    "xp.var(x, ...)",
    np.var,
    traits=Traits(
        total=True,
        cost=Cost(3.0, Per.OPERAND),
        warns=may_have_too_few_elements,
        method="x.var(...)",
    ),
    derivative=Adjoint(reductions.var),
)
std = Op(
    "std",
    "Standard deviation: the square root of the variance.",
    _spread_rule,
    "xp.std(x, ...)",
    np.std,
    traits=Traits(
        total=True,
        cost=Cost(3.0, Per.OPERAND),
        warns=may_have_too_few_elements,
        method="x.std(...)",
    ),
    derivative=Adjoint(reductions.std),
    root=roots.std,
)


def _place_rule(x, axis=None, keepdims=False):
    if not x.shape:
        return _of_number(np.argmax, x, axis=axis, keepdims=keepdims)
    axis = axis if axis is None else operator.index(axis)
    return TensorType(np.dtype(np.intp), _reduced_shape(x, axis, keepdims))


argmax = Op(
    "argmax",
    "The index of the largest element, the first of several; nan counts as largest.",
    _place_rule,
    "xp.argmax(x, ...)",
    np.argmax,
    traits=Traits(
        total=True, raises=emptiness_errors, cost=Cost(0.7, Per.OPERAND), method="x.argmax(...)"
    ),
)
argmin = Op(
    "argmin",
    "The index of the smallest element, the first of several; nan counts as smallest.",
    _place_rule,
    "xp.argmin(x, ...)",
    np.argmin,
    traits=Traits(
        total=True, raises=emptiness_errors, cost=Cost(0.7, Per.OPERAND), method="x.argmin(...)"
    ),
)


def _scan_rule(function):
    def infer(x, axis=None, dtype=None):
        if not x.shape:
            return _of_number(function, x, axis=axis, dtype=dtype)
        result = function(_sample(x), dtype=dtype)
        if axis is None:
            return TensorType(result.dtype, (_count(x.shape),))
        _axes(x, axis)
        return TensorType(result.dtype, x.shape)

    return infer


def _count(shape):
    """The number of elements; None if it is unknown."""
    total = 1
    for size in shape:
        if not isinstance(size, int):
            return None
        total *= size
    return total


cumsum = Op(
    "cumsum",
    "Cumulative sums.",
    _scan_rule(np.cumsum),
    "xp.cumsum(x, ...)",
    np.cumsum,
    traits=Traits(linear=(0,), cost=Cost(3.0, Per.OPERAND), method="x.cumsum(...)"),
    derivative=Adjoint(reductions.cumsum),
)
cumprod = Op(
    "cumprod",
    "Cumulative products.",
    _scan_rule(np.cumprod),
    "xp.cumprod(x, ...)",
    np.cumprod,
    traits=Traits(cost=Cost(3.0, Per.OPERAND), method="x.cumprod(...)"),
    derivative=Adjoint(reductions.cumprod),
)
