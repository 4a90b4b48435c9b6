"""Elements that arrays of indices and masks select, as machine code: read, written and added to."""

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="the native engine needs the extra `native`")

from native_runs import compared, same_bits  # noqa: E402

import runtime as rt  # noqa: E402
from runtime.engines import native  # noqa: E402

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)


def read(x, y, i, j, p):
    return x[i], x[i, j], x[i, 2], x[i, :], np.take(x, i, axis=0), np.take(x, j), x[2, j]


def read_views(x, y, i, j, p):
    return x[1:][i[::2]], x[:, 1][j[1:]], y[::-1][i], x[i[None]], np.take(y[::2], j, axis=0)


def masked(x, y, i, j, p):
    kept = x[:, i % 5], x[1:, j % 5], x[None, i % 4], x[..., p[0]]
    return *kept, x[p], x[p[:, 0]], x[x > 0], y[p].sum(), x[(x > 0) & p], y[~p[:, 1], ...]


def places(x, y, i, j, p):
    row, q = x[1], y[:, 0] > 0
    return np.nonzero(row), np.where(q), np.flatnonzero(x), np.count_nonzero(y), np.nonzero(x[:, 1])


def written(x, y, i, j, p):
    x = x.copy()
    x[i] = y[j]
    x[i, j] = 3
    x[p] = 0
    x[j] = x[i]
    x[y > 0] = y[y > 0]
    return x


def added(x, y, i, j, p):
    x, rows, flat = x.copy(), y.copy(), y[:, 0].copy()
    np.add.at(x, i, y[j])
    np.add.at(rows, j, rows[i])
    np.add.at(flat, i, flat[j])
    np.add.at(flat, j, 2)
    return x, rows, flat


def in_a_loop(x, y, i, j, p):
    x, total = x.copy(), y[i] * 0
    for k in range(len(i) + np.int64(0)):
        x[j[k:]] = y[j[k:]] + x[i[k]]
        x[x < k] = 1
        total = total + x[j]
    return x, total


FUNCTIONS = read, read_views, masked, places, written, added, in_a_loop
RARE = [pytest.param(name, marks=pytest.mark.thorough) for name in ("u1", "i4", "f4", "i8")]
ONE = ("f8", "i8"), ("b1", "i4")
PAIRS = [
    *ONE,
    *(
        pytest.param(*pair, marks=pytest.mark.thorough)
        for pair in (
            ("i8", "i8"),
            ("f4", "u1"),
            ("u1", "i2"),
            ("i4", "u4"),
            ("f8", "u8"),
            ("i1", "i8"),
        )
    ),
]


def arguments(dtype, index, rows, columns, count, low):
    """Arrays, indices from a lowest one on, and a mask."""
    source = np.random.default_rng((rows, count))
    x, y = ((source.normal(size=(rows, columns)) * 9).astype(dtype) for _ in range(2))
    low = 0 if np.dtype(index).kind == "u" else low
    i, j = (source.integers(low, min(rows, columns), count).astype(index) for _ in range(2))
    return x, y, i, j, source.random((rows, columns)) < 0.5


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("dtype", "index"), PAIRS)
@pytest.mark.parametrize("fn", FUNCTIONS, ids=lambda fn: fn.__name__)
def test_results_warnings_and_exceptions_are_numpys(fn, dtype, index):
    functions = [rt.function(fn, engine=name) for name in ("native", "numpy")]
    sizes = (4, 5, 3, -3), (40, 7, 90, 0), (4, 5, 0, 0), (4, 5, 6, -7)
    for rows, columns, count, low in sizes if dtype == "f8" else sizes[:2]:
        given = arguments(dtype, index, rows, columns, count, low)
        before = [one.copy() for one in given]
        compared(*functions, given)
        compared(*functions, (*given[:4], given[4][:, ::-1].copy()))
        same_bits(tuple(given), tuple(before))


@pytest.mark.parametrize("fn", [read, written, added], ids=lambda fn: fn.__name__)
def test_one_piece(fn):
    compiled = rt.function(fn, engine="native")
    compiled(*arguments("f8", "i8", 4, 5, 3, -3))
    shown = compiled.native()
    assert "native_1" in shown and "native_2" not in shown and "not native" not in shown


def test_indices_out_of_bounds_and_masks_of_other_sizes():
    def read_all(x, i, p):
        return x[i].sum() + x[p].sum() + 2 * x[i][0]

    functions = [rt.function(read_all, engine=name) for name in ("native", "numpy")]
    x, p = np.arange(6.0), np.arange(6) > 2
    for i in (np.array([5, -6]), np.array([6, 0]), np.array([-7]), np.array([], int)):
        compared(*functions, (x, i, p))
    for wrong in (p[:5], np.append(p, True)):
        compared(*functions, (x, np.array([1, 2]), wrong))


def test_sums_are_added_in_the_order_of_the_indices():
    def total(x, i, y):
        x = x.copy()
        np.add.at(x, i, y)
        return x, x * 1

    source = np.random.default_rng(2)
    y = source.normal(size=5000) * 10.0 ** source.integers(-8, 8, 5000)
    given = np.zeros(7), source.integers(-7, 7, 5000), y
    compared(*(rt.function(total, engine=name) for name in ("native", "numpy")), given)


def test_a_sum_that_overflows_warns():
    def total(x, i):
        x = x.copy()
        np.add.at(x, i, x[i])
        return x, x * 0.5

    given = np.array([1e308, 1.0]), np.array([0, 0, 1])
    compared(*(rt.function(total, engine=name) for name in ("native", "numpy")), given)


def looked_up(table, i, j, p):
    """Rows of a table, as an embedding has them, and pairs of elements."""
    chosen = table[i]
    return np.sum(chosen * chosen[::-1]) + np.sum(table[i, j] ** 2) + np.sum(table[p] * 2.0)


def test_gradients():
    x, _, i, j, p = arguments("f8", "i8", 6, 5, 9, -4)
    functions = [rt.function(rt.grad(looked_up), engine=name) for name in ("native", "numpy")]
    compared(*functions, (x, i, j, p))
    left = functions[0].native().partition("not native:")[2]
    assert "added_at" not in left and "getitem" not in left
