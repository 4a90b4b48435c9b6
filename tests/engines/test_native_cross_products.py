"""Cross products of rows of three floats have machine code, with NumPy's bits and warnings."""

import numpy as np
import pytest
from native_runs import compared, same_bits

import runtime as rt
from runtime.engines import native

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)


def products(a, b):
    return np.cross(a, b) * 2.0 + np.cross(b, a + 1.0)


def of_views(a, b):
    return np.cross(a[::2], b[1::2, ::-1]) + 1.0


def in_a_loop(a, b):
    for i in range(a.shape[0]):
        b = np.cross(a, b) + a[i]
    return b


def of_rows(a, b):
    total = np.zeros(3, a.dtype)
    for i in range(np.int64(a.shape[0])):
        total = np.cross(a[i], total) + b[i]
    return total


def numbers(*shape, dtype=np.float64, seed=0):
    return np.random.default_rng(seed).normal(size=shape).astype(dtype)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("fn", [products, of_views, in_a_loop, of_rows], ids=lambda f: f.__name__)
def test_results_are_those_of_numpy(fn, dtype):
    compiled = rt.function(fn, engine="native")
    for seed in range(3):
        given = numbers(6, 3, dtype=dtype, seed=seed), numbers(6, 3, dtype=dtype, seed=seed + 9)
        compared(compiled, fn, given)
    assert "    cross (" not in compiled.native()


def test_unusual_numbers_warn_as_in_numpy():
    compiled = rt.function(products, engine="native")
    for number in (np.inf, -np.inf, np.nan, 1e308, 5e-324, -0.0):
        a, b = numbers(4, 3), numbers(4, 3, seed=1)
        for place in range(3):
            a[place, place] = b[place + 1, place - 1] = number
            compared(compiled, products, (a, b))


@pytest.mark.parametrize(
    ("a", "b", "options"),
    [
        (numbers(3), numbers(3), {}),
        (numbers(5, 3), numbers(3), {}),
        (numbers(2, 4, 3), numbers(2, 4, 3), {}),
        (numbers(3, 4), numbers(3, 4, seed=1), {"axis": 0}),
        (numbers(4, 3), numbers(4, 3, dtype=np.float32), {}),
        (np.arange(12).reshape(4, 3), np.arange(12)[::-1].reshape(4, 3), {}),
        (numbers(4, 3).T.copy().T, numbers(4, 3), {}),
    ],
    ids=lambda one: str(getattr(one, "shape", one)),
)
def test_other_cross_products_are_those_of_numpy(a, b, options):
    def fn(a, b):
        return np.cross(a, b, **options) + 1

    compared(rt.function(fn, engine="native"), fn, (a, b))


def test_gradients_are_those_of_the_numpy_engine():
    def loss(a, b):
        return np.sum(np.cross(a, b) * a * b)

    given = numbers(5, 3), numbers(5, 3, seed=1)
    slopes = [rt.function(rt.grad(loss, (0, 1)), engine=name) for name in ("native", "numpy")]
    for _ in range(3):
        same_bits(slopes[0](*given), slopes[1](*given))
    assert "    cross (" not in slopes[0].native()
