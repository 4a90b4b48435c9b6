"""The functions of the Python array API standard, for arrays of NumPy and staged values.

    import runtime.array_api as xp

    def normalized(x):
        return (x - xp.mean(x, axis=0)) / xp.std(x, axis=0, correction=1)

    normalized(x)                    arrays of NumPy in and out
    rt.function(normalized)(x)       the same functions, recorded in a graph
    xp.from_dlpack(tensor)           an array of any library, without a copy

They are NumPy's own functions, which follow the standard since NumPy 2, except for `sort` and
`argsort`, which have `descending` here; only names of the standard are here, so code that uses them
runs with other libraries, too.
"""

from typing import Any

import numpy as np

CONSTANTS = "e inf nan newaxis pi"
DTYPES = (
    "bool complex64 complex128 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64"
)
CREATION = (  # op names: those of the standard
    "arange asarray empty empty_like eye from_dlpack full full_like linspace meshgrid ones "
    "ones_like tril triu zeros zeros_like"
)
ABOUT_DTYPES = "astype can_cast finfo iinfo isdtype result_type"
ELEMENTWISE = (  # op names: those of the standard
    "abs acos acosh add asin asinh atan atan2 atanh bitwise_and bitwise_invert bitwise_left_shift "
    "bitwise_or bitwise_right_shift bitwise_xor ceil clip conj copysign cos cosh divide equal exp "
    "expm1 floor floor_divide greater greater_equal hypot imag isfinite isinf isnan less "
    "less_equal log log10 log1p log2 logaddexp logical_and logical_not logical_or logical_xor "
    "maximum minimum multiply negative nextafter not_equal positive pow real reciprocal remainder "
    "round sign signbit sin sinh sqrt square subtract tan tanh trunc"
)
ARRAYS = (  # op names: those of the standard
    "argmax argmin argsort broadcast_arrays broadcast_to concat count_nonzero cumulative_prod "
    "cumulative_sum diff expand_dims flip matmul matrix_transpose moveaxis nonzero permute_dims "
    "repeat reshape roll searchsorted sort squeeze stack take take_along_axis tensordot tile "
    "unique_all unique_counts unique_inverse unique_values unstack vecdot where"
)
REDUCTIONS = "all any max mean min prod std sum var"  # op names: those of the standard
MODULES = "fft linalg"
ABOUT = "__array_api_version__ __array_namespace_info__"
__all__ = sorted(
    name
    for names in (
        CONSTANTS, DTYPES, CREATION, ABOUT_DTYPES, ELEMENTWISE, ARRAYS, REDUCTIONS, MODULES
    )
    for name in names.split()
    if hasattr(np, name)
)  # fmt: skip
_names = {*__all__, *ABOUT.split()}


def sort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    """The elements along an axis in order; equal ones keep theirs.

    `x` has at least one dimension; the result has its shape and dtype.

    >>> sort(np.array([2, 3, 1]), descending=True)
    array([3, 2, 1])
    """
    if descending:
        return np.take_along_axis(x, argsort(x, axis=axis, descending=True), axis=axis)
    return np.sort(x, axis=axis, kind="stable" if stable else None)


def argsort(x: Any, /, *, axis: int = -1, descending: bool = False, stable: bool = True) -> Any:
    """The positions of the elements along an axis in order; equal ones keep theirs.

    `x` has at least one dimension; the result is of its shape, and of int64.

    >>> argsort(np.array([2, 3, 2]), descending=True)
    array([1, 0, 2])
    """
    kind = "stable" if stable or descending else None
    if not descending:
        return np.argsort(x, axis=axis, kind=kind)
    backwards = np.argsort(np.flip(x, axis=axis), axis=axis, kind=kind)
    return x.shape[axis] - 1 - np.flip(backwards, axis=axis)


def __getattr__(name: str) -> Any:
    if name not in _names:
        raise AttributeError(f"the array API standard has no {name!r}", name=name)
    return getattr(np, name)


def __dir__() -> list[str]:
    return list(__all__)
