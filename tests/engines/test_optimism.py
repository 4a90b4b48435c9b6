"""Loops of adjoints run without checks for zero cotangents first, and with them if nan results."""

import numpy as np
import pytest

import runtime as rt
from runtime.engines.numpy.speculative_adjoints import has_no_nan

# NumPy also warns about branches that are not selected.
pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

TIMES = np.int64(4)


def kept_apart(x, n):
    """Where `x` is 0, the square root has an infinite derivative and is not selected."""
    total, kept = np.zeros(3), []
    for i in range(n):
        total = total + np.where(x > 0, np.sqrt(x) * (i + 1), x * x)
        kept.append(total * x)
    return np.sum(np.stack(kept))


def added_to(x, n):
    """The gradient accumulates in an array whose initial value the second attempt needs."""
    total = 0.0
    for i in range(n):
        total += np.sum(np.where(x[i] > 0, np.log(x[i]), 2 * x[i]) * x[i])
    return total


def in_each_other(x, n):
    """The inner loop has no separate attempts."""
    total = np.zeros(3)
    for i in range(n):
        y = x
        for j in range(i + 1):
            y = np.where(y > 0, np.sqrt(y), y * y) + j
        total = total + y
    return np.sum(total)


@pytest.mark.parametrize(
    "fn, x",
    [
        (kept_apart, np.array([0.0, 4.0, -1.0])),
        (added_to, np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 4.0], [0.0, 0.0]])),
        (in_each_other, np.array([0.0, 2.0, -1.0])),
    ],
)
def test_unselected_branches_in_a_loop_contribute_no_nan(fn, x):
    staged = rt.grad(fn)(x, TIMES)
    assert np.isfinite(staged).all()
    np.testing.assert_array_equal(staged, rt.grad(lambda x: fn(x, int(TIMES)))(x))


def test_a_gradient_that_is_nan_stays_nan():
    gradient = rt.grad(kept_apart)(np.array([np.nan, 4.0, -1.0]), TIMES)
    assert np.isnan(gradient[0]) and np.isfinite(gradient[1:]).all()


def test_a_loop_with_a_user_defined_gradient_is_never_speculative():
    @rt.custom_gradient
    def counted(x):
        return x * x, lambda d: np.where(np.isnan(d), 7.0, d)

    def own(x, n):
        for _ in range(n):
            x = counted(x) * x
        return x

    gradient = rt.grad(own)
    gradient(1.0, TIMES)
    assert "has_no_nan" not in gradient.source()
    rt.grad(kept_apart)(np.ones(3), TIMES)
    assert "has_no_nan" in rt.grad(kept_apart).source()


def test_nan_is_found_wherever_it_is():
    assert has_no_nan(1.0, np.array([np.inf, -np.inf]), [np.ones(2)], 3, np.zeros((0, 2)))
    for value in (
        np.nan,
        np.array([[0.0], [np.nan]]),
        [np.ones(2), np.array([np.nan])],
        1j * np.nan,
    ):
        assert not has_no_nan(1.0, value)
