"""Every op with an ONNX rule computes in a model what it computes in NumPy."""

import itertools

import numpy as np
import pytest
from op_samples import EVALUATED, few_samples_of, name, samples_of, staged

import autograph
import runtime as rt
from runtime.errors import ExportError
from runtime.ir.pytree import flatten

pytest.importorskip("onnxruntime", reason="the `test` extra installs it")
from onnx_runs import check, compare, expected_of, model_for, results, run  # noqa: E402

from runtime.export.onnx.rules import RULES  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")
OPS = [op for op in EVALUATED if op.name in RULES]
REFUSED = {"cast": "c128", "real": "c128", "option": "int | f64"}  # examples that are refused


@pytest.mark.sampled(4)
@pytest.mark.parametrize("op", OPS, ids=name)
def test_a_model_computes_the_value_of_the_op(op):
    compared = 0
    for sample in few_samples_of(op):
        function, arrays = staged(sample)
        if not arrays:
            continue
        try:
            model = model_for(rt.function(function), tuple(arrays))
        except ExportError as error:
            assert REFUSED.get(op.name, "nothing") in str(error)
            continue
        compare(results(model, tuple(arrays)), expected_of(flatten(sample.result)[0]))
        compared += 1
    assert compared or op.name in REFUSED or not any(staged(one)[1] for one in samples_of(op))


# -- values at which ONNX and NumPy, or engines of ONNX, may differ --------------------------------

FLOATS = np.array(
    [0.0, -0.0, 1.0, -1.0, 2.5, -2.5, 0.5, -7.0, 1e300, -1e-300, np.inf, -np.inf, np.nan]
)
INTEGERS = np.array([0, 1, -1, 2, -2, 7, -7, 100, -(2**63), 2**63 - 1])
TWO = ["add", "subtract", "multiply", "floor_divide", "remainder", "maximum", "minimum",
       "equal", "not_equal", "less", "less_equal", "greater", "greater_equal",
       "logical_and", "logical_or", "logical_xor", "bitwise_and", "bitwise_or", "bitwise_xor",
       "divide", "hypot", "fmax", "fmin", "power", "divmod"]  # fmt: skip
ONE = ["negative", "absolute", "sign", "floor", "ceil", "trunc", "rint", "sqrt", "exp", "log",
       "expm1", "log1p", "isnan", "isinf", "isfinite", "square", "logical_not", "invert",
       "positive", "reciprocal", "degrees", "sin", "tanh"]  # fmt: skip
USUAL = ["?", "i8", "u1", "f8"]
RARE = ["i1", "i2", "i4", "u2", "u4", "u8", "f4"]
DTYPES = [*USUAL, *(pytest.param(dtype, marks=pytest.mark.thorough) for dtype in RARE)]


def values(dtype):
    """Numbers of a dtype, with its extremes."""
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            return FLOATS.astype(dtype)
    if dtype.kind == "b":
        return np.array([False, True])
    bounds = np.iinfo(dtype)
    numbers = [bounds.min, bounds.max, *(n for n in range(-9, 10) if n >= bounds.min)]
    return np.array(numbers, dtype)


def on_all(ufunc, *arrays):
    """Compares a ufunc on arrays in the model with NumPy; signs of zeros by onnx's interpreter."""

    @autograph.do_not_convert
    def applied(*given):
        return getattr(np, ufunc)(*given)

    function = rt.function(applied)
    try:
        model = model_for(function, arrays)
    except ExportError:
        return False
    with np.errstate(all="ignore"):
        expected = expected_of(applied(*arrays))
    compare(results(model, arrays), expected)
    if ufunc in ("floor_divide", "remainder", "divmod", "trunc", "negative"):
        for one, other in zip(results(model, arrays, "interpreter"), expected, strict=True):
            if other.dtype.kind == "f":
                assert np.array_equal(
                    np.signbit(one)[~np.isnan(one)], np.signbit(other)[~np.isnan(other)]
                )
    return True


def is_defined(ufunc, *dtypes):
    """Whether NumPy has the ufunc for dtypes."""
    with np.errstate(all="ignore"):
        try:
            getattr(np, ufunc)(*(np.ones(1, dtype) for dtype in dtypes))
        except TypeError:
            return False
    return True


REFUSED_TWO = {("power", kind) for kind in "biu"}
REFUSED_ONE = {("reciprocal", kind) for kind in "biu"}


