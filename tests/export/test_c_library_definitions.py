"""Operations whose machine code is made from definitions in Python: each computes NumPy's values, and
results whose size a run decides."""

import math
import shutil
import sys
from collections import Counter

import numpy as np
import pytest

import runtime as rt
from runtime.errors import ExportError

pytest.importorskip("llvmlite", reason="the `native` extra installs it")
from c_library import CLibrary  # noqa: E402

from runtime.export.exporting import _traced  # noqa: E402
from runtime.export.library.definitions import DEFINITIONS  # noqa: E402

pytestmark = [
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler (cc)"),
    pytest.mark.skipif(sys.platform != "linux", reason="ctypes loads the ELF files of Linux here"),
]
N, M = rt.TensorSpec(("n",)), rt.TensorSpec(("m",))
F32, INTS, TRUTHS = (rt.TensorSpec(("n",), kind) for kind in (np.float32, np.int64, np.bool_))
PLACES, NUMBER, SQUARE = (
    rt.TensorSpec(("m",), np.int64),
    rt.TensorSpec(()),
    rt.TensorSpec(("n", "n")),
)
OK, INDEX, RANGE, EXCEPTION = 0, 2, 3, 4

ROWS = [
    np.array([]), np.array([3.5]), np.array([2.0, -1.0]), np.array([0.0, -0.0, 0.0]),
    np.array([1.0, np.nan, 2.0]), np.array([np.inf, -np.inf, 5.0, 5.0]),
    np.array([2.0, np.nan, np.nan, -1.0, 7.0, 7.0, 1e300]), np.arange(17.0)[::-1].copy(),
    np.random.default_rng(0).normal(size=130),
]  # fmt: skip

# By op: functions of a row of floats, or of integers, too.
OF_ROWS = {
    "cumsum": np.cumsum, "cumprod": np.cumprod, "diff": np.diff, "argmax": np.argmax,
    "argmin": np.argmin, "nonzero": lambda x: np.nonzero(x > 0)[0], "flip": np.flip,
    "flatnonzero": lambda x: np.flatnonzero(x), "count_nonzero": lambda x: np.count_nonzero(x > 1),
    "sort": np.sort, "ptp": np.ptp, "outer": lambda x: np.outer(x, x + 1),
    "getitem": lambda x: x[x > 0], "arange": lambda x: np.arange(len(x)) * x,
    "concatenate": lambda x: np.concatenate([x, x[:1], x]),
}  # fmt: skip
OF_FLOATS = {
    "var": lambda x: x.var(), "std": lambda x: np.std(x), "median": np.median,
    "linalg_norm": lambda x: np.linalg.norm(x) * 0 + np.sqrt(np.dot(x, x)),
    "linspace": lambda x: np.linspace(-1.0, 3.5, len(x)), "eye": lambda x: np.eye(len(x)),
}  # fmt: skip


def library(function, *specs):
    """The library of a function, for arrays, and `int` and `float` for numbers of Python."""
    called = (lambda x, y: function(x, y)) if len(specs) == 2 else (lambda x: function(x))
    return CLibrary(_traced(called, specs))


def check(compiled, function, *args, rounded=0.0):
    """Compares a library with Python: the result, or that both fail."""
    try:
        expected = function(*args)
    except Exception as error:
        status, message, _ = compiled(*args)
        assert status in (INDEX, RANGE, EXCEPTION), (status, error)
        assert status != EXCEPTION or message.startswith(f"{type(error).__name__}: ")
        return
    status, message, (found,) = compiled(*args)
    if isinstance(expected, int) and not -(2**63) <= expected < 2**63:
        assert status == RANGE  # a C function has integers of 64 bits
        return
    assert (status, message) == (OK, "")
    assert np.shape(found) == np.shape(expected)
    if rounded:
        np.testing.assert_allclose(found, expected, rtol=rounded, atol=rounded)
    else:
        np.testing.assert_array_equal(found, expected)
        are_numbers = np.asarray(expected == expected) & np.asarray(expected != 0)
        assert np.array_equal(np.signbit(found) & are_numbers, np.signbit(expected) & are_numbers)


@pytest.mark.parametrize("name", [*OF_ROWS, *OF_FLOATS])
def test_of_a_row_of_floats(name):
    function = {**OF_ROWS, **OF_FLOATS}[name]
    compiled = library(function, N)
    for row in ROWS:
        check(compiled, function, row)


@pytest.mark.parametrize("name", list(OF_ROWS))
def test_of_a_row_of_integers(name):
    function = OF_ROWS[name]
    compiled = library(function, INTS)
    generator = np.random.default_rng(1)
    for size in (0, 1, 2, 3, 16, 65):
        check(compiled, function, generator.integers(-4, 5, size))


def test_single_precision_and_truths():
    for function in (np.cumsum, np.sort, np.diff, np.argmax, lambda x: np.std(x)):
        compiled = library(function, F32)
        for row in ROWS:
            check(compiled, function, row.astype(np.float32))
    compiled = library(np.flatnonzero, TRUTHS)
    check(compiled, np.flatnonzero, np.array([True, False, True]))


@pytest.mark.parametrize("function", [lambda x, at: x[at], lambda x, at: np.take(x, at)])
def test_elements_at_positions(function):
    compiled = library(function, N, PLACES)
    row = np.arange(5.0)
    check(compiled, function, row, np.array([4, 0, -5, -1, 2, 2]))
    check(compiled, function, row, np.array([], np.int64))
    check(compiled, function, row, np.array([1, 5]))
    check(compiled, function, row, np.array([-6]))


def test_a_place_in_order():
    compiled = library(np.searchsorted, N, NUMBER)
    for row in (np.array([]), np.array([1.0, 2.0, 2.0, 5.0]), np.array([0.0, 1.0, np.nan])):
        for value in (-1.0, 1.0, 2.0, 3.0, 9.0, np.nan):
            check(compiled, np.searchsorted, row, np.float64(value))


