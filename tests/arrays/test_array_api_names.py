"""`runtime.array_api` has the functions of the array API standard, for arrays and staged values."""

import numpy as np
import pytest
from outcomes import same_exactly

import runtime as rt
import runtime.array_api as xp

# The names of version 2023.12 of the standard.
STANDARD = (
    "e inf nan newaxis pi "
    "bool complex64 complex128 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64 "
    "arange asarray empty empty_like eye from_dlpack full full_like linspace meshgrid ones "
    "ones_like tril triu zeros zeros_like "
    "astype broadcast_arrays broadcast_to can_cast finfo iinfo isdtype result_type "
    "abs acos acosh add asin asinh atan atan2 atanh bitwise_and bitwise_left_shift bitwise_invert "
    "bitwise_or bitwise_right_shift bitwise_xor ceil clip conj copysign cos cosh divide equal exp "
    "expm1 floor floor_divide greater greater_equal hypot imag isfinite isinf isnan less "
    "less_equal log log1p log2 log10 logaddexp logical_and logical_not logical_or logical_xor "
    "maximum minimum multiply negative not_equal positive pow real remainder round sign signbit "
    "sin sinh square sqrt subtract tan tanh trunc "
    "matmul matrix_transpose tensordot vecdot "
    "concat expand_dims flip moveaxis permute_dims repeat reshape roll squeeze stack tile unstack "
    "argmax argmin nonzero searchsorted where take "
    "unique_all unique_counts unique_inverse unique_values argsort sort "
    "cumulative_sum max mean min prod std sum var all any "
    "__array_namespace_info__ __array_api_version__"
).split()
LINALG = (
    "cholesky cross det diagonal eigh eigvalsh inv matmul matrix_norm matrix_power matrix_rank "
    "matrix_transpose outer pinv qr slogdet solve svd svdvals tensordot trace vecdot vector_norm"
).split()
FFT = "fft ifft fftn ifftn rfft irfft rfftn irfftn hfft ihfft fftfreq rfftfreq fftshift ifftshift"
X = np.array([[0.3, -0.2, 0.7], [0.9, 0.4, -0.6]])
# Functions of one array of numbers between -1 and 1.
OF_ONE = (
    "abs acos asin asinh atan atanh ceil conj cos cosh exp expm1 floor imag isfinite isinf isnan "
    "negative positive real round sign signbit sin sinh square tan tanh trunc max min mean prod "
    "std sum var all any argmax argmin argsort sort nonzero matrix_transpose flip unique_values "
    "ones_like zeros_like tril triu"
).split()
OF_TWO = (
    "add atan2 copysign divide equal floor_divide greater greater_equal hypot less less_equal "
    "logaddexp maximum minimum multiply not_equal remainder subtract vecdot"
).split()


@pytest.mark.skipif(not hasattr(np, "unstack"), reason="NumPy 2.0 lacks some functions")
def test_every_name_of_the_standard_is_there():
    assert [name for name in STANDARD if not hasattr(xp, name)] == []
    assert [name for name in LINALG if not hasattr(xp.linalg, name)] == []
    assert [name for name in FFT.split() if not hasattr(xp.fft, name)] == []


def test_names_beside_the_standard_are_not_there():
    assert not any(hasattr(xp, name) for name in ("ndarray", "sin_cos", "vstack", "float128"))


def test_functions_are_the_same_for_arrays_and_staged_values():
    def of_one(x):
        return [getattr(xp, name)(x) for name in OF_ONE]

    def of_two(x, y):
        return [getattr(xp, name)(x, y) for name in OF_TWO]

    for function, given in ((of_one, (X,)), (of_two, (X, X[::-1] + 0.05))):
        for one, other in zip(rt.function(function)(*given), function(*given), strict=True):
            assert same_exactly(one, other)


def test_arrays_come_in_and_go_out_without_a_copy():
    shown = xp.from_dlpack(X)
    assert np.shares_memory(shown, X)
    found = rt.function(lambda x: xp.sum(x, axis=0))(xp.from_dlpack(X))
    assert same_exactly(np.from_dlpack(found), X.sum(axis=0))
