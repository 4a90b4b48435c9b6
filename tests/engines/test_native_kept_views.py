"""Views that variables of loops and branches hold, as machine code: values, memory and writes."""

import numpy as np
import pytest
from native_runs import run, same_bits

import runtime as rt
from runtime.engines import native

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)


def rows(x, n):
    total, row = 0.0, x[0]
    for i in range(n):
        total += np.sum(row * x[i])
        row = x[i]
    return total


def columns(x, n):
    total, column = 0.0, x[:, 0]
    for i in range(n):
        total += np.sum(column * x[:, i])
        column = x[::-1, i]
    return total


def transposed(x, n):
    total, y = 0.0, x[:4]
    for _ in range(n):
        total += np.sum(y * x[:4])
        y = y.T * 1.5
    return total


def chosen(x, n):
    row = x[1] if n > 2 else x[0, ::-1]
    return np.sum(row * x[2]) + row[0]


def chosen_in_a_loop(x, n):
    total, row = 0.0, x[0] * 1.0
    for i in range(n):
        if i % 2 == 0:
            row = x[i]
        total += np.sum(row)
    return total


def listed(x, n):
    found = [x[0]]
    for i in range(n):
        found.append(x[i] if i > 1 else x[0] * 2.0)
    return np.stack(found) * 2.0


def listed_columns(x, n):
    found = []
    for i in range(n):
        found.append(x[:, i])
    return np.stack(found)


def written_later(x, n):
    """The view shows each write into the array."""
    y = x * 1.0
    total, row = 0.0, y[0]
    for i in range(n):
        total += np.sum(row)
        y[0] = y[0] + i
    return total, y


def written_through(x, n):
    """A write through the view is one into the array."""
    y = x * 1.0
    row = y[0]
    for _ in range(n):
        row += 1.0
    return y, np.sum(row)


def returned(x, n):
    """The result is a view of the argument where there is no iteration."""
    row = x[0]
    for i in range(n):
        row = row + x[i]
    return row


def returned_view(x, n):
    row = x[0]
    for i in range(n):
        row = x[i, ::-1]
    return row


INSIDE = (rows, columns, chosen, chosen_in_a_loop, listed, listed_columns)
PROGRAMS = (*INSIDE, transposed, written_later, written_through, returned, returned_view)


@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
def test_results_and_arguments_are_those_of_numpy(fn):
    compiled = rt.function(fn, engine="native")
    for n in (3, 3, 3, 1, 0, 4):
        x, y = np.arange(1.0, 26.0).reshape(5, 5)[:, :4].copy(), None
        y = x.copy()
        found, expected = run(compiled, (x, np.int64(n))), run(fn, (y, np.int64(n)))
        assert repr(found[0].error) == repr(expected[0].error)
        if isinstance(expected[0].result, np.ndarray):
            assert np.shares_memory(found[0].result, x) == np.shares_memory(expected[0].result, y)
        same_bits(found[0].result, expected[0].result)
        same_bits(x, y)


@pytest.mark.parametrize("fn", INSIDE, ids=lambda fn: fn.__name__)
def test_no_loop_stays_in_numpys_program(fn):
    compiled = rt.function(fn, engine="native")
    given = np.arange(20.0).reshape(5, 4), np.int64(3)
    for _ in range(3):
        compiled(*given)
    left = compiled.native().partition("not native")[2]
    assert "loop" not in left and "cond" not in left or "if all of a call has some" in left
