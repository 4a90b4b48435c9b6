"""The type that is inferred from examples admits every result of a function, whatever the values.

Each function that graphs call directly is called with arguments that it accepts, and then with
other values of the same types: numbers that coincide and that differ, zeros, negative numbers.
"""

import itertools
import math
import random
import warnings

import numpy as np
import pytest
from numpy_calls import ARGUMENTS

import runtime as rt
from runtime.ir.op import Op
from runtime.ir.pytree import flatten
from runtime.ir.slot import Slot, fill_slots
from runtime.ir.types import fits, type_of
from runtime.ops.library import BESIDE, LIBRARY, results_of
from runtime.ops.sampling import NoResult

RNG = np.random.default_rng(11)
OPS = sorted({*LIBRARY.values(), *BESIDE.values()}, key=lambda op: op.name)
REFUSALS = (TypeError, ValueError, IndexError, ArithmeticError, AttributeError, NoResult)
NUMBERS = np.float64(0.5), np.int64(3), 2


def template(arguments):
    """The operands among some arguments, and the arguments with slots in their place."""
    operands = []

    def part(value):
        if isinstance(value, tuple):
            return tuple(map(part, value))
        if isinstance(value, (np.ndarray, np.generic)) or type(value) is int:
            operands.append(value)
            return Slot(len(operands) - 1)
        return value

    return tuple(map(part, arguments)), operands


def others(value):
    """Other values of the type of a value."""
    kind = np.asarray(value).dtype
    if not np.ndim(value):
        numbers = (0.25, -1.5, 0.0, 2.0) if kind.kind in "fc" else (0, 1, 2, 5, 7, -1)
        return [type(value)(n) for n in numbers if kind.kind != "u" or n >= 0]
    shape = np.shape(value)
    if kind.kind == "b":
        return [RNG.random(shape) < 0.5, np.zeros(shape, bool), np.ones(shape, bool)]
    if kind.kind in "iu":
        return [RNG.integers(0, 3, shape).astype(kind), np.zeros_like(value), np.ones_like(value)]
    return [RNG.normal(size=shape), np.zeros_like(value), np.full_like(value, 0.5)]


def calls():
    """Arguments that functions are tried with, as templates and operands."""
    counted = (itertools.combinations_with_replacement(NUMBERS, count) for count in (1, 2, 3))
    numbers = itertools.chain(*counted)
    seen = set()
    for arguments in (*ARGUMENTS, *numbers):
        given, operands = template(arguments)
        key = repr(given), tuple(map(type_of, operands))
        if operands and key not in seen:
            seen.add(key)
            yield given, operands


CALLS = list(calls())


def inferred(op: Op, given, operands):
    """The inferred results; None if the function refuses operands of these types."""
    try:
        return results_of(op, tuple(map(type_of, operands)), given, ())
    except REFUSALS:
        return None


def variations(operands):
    """Operands of the same types: each value in turn for all, and some random combinations."""
    columns = [others(one) for one in operands]
    for i in range(max(map(len, columns))):
        yield [column[i % len(column)] for column in columns]
    for _ in range(4):
        yield [column[RNG.integers(len(column))] for column in columns]


def mismatches(op, given, operands):
    """Calls whose result is not of the inferred type, or not the operand that it should be."""
    found = inferred(op, given, operands)
    if found is None:
        return
    for chosen in (operands, *variations(operands)):
        # Functions may write into their arguments, which all tests share.
        values = [one.copy() if isinstance(one, np.ndarray) else one for one in chosen]
        try:
            leaves = flatten(op.numpy(*fill_slots(given, values)))[0]
        except REFUSALS:
            continue
        pairs = zip(leaves, found.types, found.same, strict=False)
        for leaf, kind, same in pairs:
            if not fits(type_of(leaf), kind):
                yield given, values, str(type_of(leaf)), str(kind)
            if same is not None and leaf is not values[same]:
                yield given, values, leaf, f"operand {same}"


