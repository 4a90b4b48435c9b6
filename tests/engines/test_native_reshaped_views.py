"""Arrays with another shape inside of machine code: elements, writes, memory, exceptions."""

import exact_outcomes
import numpy as np
import pytest
from every_mode import with_unknown_sizes

import runtime as rt
from runtime.engines import native

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)


def halves(x, n):
    total = 0.0
    for i in range(n):
        y = x.reshape(2, -1)
        total = total + y[0, 0] * y[1].sum() + (y * i).sum()
    return total


def flat(x, n):
    total = np.zeros(4)
    for i in range(n):
        y = np.outer(x[:2], x[:2]).ravel()
        total = total + y * i + y.reshape(2, 2)[0, 1]
    return total


def columns(x, n):
    found = np.zeros((3, 2))
    for i in range(n):
        found[i % 3] = x[: 2 * (len(x) // 2)].reshape(-1, 2)[0] + x.reshape(-1)[0]
    return found


def written(x, n):
    y = x.copy()
    for i in range(n):
        z = y.reshape(-1, 1)
        y[i] = z[0, 0] + 1.0
        y[0] = z[i, 0]
    return y


def written_through(x, n):
    y = x.copy()
    for i in range(n):
        y.reshape(-1, 1)[i] = i * 2.0
    return y


def copied(x, n):
    total = 0.0
    for i in range(n):
        total = total + x[::2].reshape(-1, 1)[0, 0] + x[::-1].ravel()[0] * i
    return total


def column(x, n):
    a, total = np.outer(x, x), np.zeros(2)
    for i in range(n):
        y = a[: 2 * (len(x) // 2), 0]
        total = total + y.reshape(-1, 2)[-1] * i + y.ravel()[1]
    return total


def every_second(x, n):
    total = np.zeros(2)
    for i in range(n):
        total = total + x[::2][:2].reshape(2, 1)[:, 0] * i + x[::2][:2].ravel()
    return total


def returned(x, n):
    y = x * 2.0
    for i in range(n):
        y = y + i
    return y, y.reshape(-1, 1), y.ravel()


def of_three_axes(x, n):
    total = np.zeros((2, 2))
    for i in range(n):
        y = np.outer(x[:4], x[:2]).reshape(2, 2, 2)
        total = total + y.sum(axis=-1) * i + y[:, 1]
    return total


PROGRAMS = [
    halves, flat, columns, written, written_through, copied, column, every_second, returned,
    of_three_axes,
]  # fmt: skip


@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
@pytest.mark.parametrize("is_known", [True, False])
def test_results_and_exceptions_are_numpys(fn, is_known):
    for size in (6, 5, 4, 1, 0):
        given = np.arange(1.0, size + 1), np.int64(3)
        signature = None if is_known else tuple(map(with_unknown_sizes, given))
        compiled = rt.function(fn, engine="native", input_signature=signature)
        for _ in range(2):
            assert exact_outcomes.outcome(compiled, given) == exact_outcomes.outcome(fn, given)


@pytest.mark.parametrize("fn", [halves, flat, columns, of_three_axes], ids=lambda fn: fn.__name__)
def test_loops_with_other_shapes_are_machine_code(fn):
    compiled = rt.function(fn, engine="native")
    compiled(np.arange(6.0), np.int64(3))
    assert "    loop (" not in compiled.native()


def test_results_with_other_shapes_share_their_memory():
    compiled = rt.function(returned, engine="native")
    for _ in range(2):
        y, *others = compiled(np.arange(6.0), np.int64(3))
        assert all(np.shares_memory(y, other) for other in others)
