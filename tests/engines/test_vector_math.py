"""The vector math against wider numbers: accuracy, special values, flags, widths, without FMA."""

from itertools import product

import numpy as np
import pytest

pytest.importorskip("llvmlite.binding", reason="needs llvmlite (the extra `native`)")

from vector_library import (  # noqa: E402
    DIVIDE,
    DTYPES,
    INVALID,
    OVERFLOW,
    UNDERFLOW,
    compiled,
    is_supported,
)
from vector_references import errors_in_ulp, expected  # noqa: E402

from runtime.engines.native.vector_math import ARITIES, SHORT, library, symbol  # noqa: E402

pytestmark = pytest.mark.skipif(not is_supported(), reason="reads the flags of x86-64")

# The largest error that is allowed, in units in the last place; 1.1 where nothing is written.
BOUNDS = {
    "arctan": 1.8,
    "arctan2": 1.8,
    "erf": 1.4,
    "expm1": 1.4,
    "hypot": 1.3,
    "sigmoid": 1.9,
    "tanh": 1.8,
}
# The same of formulas in single precision; 1 where nothing is written.
SINGLE_BOUNDS = {"cos": 1.6, "expm1": 1.4, "sigmoid": 1.9, "sin": 1.6, "tanh": 1.4}
SCALES = (1e-3, 0.1, 0.5, 1, 3, 10, 30, 100, 750, 1e4, 1e6)
INF, NAN = np.inf, np.nan
SPECIAL = (0.0, 1.0, 0.5, 2.0, 3.0, 1e-42, 5e-324, 1e-300, 1e-20, 88.5, 104.0, 710.0, 746.0)
SPECIAL += (1e9, 1e22, 3e38, 1.5e308, 2.0**53, 2.0**53 + 2, 0.75, 2.5, INF, NAN)
FAMILIES = {
    "exponentials": ("exp", "exp2", "expm1", "sinh", "cosh", "tanh", "sigmoid"),
    "logarithms": ("log", "log1p", "log2", "log10", "arcsinh", "arccosh", "arctanh"),
    "trigonometry": ("sin", "cos", "tan"),
    "inverse": ("arcsin", "arccos", "arctan", "arctan2"),
    "powers": ("pow", "cbrt", "hypot", "erf"),
}
FAMILY = {name: family for family in FAMILIES.values() for name in family}


def function(name, kind, lanes, fma):
    """A function of arrays; a family is compiled at once."""
    return compiled(FAMILY[name], kind, lanes, fma)[name]


def points(kind, count, seed):
    """Random bits, uniform numbers of several sizes, and neighbours of 1."""
    generator = np.random.default_rng(seed)
    dtype = DTYPES[kind]
    word = np.uint32 if kind == "f32" else np.uint64
    bits = generator.integers(0, np.iinfo(word).max, count, dtype=word).view(dtype)
    uniform = [generator.uniform(-scale, scale, count) for scale in SCALES]
    near_one = 1 + generator.uniform(-1, 1, count) * 10.0 ** generator.uniform(-9, 0, count)
    found = np.concatenate([np.where(np.isnan(bits), 1, bits), *uniform, near_one])
    return generator.permutation(found.astype(dtype))


def arguments(name, kind, count):
    return [points(kind, count, seed) for seed in range(ARITIES[name])]


def special_arguments(name, kind):
    with np.errstate(all="ignore"):
        values = np.array([sign * x for x in SPECIAL for sign in (1, -1)]).astype(DTYPES[kind])
    grid = list(zip(*product(values, repeat=ARITIES[name]), strict=True))
    return [np.array(column, DTYPES[kind]) for column in grid]


def bound_of(name, kind, fma):
    if kind == "f64":
        return BOUNDS.get(name, 1.1)
    return SINGLE_BOUNDS.get(name, 1.0) if fma and name in SHORT["f32"] else 0.51


def assert_accurate(name, kind, fma, given, results):
    wide = expected(name, *given)
    errors = errors_in_ulp(results, wide)
    worst = int(np.argmax(errors))
    bound = bound_of(name, kind, fma)
    shown = [float(x[worst]) for x in given], float(results[worst])
    assert errors[worst] <= bound, (name, kind, errors[worst], *shown)
    zeros = results == 0
    assert np.array_equal(np.signbit(results[zeros]), np.signbit(wide[zeros]))


