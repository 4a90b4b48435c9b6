"""The engine `native-fast`: functions of arrays by the vector math, and all else bit by bit."""

import random
from functools import cache

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="the native engine needs the extra `native`")

from loading import load  # noqa: E402
from outcomes import outcome  # noqa: E402
from random_kernels import Writer, arguments  # noqa: E402
from vector_references import errors_in_ulp, expected  # noqa: E402
from warning_records import recorded_warnings  # noqa: E402

import runtime as rt  # noqa: E402
from runtime.engines import native, registry  # noqa: E402
from runtime.engines.native.kernels.formulas import NAMES, names_of  # noqa: E402
from runtime.engines.native.vector_math import ARITIES  # noqa: E402
from runtime.engines.registry import Options  # noqa: E402
from runtime.ir.graph import Graph, Node, Value  # noqa: E402
from runtime.ir.op import find  # noqa: E402
from runtime.ir.types import tensor_type  # noqa: E402

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)

FORMULAS = [(name, dtype) for dtype in ("f4", "f8") for name in names_of(np.dtype(dtype))]
INF, NAN = np.inf, np.nan
SPECIAL = (0.0, 1.0, 0.5, 2.0, 3.0, 1e-42, 5e-324, 1e-310, 1e-300, 88.5, 104.0, 710.0, 746.0)
SPECIAL += (1e9, 1e22, 3e38, 1.5e308, 2.0**53, 0.75, 2.5, INF, NAN)
SCALES = (1e-3, 0.5, 1, 3, 30, 100, 750, 1e6)


@cache
def programs(name, dtype):
    """The op of a name as a graph of vectors, by this engine and by that of NumPy."""
    arity = ARITIES[NAMES.get(name, name)]
    inputs = [Value(tensor_type(np.dtype(dtype), (None,)), f"x{i}") for i in range(arity)]
    output = Value(tensor_type(np.dtype(dtype), (None,)), "y")
    graph = Graph("graph", inputs, [Node(find(name), tuple(inputs), (output,))], [output])
    return [registry.find(e).compiled(graph, Options()) for e in ("native-fast", "numpy")]


def run(function, given):
    """The results of a call, or its exception; and the warnings."""
    with recorded_warnings() as found:
        try:
            (result,) = function(*given)
        except Exception as error:
            result = repr(error)
    return result, sorted(str(one.message) for one in found)


def points(dtype, count, seed):
    """Random bits, numbers of several sizes, and special values, in a random order."""
    generator, dtype = np.random.default_rng(seed), np.dtype(dtype)
    bits = generator.bytes(count * dtype.itemsize)
    with np.errstate(all="ignore"):
        special = np.array([sign * x for x in SPECIAL for sign in (1, -1)]).astype(dtype)
        uniform = [generator.uniform(-scale, scale, count) for scale in SCALES]
        found = np.concatenate([np.frombuffer(bits, dtype), *uniform, special]).astype(dtype)
    return generator.permutation(found)


def tiny_arguments(dtype, count):
    """Arguments of which the functions have results below the normal numbers."""
    generator, about = np.random.default_rng(9), np.finfo(dtype)
    exponents = about.minexp + generator.uniform(-about.nmant, 2, count)
    small = np.exp2(exponents)
    return np.concatenate([small, -small, exponents, exponents * np.log(2)]).astype(dtype)


def is_accurate(name, result, given):
    """Asserts that results are within 2 units in the last place of the function."""
    errors = errors_in_ulp(result, expected(NAMES.get(name, name), *given))
    worst = int(np.argmax(errors))
    assert errors[worst] <= 2, (name, [x[worst] for x in given], result[worst])


def ordinary(result, given):
    """Where all arguments are finite, and the result is a normal number."""
    least = 1.001 * np.finfo(result.dtype).tiny
    return np.all([np.isfinite(result), np.abs(result) > least, *map(np.isfinite, given)], axis=0)


def special_values(result):
    """All that are not numbers, infinite or zero, and all signs."""
    kept = np.where(np.isinf(result), result, np.copysign(0, result))
    kept = np.where(np.isnan(result), np.nan, kept)
    return result.shape, result.dtype, (result == 0).tobytes(), kept.tobytes()


def same_outcome(name, dtype, count, seed):
    """All arguments together are as special as in NumPy, with its warnings; the ordinary ones have
    machine code, and no flag."""
    fast, plain = programs(name, dtype)
    arity = ARITIES[NAMES.get(name, name)]
    given = [points(dtype, count, 10 * seed + i) for i in range(arity)]
    found, wanted = run(fast.function, given), run(plain.function, given)
    assert found[1] == wanted[1] and special_values(found[0]) == special_values(wanted[0])
    chosen = ordinary(wanted[0], given)
    given = [x[chosen] for x in given]
    done, result = fast.pieces[0].function(*given)
    assert done is True and len(result) > count
    assert (result.dtype, result.shape) == (np.dtype(dtype), given[0].shape)
    is_accurate(name, result, given)


