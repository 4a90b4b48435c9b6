"""Loops that draw random numbers are machine code: the numbers of Python and NumPy, bit for bit.

Where a piece is left, the NumPy program draws the same numbers again.
"""

import random
import time
from unittest import mock

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="the native engine needs the extra `native`")

from random_states import LEGACY, MERSENNE, PERMUTED, PYTHON, is_native, seen, sums  # noqa: E402

import runtime as rt  # noqa: E402
from runtime.engines import native  # noqa: E402

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)

# -- numbers ---------------------------------------------------------------------------------------

DRAWS = {
    "python": (
        "random.random()",
        "random.uniform(2, 5)",
        "random.uniform(-1.5, x)",
        "random.randrange(7)",
        "random.randrange(1 << 31)",
        "random.randrange(-5, i + 3)",
        "random.randint(1, 6)",
        "random.getrandbits(9)",
        "random.expovariate(2)",
        "random.expovariate(-x)",
        "random.triangular()",
        "random.triangular(2, 5)",
        "random.triangular(x, -1.5)",
        "random.normalvariate()",
        "random.normalvariate(2, 0)",
        "random.normalvariate(x, i * 0.5)",
        "PYTHON.expovariate(x)",
        "PYTHON.triangular(i * 0.5, x)",
        "PYTHON.normalvariate(-1.5, x)",
        "random.choice([-1, 1])",
        "random.choice([1.5, 2.5, x, 4.5, 5.5, 6.5])",
        "PYTHON.random()",
        "PYTHON.randint(-i, i)",
        "PYTHON.choice((True, False))",
    ),
    "legacy": (
        "np.random.rand()",
        "np.random.random()",
        "np.random.random_sample()",
        "np.random.uniform()",
        "np.random.uniform(5.0, -2.0)",
        "np.random.randint(6)",
        "np.random.randint(-3, i + 1)",
        "np.random.randint(0, 1 << 40)",
        "LEGACY.rand()",
        "LEGACY.uniform(0.0, x)",
        "LEGACY.randint(1 << 32)",
        "np.random.normal()",
        "np.random.normal(2, 0.0)",
        "np.random.normal(x, i * 0.5)",
        "np.random.standard_normal()",
        "np.random.randn()",
        "LEGACY.normal(x, 2.5)",
        "np.random.poisson()",
        "np.random.poisson(x)",
        "LEGACY.poisson(i * 1e7)",
    ),
    "generator": tuple(
        f"{name}.{draw}"
        for name in ("PERMUTED", "MERSENNE")
        for draw in (
            "random()",
            "uniform()",
            "uniform(-2.0, x)",
            "integers(6)",
            "integers(-3, i + 1)",
            "integers(0, 1 << 50)",
            "normal()",
            "standard_normal()",
            "normal(x, 2.0)",
            "exponential()",
            "standard_exponential()",
            "poisson()",
            "poisson(3)",
            "poisson(x * i)",
        )
    ),
}
SOURCE = """
def f(n, x):
    total = 0.0
    for i in range(n):
        total = total * 0.5 + {draw}
    return total
"""


@pytest.mark.parametrize("draw", [draw for known in DRAWS.values() for draw in known])
def test_numbers_are_those_of_python_and_numpy(draw, load_program):
    f = load_program(SOURCE.format(draw=draw)).f
    compiled = rt.function(f, engine="native")
    assert seen(compiled, 1500, 3.5) == seen(f, 1500, 3.5)
    assert is_native(compiled), compiled.native()


@pytest.fixture
def load_program():
    from loading import load

    names = {"np": np, "random": random, "PYTHON": PYTHON, "LEGACY": LEGACY}
    names |= {"PERMUTED": PERMUTED, "MERSENNE": MERSENNE}
    return lambda source: load(source, f"<draws {hash(source)}>", **names)


