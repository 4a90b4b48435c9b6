"""Arrays in machine code: elements, bounds, writes in place, aliases, memory."""

import copy
import gc
import random
import sys
import warnings

import numpy as np
import pytest
from allocated import blocks_left_by, peak_bytes_of
from loading import load
from outcomes import outcome
from random_array_loops import Writer, arguments

import runtime as rt
from runtime.engines import native

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)


def sieve(n):
    flags = np.ones(n + 1, dtype=bool)
    flags[0] = False
    flags[1] = False
    i = 2
    while i * i <= n:
        if flags[i]:
            j = i * i
            while j <= n:
                flags[j] = False
                j += i
        i += 1
    return flags


def distance(a, b):
    row = np.arange(b.shape[0] + 1)
    for i in range(a.shape[0]):
        diagonal = row[0]
        row[0] = i + 1
        for j in range(b.shape[0]):
            cost = 0 if a[i] == b[j] else 1
            new = min(row[j + 1] + 1, row[j] + 1, diagonal + cost)
            diagonal = row[j + 1]
            row[j + 1] = new
    return row[b.shape[0]]


def mandelbrot(height, width, most):
    counts = np.zeros((height, width), np.int32)
    for i in range(height):
        for j in range(width):
            real, imaginary, k = 0.0, 0.0, 0
            while k < most and real * real + imaginary * imaginary <= 4.0:
                next_real = real * real - imaginary * imaginary - 2.0 + 3.0 * j / width
                imaginary = 2.0 * real * imaginary - 1.5 + 3.0 * i / height
                real = next_real
                k += 1
            counts[i, j] = k
    return counts


def written(x, at, value):
    x[at] = value
    total = x[0]
    for i in range(x.shape[0]):
        total = total + x[i]
    return x, total


def returned(x, n):
    for _ in range(n):
        x = x.copy()
        x[0] = x[0] + 1
    return x


def changed(x, at, value):
    y = x.copy()
    y[at] = value
    for i in range(at):
        y, x = x.copy(), y
    return y, x, y[at]


LETTERS = np.arange(40) % 7


@pytest.mark.parametrize(
    ("fn", "arguments"),
    [
        (sieve, (np.int64(100),)),
        (distance, (LETTERS, LETTERS[3:35].copy())),
        (mandelbrot, (np.int64(8), np.int64(9), np.int64(20))),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_a_loop_over_elements_is_one_piece(fn, arguments):
    compiled = rt.function(fn, engine="native")
    found, expected = compiled(*arguments), fn(*arguments)
    assert "not native" not in compiled.native()
    program = compiled.get_concrete_function(*arguments).compiled.plain
    inputs = {value.hint: value for value in program.pieces[0].inputs}
    assert len(inputs) == len(arguments)
    assert program.pieces[0].function(*arguments)[0] is True
    assert type(found) is type(expected) and np.array_equal(found, expected)
    assert found.dtype == expected.dtype


@pytest.mark.parametrize("seed", range(16))
def test_random_programs(seed):
    assert_alike(seed)


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(1000, 1400, 20))
def test_more_random_programs(first):
    for seed in range(first, first + 20):
        assert_alike(seed)


def assert_alike(seed):
    fn = load(Writer(random.Random(seed)).module(), f"array_loops_{seed}.py").f
    engines = [rt.function(fn, engine=name) for name in ("native", "numpy")]
    for number in range(3):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found, expected = (outcome(one, arguments(number)) for one in engines)
        assert repr(found.error) == repr(expected.error)
        assert_same_bits(found.result, expected.result)
        assert_same_bits(found.arguments, expected.arguments)


def assert_same_bits(found, expected):
    assert type(found) is type(expected)
    if isinstance(found, tuple):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert_same_bits(one, other)
    elif isinstance(found, np.ndarray | np.generic):
        assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
        assert found.tobytes() == expected.tobytes()
    else:
        assert found == expected or found != found and expected != expected


VALUES = (True, 3, -200, 2.75, 2**40, 1e300, np.nan, np.int8(-5), np.int64(2**40), np.float32(0.5))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dtype", ["b1", "i1", "i4", "i8", "u1", "u8", "f4", "f8"])
def test_elements_are_cast_as_numpy_casts_them(dtype):
    for value in (*VALUES, np.float64(-1.5), np.bool_(True), np.uint64(2**63)):
        given = np.ones(3, dtype), np.int64(1), value
        engines = [rt.function(written, engine=name) for name in ("native", "numpy")]
        found, expected = (outcome(one, given) for one in engines)
        assert repr(found.error) == repr(expected.error), value
        assert_same_bits(found.result, expected.result)
        assert_same_bits(found.arguments, expected.arguments)


@pytest.mark.parametrize("index", [3, -4, 10**6])
def test_an_index_out_of_bounds_raises_in_the_users_line(index):
    compiled = rt.function(written, engine="native")
    given = np.arange(3.0)
    with pytest.raises(IndexError, match=f"index {index} is out of bounds") as caught:
        compiled(given, np.int64(index), np.float64(1.0))
    assert caught.traceback[-1].name == "written"
    assert given.tolist() == [0, 1, 2]


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6.0)[::2],
        np.arange(6.0)[::-1][:3],
        np.arange(3.0).astype(">f8"),
        np.frombuffer(b"\0" * 25, np.uint8)[1:].view(np.float64),
    ],
    ids=["strided", "reversed", "swapped", "unaligned"],
)
def test_other_layouts_are_computed_by_numpy(array):
    compiled = rt.function(written, engine="native")
    compiled(np.arange(3.0), np.int64(0), np.float64(1.0))
    given, plain = copy.deepcopy(array), np.array(array, "f8")
    found, expected = compiled(np.array(given), np.int64(1), np.float64(7)), written(plain, 1, 7.0)
    assert found[0].tolist() == expected[0].tolist() and found[1] == expected[1]