def test_products_of_polynomials():
    compiled = library(np.convolve, N, M)
    generator = np.random.default_rng(2)
    for n, m in ((1, 1), (5, 3), (3, 5), (0, 2), (2, 0)):
        x, y = generator.integers(-9, 9, n) * 1.0, generator.integers(-9, 9, m) * 1.0
        check(compiled, np.convolve, x, y)
    compiled = library(np.polyval, N, NUMBER)
    for row in ROWS:
        check(compiled, np.polyval, row, np.float64(-1.5))


def test_systems_of_equations():
    generator = np.random.default_rng(3)
    wide = rt.TensorSpec(("n", "m"))
    for function, specs, shapes in (
        (np.linalg.solve, (SQUARE, N), lambda n: ((n, n), (n,))),
        (np.linalg.solve, (SQUARE, wide), lambda n: ((n, n), (n, 3))),
        (np.linalg.inv, (SQUARE,), lambda n: ((n, n),)),
        (np.linalg.det, (SQUARE,), lambda n: ((n, n),)),
    ):
        compiled = library(function, *specs)
        for n in (1, 2, 5, 12):
            check(
                compiled, function, *(generator.normal(size=one) for one in shapes(n)), rounded=1e-9
            )
        singular = [np.ones(shape) for shape in shapes(3)]
        if function is np.linalg.det:
            check(compiled, function, *singular, rounded=1e-12)
        else:
            check(compiled, function, *singular)


OF_NUMBERS = [name for name in DEFINITIONS if name.startswith("math_")]
PAIRS = ("hypot", "atan2", "copysign")
NUMBERS = [
    0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 1.5, -2.5, 20.0, 710.0, -750.0, 1e18, 1e308, math.inf,
    -math.inf, math.nan,
]  # fmt: skip


@pytest.mark.parametrize("name", OF_NUMBERS)
def test_a_function_of_numbers(name):
    function = getattr(math, name.removeprefix("math_"))
    if name in ("math_gcd", "math_factorial"):
        calls = (
            [(12, 18), (0, 5), (-4, 6), (0, 0)]
            if name == "math_gcd"
            else [(0,), (5,), (20,), (-1,)]
        )
        kinds = (int,) * len(calls[0])
    elif name.removeprefix("math_") in PAIRS:
        calls, kinds = (
            [(x, y) for x in NUMBERS for y in (0.0, -1.5, 1e308, math.nan)],
            (float, float),
        )
    else:
        calls, kinds = [(x,) for x in NUMBERS], (float,)
    compiled = library(function, *kinds)
    for call in calls:
        check(compiled, function, *call, rounded=4e-16 if kinds[0] is float else 0.0)


def test_results_get_their_sizes():
    compiled = library(lambda x, y: (x[1:], np.zeros(len(x) + len(y)), x[:, None] * y), N, M)
    status, _, (tail, zeros, table) = compiled(np.arange(4.0), np.arange(2.0))
    assert status == OK
    assert (tail.shape, zeros.shape, table.shape) == ((3,), (6,), (4, 2))
    assert tail.tolist() == [1.0, 2.0, 3.0] and table[3].tolist() == [0.0, 3.0]
    status, _, (tail, *_) = compiled(np.array([]), np.arange(2.0))
    assert status == OK and tail.shape == (0,)


def test_the_header_says_how_large_results_are(tmp_path):
    made = rt.compile_library(lambda x, y: np.convolve(x, y), tmp_path / "product", N, M)
    text = made.header.read_text()
    assert "result: at most [m + n]; its sizes go to result_shape" in text
    assert "double *result, int64_t *result_shape" in text


def test_a_result_without_a_bound_is_refused(tmp_path):
    with pytest.raises(ExportError, match="nothing bounds the sizes of full\n  .*line [0-9]+, in"):
        rt.compile_library(lambda n: np.zeros(n), tmp_path / "zeros", int)


def halves(x):
    found = np.zeros(0)
    if x[0] > 0:
        found = np.fft.rfft(x).real
    return abs(found) + 1


def test_a_result_without_a_bound_is_refused_with_the_operation_that_has_none(tmp_path):
    with pytest.raises(ExportError) as refusal:
        rt.compile_library(halves, tmp_path / "halves", N)
    lines = str(refusal.value).splitlines()
    assert lines[0].endswith("its result is f64[None], and nothing bounds the sizes of fft.rfft")
    assert lines[2].strip() == "found = np.fft.rfft(x).real"


def keyed(x):
    return {int(x): x}


def counted(x):
    counts = Counter()
    counts[int(x)] += 1
    return counts


@pytest.mark.parametrize("function", [keyed, counted])
def test_a_result_with_keys_of_a_run_is_refused(function, tmp_path):
    with pytest.raises(ExportError, match="only a run knows its keys"):
        rt.compile_library(function, tmp_path / "keyed", float)


def test_other_operands_are_refused(tmp_path):
    with pytest.raises(ExportError, match="cumsum has no machine code"):
        rt.compile_library(lambda x: np.cumsum(x)[0], tmp_path / "sums", rt.TensorSpec(("n", "m")))
    with pytest.raises(ExportError, match="var has no machine code"):
        rt.compile_library(lambda x: np.var(x, axis=0), tmp_path / "var", SQUARE)


def test_every_definition_is_tested():
    others = {
        "take",
        "searchsorted",
        "convolve",
        "polyval",
        "linalg_solve",
        "linalg_inv",
        "linalg_det",
    }
    assert set(DEFINITIONS) == {*OF_ROWS, *OF_FLOATS, *OF_NUMBERS, *others} - {"getitem"}