@pytest.mark.parametrize(("name", "dtype"), FORMULAS)
def test_results_are_accurate_and_warnings_are_those_of_numpy(name, dtype):
    same_outcome(name, dtype, 60, seed=1)


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "dtype"), FORMULAS)
def test_many_results_are_accurate(name, dtype):
    for seed in range(2, 6):
        same_outcome(name, dtype, 30_000, seed)


# NumPy's loops of these for `float32` square an argument, and so warn of underflow where the result is
# a normal number.
FALSE_UNDERFLOW = [(name, "f4") for name in ("exp", "sin", "cos")]


@pytest.mark.parametrize(("name", "dtype"), FALSE_UNDERFLOW)
def test_only_tiny_results_warn_of_underflow(name, dtype):
    fast, plain = programs(name, dtype)
    tiny = np.concatenate([tiny_arguments(dtype, 60), points(dtype, 60, 3)])
    with np.errstate(all="ignore", under="warn"):
        for x in tiny:
            result, warned = run(fast.function, [np.array([x])])
            is_tiny = x != 0 and np.abs(expected(name, np.array([x]))[0]) < np.finfo(dtype).tiny
            wanted = run(plain.function, [np.array([x])])[1] if is_tiny else []
            assert warned == wanted, (x, result)


@pytest.mark.parametrize(("name", "dtype"), [o for o in FORMULAS if o not in FALSE_UNDERFLOW])
def test_each_flag_warns_where_numpy_warns(name, dtype):
    """One element at a time, with all warnings on; many results are below the normal numbers."""
    fast, plain = programs(name, dtype)
    arity = ARITIES[NAMES.get(name, name)]
    tiny = tiny_arguments(dtype, 60)
    whole = [np.concatenate([points(dtype, 30, 100 + i), tiny]) for i in range(arity)]
    with np.errstate(all="warn"):
        for k in range(0, len(whole[0]), 3):
            given = [x[k : k + 1] for x in whole]
            assert run(fast.function, given)[1] == run(plain.function, given)[1], given
    with np.errstate(all="raise"):
        for k in range(0, len(whole[0]), 29):
            given = [x[k : k + 1] for x in whole]
            found, wanted = run(fast.function, given)[0], run(plain.function, given)[0]
            assert isinstance(found, str) == isinstance(wanted, str)
            assert not isinstance(found, str) or found == wanted


@pytest.mark.parametrize(("name", "dtype"), [one for one in FORMULAS if one[0] != "arccosh"])
def test_results_below_the_normal_numbers_are_accurate(name, dtype):
    """NumPy ignores underflow, so they are no reason to leave machine code."""
    fast, plain = programs(name, dtype)
    tiny = tiny_arguments(dtype, 300)
    given = [tiny, np.roll(tiny, 7)][: ARITIES[NAMES.get(name, name)]]
    with np.errstate(all="ignore"):
        (wanted,) = plain.function(*given)
    chosen = np.isfinite(wanted)
    given = [x[chosen] for x in given]
    done, result = fast.pieces[0].function(*given)
    assert done is True and np.isfinite(result).all()
    is_accurate(name, result, given)


@pytest.mark.parametrize(("name", "dtype"), FORMULAS)
def test_an_element_has_the_same_bits_wherever_it_is(name, dtype):
    """In a vector of any length, in the tail, in one that is computed twice, and in a view."""
    fast, _ = programs(name, dtype)
    arity = ARITIES[NAMES.get(name, name)]
    low = 1.0 if name == "arccosh" else 0.05
    generator = np.random.default_rng(5)
    whole = [(low + 0.9 * generator.random(1100)).astype(dtype) for _ in range(arity)]
    (all_of_them,) = fast.function(*whole)
    done = fast.pieces[0].function(*whole)
    assert done[0] is True
    for count in (0, 1, 3, 7, 8, 9, 15, 16, 17, 31, 33, 512, 513, 527, 1100):
        (part,) = fast.function(*[x[:count].copy() for x in whole])
        assert part.tobytes() == all_of_them[:count].tobytes(), count
        (end,) = fast.function(*[x[len(x) - count :].copy() for x in whole])
        assert end.tobytes() == all_of_them[len(all_of_them) - count :].tobytes(), count


# -- where NumPy is exact --------------------------------------------------------------------------


def exact(name, *given):
    fast, _ = programs(name, "f8")
    with np.errstate(all="ignore"):
        (found,) = fast.function(*[np.array(x, np.float64) for x in given])
    return found


def test_exact_results_are_exact():
    whole = np.arange(-1000.0, 1001.0)
    counted = np.arange(1.0, 2000.0)
    assert np.array_equal(exact("exp2", whole), np.ldexp(1.0, whole.astype(int)))
    assert np.array_equal(exact("log2", np.ldexp(1.0, whole.astype(int))), whole)
    tens = np.array([float(10**k) for k in range(23)])
    assert np.array_equal(exact("log10", tens), np.arange(23))
    assert np.array_equal(exact("cbrt", counted**3), counted)
    assert np.array_equal(exact("hypot", 3 * counted, 4 * counted), 5 * counted)
    zeros = np.array([0.0, -0.0])
    for name in ("expm1", "sinh", "tanh", "log1p", "arcsinh", "arctanh", "sin", "tan", "arcsin"):
        assert exact(name, zeros).tobytes() == zeros.tobytes(), name
    for name in ("exp", "exp2", "cosh", "cos"):
        assert np.array_equal(exact(name, zeros), [1.0, 1.0]), name
    for name in ("log", "log2", "log10", "arccosh"):
        assert exact(name, [1.0]).tobytes() == np.zeros(1).tobytes(), name