ENDS = ("-0.0", "-1.0", "np.nan", "-np.nan", "np.inf", "1e19", "9.2e18", "0.0")
EDGES = {
    "np.random.normal(0.5, x)": ENDS,
    "PERMUTED.normal(0.5, x)": ENDS,
    "np.random.normal(x, 1e308)": ENDS,
    "np.random.poisson(x)": ENDS,
    "PERMUTED.poisson(x)": ENDS,
    "PERMUTED.uniform(0.0, x)": ENDS,
    "np.random.uniform(x, 0.0)": ENDS,
    "random.expovariate(x)": (*ENDS, "1e-309"),
    "random.triangular(x, 0.5)": (*ENDS, "1e308"),
    "random.triangular(-1e308, x)": (*ENDS, "1e308"),
    "random.normalvariate(x, 0.5)": ENDS,
    "random.normalvariate(0.5, x)": (*ENDS, "1e308"),
}


@pytest.mark.parametrize("draw", EDGES)
def test_arguments_at_the_limits_of_a_distribution(draw, load_program):
    f = load_program(SOURCE.format(draw=draw)).f
    compiled = rt.function(f, engine="native")
    for end in EDGES[draw]:
        x = np.float64(eval(end, {"np": np}))
        assert seen(compiled, 3, x) == seen(f, 3, x), end


KEEPING = """
def f(n, limit):
    total, product = {draw}, 1
    for i in range(n):
        total += {draw}
        if i == limit:
            product = product << 62
        product = product * 4 + i - i
    return total, {draw}
"""


@pytest.mark.parametrize("draw", ["np.random.normal()", "LEGACY.randn()", "SMALL.normal(1.5, 2.0)"])
def test_the_number_that_a_legacy_generator_keeps(draw, load_program):
    program = load_program(KEEPING.format(draw=draw))
    program.SMALL = np.random.RandomState(np.random.PCG64(3))
    first = program.SMALL.get_state(legacy=False)
    for n, limit in ((0, 0), (1, 9), (2, 9), (7, 9), (8, 9), (9, 2), (9, 3)):
        found = []
        for function in (rt.function(program.f, engine="native"), program.f):
            program.SMALL.set_state(first)
            found.append((seen(function, n, limit), program.SMALL.get_state(legacy=False)))
        assert repr(found[0]) == repr(found[1])


def several(n):
    """Draws from several streams, in branches and inner loops, with an early end."""
    total = 0
    for i in range(n):
        if random.random() < 0.3:
            total += PERMUTED.integers(5)
            if LEGACY.rand() < 0.001:
                break
        else:
            while random.random() < 0.5:
                total += PYTHON.randint(1, 6)
    return total


def recursive(n):
    """Draws in a function that calls itself."""
    return 0.0 if n <= 0 else recursive(n - 1) + random.random()


@pytest.mark.parametrize("engine", ["native", "auto", "numpy"])
@pytest.mark.parametrize("program", [several, recursive])
def test_draws_in_branches_loops_and_recursions(program, engine):
    compiled = rt.function(program, engine=engine)
    assert seen(compiled, np.int64(100)) == seen(program, np.int64(100))


MADE = {
    "random.Random(int(seed))": ("random()", "randint(1, 6)", "choice([1, 2])", "uniform(0, x)"),
    "np.random.RandomState(seed)": ("rand()", "uniform(0.0, x)", "randint(9)"),
    "np.random.default_rng(seed)": ("random()", "normal()", "integers(2, 9)", "uniform(-x, x)"),
}
MADE_SOURCE = """
def f(n, x, seed):
    rng, other = {maker}, {maker}
    total = other.{draw}
    for i in range(n):
        total = total * 0.5 + rng.{draw}
        if i % 3 == 0:
            total += other.{draw}
    return total, rng.{draw}, other.{draw}
"""