def test_an_array_that_nothing_changes_is_returned_as_by_numpy():
    given = np.arange(3.0)
    for times in (0, 2):
        found = [
            rt.function(returned, engine=name)(given, np.int64(times))
            for name in ("native", "numpy")
        ]
        assert (found[0] is given) == (found[1] is given)
        assert found[0].tolist() == found[1].tolist() == [times, 1, 2]
        assert given.tolist() == [0, 1, 2]


def test_writes_in_loops_are_in_place():
    compiled = rt.function(sieve, engine="native")
    compiled(np.int64(100))
    assert peak_bytes_of(lambda: compiled(np.int64(300_000))) < 2 * 300_001


def test_an_array_of_each_iteration_is_freed():
    compiled = rt.function(returned, engine="native")
    given = np.zeros(100_000)
    compiled(given, np.int64(1))
    assert peak_bytes_of(lambda: compiled(given, np.int64(50))) < 3 * given.nbytes


@pytest.mark.parametrize("case", ["done", "left", "not taken"])
def test_calls_keep_no_reference_to_arrays(case):
    compiled = rt.function(changed, engine="native")
    given = np.arange(3.0)
    arguments = given, np.int64(9 if case == "left" else 1), np.float64(2.0)
    concrete = compiled.get_concrete_function(given, *arguments[1:])
    piece = concrete.compiled.plain.pieces[0]
    by_name = {"x": given[::-1] if case == "not taken" else given, "at": arguments[1]}
    by_name |= {"value": arguments[2]}
    operands = [by_name[value.hint] for value in piece.inputs]
    assert piece.function(*operands)[0] is (case == "done")
    gc.collect()
    objects = [*operands, given.dtype, np.ndarray, np.float64, None, True]
    if sys.version_info >= (3, 12):
        objects = objects[:-4]
    before = [sys.getrefcount(one) for one in objects]

    def calls():
        for _ in range(10_000):
            piece.function(*operands)

    assert blocks_left_by(calls) < 100
    after = [sys.getrefcount(one) for one in objects]
    assert all(abs(x - y) < 20 for x, y in zip(before, after, strict=True))