@pytest.mark.sampled(8)
@pytest.mark.parametrize("op", OPS, ids=lambda op: op.name)
def test_the_inferred_type_admits_the_results_for_other_values(op):
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for given, operands in CALLS:
            assert next(mismatches(op, given, operands), None) is None


# -- functions that accept numbers in some relation only -------------------------------------------

N, M, P = np.int64(3), np.int64(9), np.array([0.2, 0.3, 0.5])
DRAWS = {
    "integers": lambda rng: (lambda a, b: rng.integers(a, b), (N, M)),
    "randint": lambda rng: (lambda a, b: np.random.randint(a, b), (N, M)),
    "randrange": lambda rng: (lambda a, b: random.randrange(int(a), int(b)), (N, M)),
    "triangular": lambda rng: (
        lambda a, b, c: rng.triangular(a, b, c),
        (np.float64(1), np.float64(2), np.float64(3)),
    ),
    "choice": lambda rng: (lambda p: rng.choice(3, p=p), (P,)),
    "choice of an array": lambda rng: (lambda a, p: rng.choice(a, p=p), (np.arange(3.0), P)),
    "choice of NumPy": lambda rng: (lambda p: np.random.choice(3, p=p), (P,)),
    "choice of a staged count": lambda rng: (lambda n, p: rng.choice(n, p=p), (np.int64(3), P)),
    "choice of counted weights": lambda rng: (lambda p: rng.choice(len(p), 2, p=p), (P,)),
    "multinomial": lambda rng: (lambda n, p: rng.multinomial(n, p), (N, P)),
    "binomial": lambda rng: (lambda n, p: rng.binomial(n, p), (N, np.float64(0.3))),
}


@pytest.mark.parametrize("make", [np.random.default_rng, rt.random.Generator])
@pytest.mark.parametrize("name", DRAWS)
def test_a_draw_with_staged_arguments_equals_that_of_python(name, make):
    results = []
    for runner in (lambda fn: fn, rt.function):
        np.random.seed(5)
        random.seed(5)
        fn, arguments = DRAWS[name](make(5))
        results.append(runner(fn)(*arguments))
    assert np.array_equal(*results), results


@pytest.mark.parametrize(
    "name", ["choice", "choice of a staged count", "choice of counted weights"]
)
def test_weights_of_unknown_size_may_be_drawn_with(name):
    fn, arguments = DRAWS[name](np.random.default_rng(5))
    fixed, _ = DRAWS[name](np.random.default_rng(5))
    kinds = [rt.TensorSpec((None,) * np.ndim(one), np.asarray(one).dtype) for one in arguments]
    staged = rt.function(fn, input_signature=tuple(kinds))
    assert np.array_equal(staged(*arguments), fixed(*arguments))


WHOLE = {
    "gcd": lambda n, m: (math.gcd(n, m), math.gcd(n, 6), math.gcd(6, n), math.gcd(n, n, 3)),
    "lcm": lambda n, m: (math.lcm(n, m), math.lcm(n, 6), math.lcm(3, n)),
    "comb": lambda n, m: (math.comb(n, m), math.comb(n, 2), math.comb(9, n), math.comb(n, n)),
    "perm": lambda n, m: (math.perm(n, m), math.perm(n, 2), math.perm(n), math.perm(12, m)),
    "factorial": lambda n, m: (math.factorial(n), math.isqrt(n), math.isqrt(m)),
    "extremes": lambda n, m: (max(n, m), min(n, m), max(n, 4), min(3, m), max([n, m, 5]), abs(n)),
    "sums": lambda n, m: (sum([n, m]), sum((n, 1)), math.prod([n, m]), math.prod((3, n))),
    "parts": lambda n, m: (int(math.fsum([n])), round(n, m), math.trunc(n), math.floor(n)),
}


@pytest.mark.parametrize("name", WHOLE)
def test_a_function_of_ints_returns_no_operand_by_coincidence(name):
    def f(a, b):
        return WHOLE[name](int(a), int(b))

    for a, b in ((3, 3), (7, 3), (6, 4), (4, 4), (12, 6)):
        assert rt.function(f)(np.int64(a), np.int64(b)) == f(a, b), (a, b)