@pytest.mark.sampled(6)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("ufunc", TWO)
def test_binary_operations_of_all_pairs(ufunc, dtype):
    if not is_defined(ufunc, dtype, dtype):
        pytest.skip("NumPy does not define it")
    pairs = np.array(list(itertools.product(values(dtype), repeat=2)), dtype)
    done = on_all(ufunc, pairs[:, 0].copy(), pairs[:, 1].copy())
    assert done == ((ufunc, np.dtype(dtype).kind) not in REFUSED_TWO)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("ufunc", ONE)
def test_unary_operations(ufunc, dtype):
    if not is_defined(ufunc, dtype):
        pytest.skip("NumPy does not define it")
    done = on_all(ufunc, values(dtype))
    assert done == ((ufunc, np.dtype(dtype).kind) not in REFUSED_ONE)


@pytest.mark.thorough
@pytest.mark.parametrize("left, right", list(itertools.permutations(USUAL + RARE, 2)))
def test_binary_operations_of_two_dtypes(left, right):
    rows = np.array(list(itertools.product(range(len(values(left))), range(len(values(right))))))
    for ufunc in TWO:
        if is_defined(ufunc, left, right):
            on_all(ufunc, values(left)[rows[:, 0]], values(right)[rows[:, 1]])


REDUCTIONS = [
    "sum",
    "prod",
    "max",
    "min",
    "argmax",
    "argmin",
    "any",
    "all",
    "mean",
    "var",
    "std",
    "cumsum",
]


@pytest.mark.sampled(6)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_reductions(reduction, dtype):
    given = np.array([[1, 0, 3], [0, 2, 2]]).astype(dtype)
    nans = (
        np.array([[1, np.nan, 3], [0, 2, 2]]).astype(dtype)
        if np.dtype(dtype).kind == "f"
        else given
    )
    for array in (given, nans):
        for axis in (None, 0, -1):

            @autograph.do_not_convert
            def applied(x, axis=axis):
                return getattr(np, reduction)(x, axis=axis)

            check(rt.function(applied), array)


@pytest.mark.parametrize("reduction", REDUCTIONS)
def test_reductions_of_no_elements(reduction):
    @autograph.do_not_convert
    def applied(x):
        return getattr(np, reduction)(x)

    function = rt.function(applied)
    spec, empty = (rt.TensorSpec(("n",)),), np.zeros(0)
    try:
        expected = expected_of(applied(empty))
    except ValueError:
        with pytest.raises(Exception, match="(?i)out of (data )?bounds"):
            run(function, empty, specs=spec)
        return
    compare(run(function, empty, specs=spec), expected)


# -- Python scalars ---------------------------------------------------------------------------------


def test_a_python_int_beyond_64_bits_ends_the_run():
    def power(n):
        product = 1
        while n > 0:
            product = product * 3
            n = n - 1
        return product

    model = model_for(rt.function(power), (np.int64(5),))
    for n in range(40):
        compare(results(model, (np.int64(n),)), [np.array(3**n)] if n < 40 else [])
    with pytest.raises(Exception, match="out of data bounds"):
        results(model, (np.int64(41),))


def test_division_of_python_numbers_by_zero_ends_the_run():
    def ratio(x):
        whole = int(x)
        return 12 // whole, 12 % whole, 12 / whole, -7.5 // float(x)

    model = model_for(rt.function(ratio), (np.float64(5),))
    for x in (-5.0, 3.0, -3.7, 7.0, 1e15):
        compare(results(model, (np.float64(x),)), expected_of(ratio(np.float64(x))))
    for x in (0.5, np.nan, np.inf, 1e19):
        with pytest.raises(Exception, match="out of data bounds"):
            results(model, (np.float64(x),))


def test_weak_scalars_take_the_dtype_of_the_array():
    def mixed(x):
        return x + 1, x * 2.5, 3 - x, x > 2, x // 2, np.where(x > 1, x, 0)

    for dtype in ("i1", "u2", "i8", "f4", "f8"):
        check(rt.function(mixed), np.array([1, 2, 3], dtype))


def test_numbers_of_numpy_wrap_as_in_numpy():
    def sums(x):
        return x + x, x * x, -x

    check(rt.function(sums), INTEGERS)
    check(rt.function(sums), np.array([100, -128, 127], "i1"))