def test_powers_that_are_whole_numbers_are_exact():
    pairs = [(b, e) for b in range(-40, 41) for e in range(0, 54) if abs(b) ** e <= 2**53]
    base, exponent = zip(*pairs, strict=True)
    wanted = [float(b**e) for b, e in pairs]
    assert np.array_equal(exact("pow", base, exponent), wanted)
    assert np.array_equal(exact("power", base, exponent), wanted)
    squares = np.arange(1.0, 3000.0) ** 2
    assert np.array_equal(exact("power", squares, np.full(len(squares), 0.5)), np.sqrt(squares))


# -- random programs -------------------------------------------------------------------------------


def is_close(found, wanted):
    """Whether results are equal up to the effect of a few units in the last place.

    One element in fifty may be on the other side of a comparison or of a rounding.
    """
    if isinstance(wanted, tuple):
        return len(found) == len(wanted) and all(map(is_close, found, wanted))
    found, wanted = np.asarray(found), np.asarray(wanted)
    if (found.dtype, found.shape) != (wanted.dtype, wanted.shape):
        return False
    if wanted.dtype.kind != "f":
        return np.count_nonzero(found != wanted) <= wanted.size / 50
    tolerance = 1e-3 if wanted.itemsize == 4 else 1e-9
    return np.allclose(found, wanted, rtol=tolerance, atol=tolerance, equal_nan=True)


def assert_alike(seed):
    """A random program has the results, warnings and exceptions of NumPy."""
    fn = load(Writer(random.Random(seed)).module(), f"formulas_{seed}.py").f
    functions = [rt.function(fn, engine=name) for name in ("native-fast", "numpy")]
    for number in range(5):
        seen = []
        for function in functions:
            with recorded_warnings() as found:
                result = outcome(function, arguments(seed, number))
            seen.append((result, sorted((str(one.message), one.lineno) for one in found)))
        (one, warned), (other, expected_warnings) = seen
        assert repr(one.error) == repr(other.error) and warned == expected_warnings
        assert is_close(one.result, other.result), (seed, number)


@pytest.mark.parametrize("seed", range(8))
def test_random_programs(seed):
    assert_alike(seed)


@pytest.mark.thorough
@pytest.mark.parametrize("first", range(3000, 3120, 20))
def test_more_random_programs(first):
    for seed in range(first, first + 20):
        assert_alike(seed)


# -- functions of users ----------------------------------------------------------------------------


def mixed(x, n):
    y = np.tanh(x) * np.exp(-x) + x**1.5
    for _ in range(n):
        y = np.sin(y) + x[::-1]
    return y, y.sum(), y > 0.5, np.round(x * 3)


def both(fn):
    return rt.function(fn, engine="native-fast"), rt.function(fn, engine="numpy")


@pytest.mark.parametrize("dtype", ["f4", "f8"])
def test_a_program_is_close_and_its_exact_parts_are_equal(dtype):
    fast, plain = both(mixed)
    for count in (5, 100, 3000):
        x = np.random.default_rng(1).random(count).astype(dtype)
        found, wanted = fast(x, np.int64(3)), plain(x, np.int64(3))
        tolerance = 100 * np.finfo(dtype).eps
        for one, other in zip(found[:2], wanted[:2], strict=True):
            assert one.dtype == other.dtype
            assert np.allclose(one, other, rtol=tolerance, atol=tolerance)
        assert found[2].dtype == bool and found[2].shape == x.shape
        assert found[3].tobytes() == wanted[3].tobytes()
    assert "NumPy" not in fast.native(x, np.int64(3)).splitlines()[0]


def entropy(p):
    return -np.sum(p * np.log(p))


def test_a_warning_names_the_line_of_the_user():
    seen = []
    for fn in both(entropy):
        with recorded_warnings() as found:
            result = fn(np.array([0.5, 0.0, 0.5]))
        seen.append(([(str(w.message), w.filename, w.lineno) for w in found], result))
    assert seen[0][0] == seen[1][0] and seen[0][0]
    assert np.isnan(seen[0][1]) and np.isnan(seen[1][1])


def test_gradients_use_the_formulas():
    def loss(w, x):
        h = x
        for _ in range(10):
            h = np.tanh(h * w)
        return np.sum(np.log(1 + h * h))

    fast, plain = (rt.function(rt.grad(loss), engine=e) for e in ("native-fast", "numpy"))
    w, x = np.linspace(0.5, 1.5, 64), np.linspace(-2, 2, 64)
    assert np.allclose(fast(w, x), plain(w, x), rtol=1e-12, atol=1e-14)