def assert_flags(name, kind, given, results, flags):
    """Each element has the flags of its result, seen from its arguments, and no others."""
    wide = expected(name, *given)
    finite = np.all([np.isfinite(x) for x in given], axis=0)
    refused = np.isnan(results) & ~np.any([np.isnan(x) for x in given], axis=0)
    infinite = np.isinf(results) & finite
    poles = infinite & np.isinf(wide) & poles_of(name, given)
    least = np.finfo(results.dtype).tiny
    size = np.abs(wide)
    vanished = finite & (results == 0) & (size != 0)

    def same(flag, wanted):
        wrong = np.flatnonzero(((flags & flag) != 0) != wanted)
        assert len(wrong) == 0, (
            name,
            kind,
            flag,
            [x[wrong[:3]] for x in given],
            results[wrong[:3]],
        )

    same(INVALID, refused)
    same(DIVIDE, poles)
    same(OVERFLOW, infinite & ~poles)
    under = (flags & UNDERFLOW) != 0
    false = under & (size > least * 1.001)
    assert not false.any(), (name, kind, [x[false][:3] for x in given])
    assert under[vanished].all(), (name, kind, [x[vanished & ~under][:3] for x in given])


def poles_of(name, given):
    """Where a function has a pole."""
    x = given[0]
    at = {
        "log": x == 0,
        "log2": x == 0,
        "log10": x == 0,
        "log1p": x == -1,
        "arctanh": np.abs(x) == 1,
        "pow": (x == 0) & (given[-1] < 0),
    }
    return at.get(name, np.zeros(len(x), bool))


@pytest.mark.parametrize(("kind", "fma"), [("f64", True), ("f32", True), ("f64", False)])
@pytest.mark.parametrize("name", ARITIES)
def test_results_and_flags_are_those_of_the_function(name, kind, fma):
    for given in (arguments(name, kind, 100), special_arguments(name, kind)):
        results, flags = function(name, kind, 1, fma)(*given, each=True)
        assert_accurate(name, kind, fma, given, results)
        assert_flags(name, kind, given, results, flags)


@pytest.mark.parametrize("kind", DTYPES)
@pytest.mark.parametrize("name", ARITIES)
def test_any_number_of_lanes_gives_the_same_bits_and_flags(name, kind):
    given = [
        np.concatenate(pair)
        for pair in zip(arguments(name, kind, 40), special_arguments(name, kind), strict=True)
    ]
    single, flags = function(name, kind, 1, True)(*given)
    numbers = ~np.isnan(single)
    word = np.uint32 if kind == "f32" else np.uint64
    lanes = 16 if kind == "f32" else 8
    results, seen = function(name, kind, lanes, True)(*given)
    assert np.array_equal(np.isnan(results), ~numbers)
    assert np.array_equal(results[numbers].view(word), single[numbers].view(word))
    assert seen == flags


@pytest.mark.parametrize("kind", DTYPES)
@pytest.mark.parametrize("name", ARITIES)
def test_ordinary_numbers_set_no_flag_in_vectors(name, kind):
    # The lanes that a branch or a choice leaves out must not set flags either.
    given = [np.random.default_rng(1).uniform(1.0, 1.5, 64)] * ARITIES[name]
    if name in ("arcsin", "arccos", "arctanh"):
        given = [x / 2 for x in given]
    assert function(name, kind, 16 if kind == "f32" else 8, True)(*given)[1] == 0


def test_a_library_defines_each_function_once():
    text = library([("sin", "f64", 4), ("cos", "f64", 4), ("sin", "f64", 4)], fma=True)
    assert text.count(f"@{symbol('sin', 'f64', 4)}(") == 1
    assert text.count("define internal {double, double, i64} @vector_quadrants(") == 1


def test_powers_of_two_and_ten_have_whole_logarithms():
    exponents = np.arange(-1074, 1024)
    results, _ = function("log2", "f64", 8, True)(np.ldexp(1.0, exponents))
    assert np.array_equal(results, exponents)
    tens = np.arange(0, 23)
    results, _ = function("log10", "f64", 8, True)(10.0**tens)
    assert np.array_equal(results, tens)


@pytest.mark.thorough
@pytest.mark.parametrize("fma", [True, False], ids=["fma", "no-fma"])
@pytest.mark.parametrize("kind", DTYPES)
@pytest.mark.parametrize("name", ARITIES)
def test_millions_of_results_are_accurate(name, kind, fma):
    given = arguments(name, kind, 100_000)
    results, flags = function(name, kind, 1, fma)(*given, each=True)
    assert_accurate(name, kind, fma, given, results)
    assert_flags(name, kind, given, results, flags)