@pytest.mark.parametrize("engine", ["native", "auto", "numpy"])
@pytest.mark.parametrize("maker", MADE)
def test_generators_that_the_function_makes(maker, engine, load_program):
    for draw in MADE[maker]:
        f = load_program(MADE_SOURCE.format(maker=maker, draw=draw)).f
        compiled = rt.function(f, engine=engine)
        for seed in (3, np.int64(4)):
            assert seen(compiled, 300, 3.5, seed) == seen(f, 300, 3.5, seed)
        assert engine != "native" or is_native(compiled), compiled.native()


def of_another_bit_generator(n, seed):
    rng = np.random.Generator(np.random.MT19937(seed))
    total = 0.0
    for _ in range(n):
        total += rng.random()
    return total


def left_later(n, seed):
    """An integer that leaves 64 bits, after draws from a generator of the run."""
    rng, total = np.random.default_rng(seed), 1
    for _ in range(n):
        total = total * 3 + int(rng.integers(5))
    return total, rng.random()


@pytest.mark.parametrize("program", [of_another_bit_generator, left_later])
def test_generators_of_the_run_where_machine_code_is_left(program):
    compiled = rt.function(program, engine="native")
    for seed in (3, np.int64(4)):
        assert seen(compiled, 100, seed) == seen(program, 100, seed)


# -- ways out --------------------------------------------------------------------------------------


def grows(n):
    """An integer that leaves 64 bits in the middle of the loop."""
    total = 1
    for _ in range(n):
        total = total * 3 + PYTHON.randrange(7)
    return total


def divides(n):
    total = 0.0
    for _ in range(n):
        total += 1.0 / random.randrange(50)
    return total


def raises(n):
    for i in range(n):
        if PERMUTED.normal() > 2.5:
            raise ValueError(f"in iteration {i}")
    return n


def is_empty(n):
    total = 0
    for i in range(n):
        total += random.randrange(40 - i)
    return total


@pytest.mark.parametrize("engine", ["native", "numpy"])
@pytest.mark.parametrize("program", [grows, divides, raises, is_empty])
def test_a_piece_that_is_left_has_drawn_nothing(program, engine):
    compiled = rt.function(program, engine=engine)
    assert seen(compiled, 200) == seen(program, 200)


DRAW, ROLL = random.random, PYTHON.randint


def sums_by_other_names(n):
    total = 0.0
    for _ in range(n):
        total += DRAW() + ROLL(1, 6)
    return total


@pytest.mark.parametrize("engine", ["native", "numpy"])
def test_a_function_by_another_name_stays_when_the_module_has_a_new_one(engine):
    compiled = rt.function(sums_by_other_names, engine=engine)
    compiled(10)
    with (
        mock.patch("random.random", return_value=0.25),
        mock.patch.object(PYTHON, "randint", return_value=3),
    ):
        assert seen(compiled, 10) == seen(sums_by_other_names, 10)


def test_a_clock_by_another_name_stays_when_the_module_has_a_new_one():
    clock = time.perf_counter
    compiled = rt.function(lambda x: clock() + x)
    compiled(1.0)
    with mock.patch("time.perf_counter", return_value=0.25):
        assert compiled(1.0) != 1.25


def test_a_function_that_is_replaced_is_called():
    compiled = rt.function(sums, engine="native")
    compiled(10)
    with mock.patch("random.random", return_value=0.25):
        assert compiled(10) == 2.5
    assert seen(compiled, 10) == seen(sums, 10)


def test_the_bit_generator_of_the_module_may_be_replaced():
    def drawn(n):
        total = 0.0
        for _ in range(n):
            total += np.random.rand()
        return total

    compiled = rt.function(drawn, engine="native")
    compiled(10)
    before = np.random.get_bit_generator()
    try:
        np.random.set_bit_generator(np.random.PCG64(3))
        found = compiled(10)
        np.random.set_bit_generator(np.random.PCG64(3))
        assert found == drawn(10)
    finally:
        np.random.set_bit_generator(before)
