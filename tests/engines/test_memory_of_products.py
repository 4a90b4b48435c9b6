"""Large elementwise results reuse the memory of matrix products that have no other use."""

import numpy as np
import pytest

import runtime as rt

RNG = np.random.default_rng(0)
W, X, Y = RNG.normal(size=(3, 150, 150))


def descent(w, x, y):
    return w - 0.1 * (x.T @ y)


def descent_in_two_lines(w, x, y):
    slope = x @ y
    step = 0.1 * slope
    return w - step


def with_the_product_seen_twice(w, x, y):
    slope = x @ y
    return w - 0.1 * slope, slope


def with_a_view_of_the_product(w, x, y):
    slope = x @ y
    row = slope[0]
    return w - 0.1 * slope + row


def divided(w, x, y):
    slope = x @ y
    scaled = slope / 3 + w
    return 2 * scaled


def in_a_loop(w, x, y):
    for row in y:
        slope = x @ w
        w = w - 0.01 * slope * row
    return w


PROGRAMS = [
    descent,
    descent_in_two_lines,
    with_the_product_seen_twice,
    with_a_view_of_the_product,
    divided,
    in_a_loop,
]


@pytest.mark.sampled(5)
@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_every_bit_and_the_order_in_memory_are_those_of_numpy(fn, order, dtype):
    given = [np.array(a, dtype=dtype, order=order) for a in (W, X, Y)]
    before = [a.copy() for a in given]
    expected, found = fn(*given), rt.function(fn)(*given)
    pairs = [(found, expected)] if isinstance(found, np.ndarray) else zip(found, expected)
    for one, other in pairs:
        assert one.dtype == other.dtype and one.strides == other.strides
        np.testing.assert_array_equal(one, other)
    for array, same in zip(given, before):
        np.testing.assert_array_equal(array, same)


def source(fn, *args):
    return rt.function(fn).get_concrete_function(*(args or (W, X, Y))).source


def test_a_gradient_descent_step_needs_only_the_memory_of_the_product():
    assert source(descent_in_two_lines).count("out=") == 2


@pytest.mark.parametrize("fn", [with_the_product_seen_twice, with_a_view_of_the_product])
def test_a_product_with_other_uses_is_not_overwritten(fn):
    assert "out=slope" not in source(fn)


def test_expressions_of_small_arrays_are_unchanged():
    small = [a[:10, :10].copy() for a in (W, X, Y)]
    assert "out=" not in source(descent_in_two_lines, *small)


def test_nan_checks_see_the_operands_before_they_are_overwritten():
    @rt.function
    def overflowing(x, y):
        slope = x @ y
        return 100 * slope

    huge, seven = 1e300 * np.eye(150), np.full((150, 150), 1e7)
    with rt.config.temporarily(check_numerics=True), np.errstate(over="ignore"):
        with pytest.raises(FloatingPointError, match=r"slope: f64\[150, 150\], from 1.0000000"):
            overflowing(huge, seven)


@pytest.mark.slow
def test_two_threads_compute_the_same_bits():
    fn = rt.function(in_a_loop)
    with rt.config.temporarily(threads=2):
        np.testing.assert_array_equal(fn(W, X, Y), in_a_loop(W, X, Y))
