"""New axes, repeated elements, writes and additions to parts of arrays, as machine code."""

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="the native engine needs the extra `native`")

from native_runs import compared, same_bits  # noqa: E402

import runtime as rt  # noqa: E402
from runtime.engines import native  # noqa: E402

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)

SHAPES = ((4, 5), (1, 5), (4, 1), (33, 40))
RARE = [pytest.param(name, marks=pytest.mark.thorough) for name in ("b1", "u1", "i4", "i8", "f4")]
DTYPES = ["f8", "i1", *RARE]


def new_axes(x, y, n):
    return x[:, None] + y, x[..., None] * 2, np.expand_dims(x, (0, -1)) + 1, x[n, None] * y


def axes_of_parts(x, y, n):
    return x[::2, None] * 3, x[::-1, None, 1:] + 1, x[None, :, n] + 1, y[..., 1:] * x[..., 1:]


def axes_of_results(x, y, n):
    return x.max(axis=1)[:, None] + y, (x[:, None] + y).max(axis=-1), (x + y)[n][None] + x


def repeated(x, y, n):
    wide = np.broadcast_to(x[0], (3, *x.shape)) + 1, np.broadcast_to(x[:, :1], y.shape) + y
    return *wide, np.broadcast_to(n, (2, 3)) * 2, np.broadcast_to(y[:, None], (*y.shape, 5)[::2])


def orders(x, y, n):
    grown = np.broadcast_to(x[0], (3, *x.shape))
    return np.copy(grown), grown.sum(axis=-1), x[:, None].sum(axis=2), np.copy(x[1:]), x[::2].copy()


def scalars(x, y, n):
    x = x.copy()
    x[1:-1] = 0
    x[0] = y[-1]
    x[..., 0] = n
    x[n, 1:] = True
    x[:, None, -1] = y[:, None, 0]
    return x, y


def rows(x, y, n):
    x, y, total = x.copy(), y.copy(), 0 * x
    for i in range(n):
        x[i] = x[i - 1] + y[i]
        x[i, :2] = i
        y[i] = x[i]
        total = total + x
    return x, total


def kept(x, y, n):
    x = x.copy()
    part = x[::2].copy()
    x[1:] = x[:-1]
    x[::2] = 1
    return x, part


def counts(x, y, n):
    p = x > 0
    exact = p.sum(axis=1, dtype=np.float64), p.mean(), (x > y).mean(axis=0)
    return *exact, p.sum(dtype=np.float32), p.sum(axis=0, dtype=np.int8), p.mean(axis=1)


FUNCTIONS = new_axes, axes_of_parts, axes_of_results, repeated, orders, scalars, rows, kept, counts


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("fn", FUNCTIONS, ids=lambda fn: fn.__name__)
def test_results_warnings_and_exceptions_are_numpys(fn, dtype):
    source = np.random.default_rng(3)
    for shape in SHAPES if dtype == "f8" else SHAPES[::3]:
        x, y = ((source.normal(size=shape) * 9).astype(dtype) for _ in range(2))
        functions = [rt.function(fn, engine=name) for name in ("native", "numpy")]
        for n in (0, 2, 40):
            given = [(x.copy(), y.copy(), np.int64(n)) for _ in functions]
            compared(*functions, given[0])
            for function, arguments in zip(functions, given, strict=True):
                run_quietly(function, arguments)
            same_bits(given[0], given[1])


def run_quietly(function, arguments):
    """Calls a function for its effects."""
    with np.errstate(all="ignore"):
        try:
            function(*arguments)
        except (IndexError, ValueError, TypeError, OverflowError) as error:
            assert str(error)


@pytest.mark.parametrize("fn", [new_axes, scalars, kept, counts, rows], ids=lambda fn: fn.__name__)
def test_one_piece(fn):
    x, compiled = np.ones((4, 5)), rt.function(fn, engine="native")
    compiled(x, x.copy(), np.int64(2))
    shown = compiled.native()
    assert "native_1" in shown and "native_2" not in shown and "not native" not in shown


def mixture(weights, means, scales, points):
    """The log-likelihood of a Gaussian mixture."""
    distances = scales[None] * (points[:, None, :] - means[None])
    logs = weights - 0.5 * np.sum(distances * distances, axis=2) + np.sum(np.log(scales), axis=1)
    highest = np.max(logs, axis=1, keepdims=True)
    return np.sum(np.log(np.sum(np.exp(logs - highest), axis=1)) + highest[:, 0])


def parts(means, points, n):
    z = means * 1
    z[n] = points[0]
    z[:, 1] += points[: len(z), 0]
    grown = means[1:] * points[1 : len(means)]
    return np.sum(grown * grown) + np.sum((z * z)[..., None] * means[n]) + np.sum(means[n] * z)


def test_gradients():
    source = np.random.default_rng(8)
    points, means = source.normal(size=(20, 3)), source.normal(size=(4, 3))
    scales, weights = np.exp(source.normal(size=(4, 3))), source.normal(size=4)
    for fn, given, places in (
        (mixture, (weights, means, scales, points), (0, 1, 2)),
        (parts, (means, points, np.int64(1)), (0, 1)),
    ):
        gradient = rt.grad(fn, argnums=places)
        functions = [rt.function(gradient, engine=name) for name in ("native", "numpy")]
        compared(*functions, given)
        compiled = functions[0].native()
        left = compiled.partition("not native:")[2].splitlines()
        assert "native_3" not in compiled and all("_errors" in line for line in left if line)


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4"])
def test_sums_of_numbers_that_a_float_may_not_hold_stay_with_numpy(dtype):
    """A million numbers of 32 bits have a sum that no float is near enough to."""
    x = (np.random.default_rng(0).random(100_000) * 2**30).astype(dtype)
    functions = [
        rt.function(lambda x: (x.sum(dtype=np.float64), x.mean()), engine=name)
        for name in ("native", "numpy")
    ]
    compared(*functions, (x,))
