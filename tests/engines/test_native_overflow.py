"""Integers at the edges of their types, in machine code: exact where they fit, as NumPy elsewhere."""

import warnings

import numpy as np
import pytest
from native_runs import compared

import runtime as rt
from runtime.engines import native

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)

FACTORS = [1, 2, 3, 7, 10, 2**31 - 1, 2**62, 2**63 - 1, -1, -3]


def scaled(factor, term):
    """A loop of one iteration, so that it is a piece: `factor * a + term` of the last `a`."""

    def fn(a, n):
        found = a
        for _ in range(n):
            found = factor * a + term
        return found

    return fn


def chosen(factor):
    """The product is computed in each iteration, but only used where `a` is odd."""

    def fn(a, n):
        for _ in range(n):
            a = a // 2 if a % 2 == 0 else factor * a + 1
        return a

    return fn


def edges(factor, dtype):
    """Numbers around those whose product with a factor is the least or the largest of a type."""
    limits = np.iinfo(dtype)
    near = {0, 1, -1, int(limits.min), int(limits.max)}
    for limit in (int(limits.min), int(limits.max)):
        near |= {limit // factor + step for step in range(-2, 3)}
    return [number for number in sorted(near) if limits.min <= number <= limits.max]


def check_multiples(fn, factor, dtype):
    ours, theirs = rt.function(fn, engine="native"), rt.function(fn, engine="numpy")
    for number in edges(factor, dtype):
        compared(ours, theirs, (np.dtype(dtype).type(number), np.int64(1)))


@pytest.mark.parametrize("factor", [2, 3, 2**62, -3])
def test_a_multiple_of_numpys_integers_is_exact_or_as_in_numpy(factor):
    check_multiples(scaled(factor, 1), factor, "int64")


@pytest.mark.thorough
@pytest.mark.parametrize("dtype", ["int64", "int32", "uint32", "uint64", "int8"])
@pytest.mark.parametrize("term", [-2, 0, 1, 100])
@pytest.mark.parametrize("factor", FACTORS)
def test_a_multiple_of_integers_of_each_size(factor, term, dtype):
    limits = np.iinfo(dtype)
    if not limits.min <= min(factor, term) or max(factor, term) > limits.max:
        pytest.skip("the constants do not fit")
    check_multiples(scaled(factor, term), factor, dtype)


@pytest.mark.parametrize("factor", [2, 10, 2**63 - 1, -1])
def test_a_multiple_of_pythons_integers_is_exact(factor):
    def fn(a, n):
        found = a = int(a)
        for _ in range(n):
            found = factor * a + 1
        return found

    ours = rt.function(fn, engine="native")
    for number in edges(factor, "int64"):
        found = ours(np.int64(number), np.int64(1))
        assert type(found) is int
        assert found == factor * number + 1


@pytest.mark.parametrize("factor", [3, 5, 2**40])
def test_a_product_that_no_iteration_uses_does_not_leave_the_piece(factor):
    """`a` is even and too large for the product, which a branch would not compute."""
    ours = rt.function(chosen(factor), engine="native")
    start = np.int64(2**62)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ours(start, np.int64(60)) == chosen(factor)(int(start), 60)


def test_a_sum_after_a_product_by_a_constant_has_no_check_of_its_own():
    """The check of `3 * a` bounds it, so that `+ 1` fits; `+ 9` may not fit."""
    ours = {term: rt.function(scaled(3, term), engine="native") for term in (1, 9)}
    texts = {}
    for term, fn in ours.items():
        fn(np.int64(5), np.int64(1))
        texts[term] = fn.native(what="ir").count("call {i64, i1} @llvm.sadd.with.overflow.i64")
        assert "smul.with.overflow" not in fn.native(what="ir")
    assert texts[9] == texts[1] + 1
