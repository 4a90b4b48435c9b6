"""Machine code that writes into arguments: the arrays hold what Python leaves in them, also where an
exception ends the call."""

import numpy as np
import pytest
from native_runs import same_bits

import runtime as rt
from runtime.engines import native

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)


def bubbles(x):
    i = np.int64(0)
    while i < x.shape[0] - 1:
        if x[i] > x[i + 1]:
            x[i], x[i + 1] = x[i + 1], x[i]
        i += 1
    return i


def numbered(x, n):
    for i in range(n):
        x[i] = i * 2
    return n


def exchanged(x, y, n):
    for i in range(n):
        x[i] += y[i]
        y[i] = x[i] // (5 - i)
    x[0] = 7
    assert n < 4, "late"
    y[0] = 8


def written_by_one_side(x, n, p):
    if p > 0:
        x[0] = n
        for i in range(n):
            x[i] = i
    elif p < 0:
        x[1:] = 2.0
    x *= 2
    if n > 3:
        raise ValueError("n")
    return x


def sorted_in_place(x, low, high):
    if low >= high:
        return
    pivot, i = x[high], low
    for j in range(low, high):
        if x[j] < pivot:
            x[i], x[j] = x[j], x[i]
            i += 1
    x[i], x[high] = x[high], x[i]
    sorted_in_place(x, low, i - 1)
    sorted_in_place(x, i + 1, high)


def factored_after(x, n):
    """The piece is done when the factorisation, which NumPy computes, fails."""
    for i in range(n):
        x[i] = x[i] * 2 + i
    np.linalg.cholesky(x[:2] * np.ones((2, 2)))
    x[0] = 100
    return x


def factored_between(x, n):
    """The loop stays in the NumPy program; its body has a piece."""
    for i in range(n):
        x[i] += 1.5
        for j in range(i):
            x[j] = x[j] * 2 - x[i] + j
        x[1] = np.linalg.det(x[:4].reshape(2, 2))
        np.linalg.cholesky(np.eye(2) * (3 - i))
    return n


def copied_before(x, n):
    """The contents that are reported are those before the copy was changed."""
    for i in range(n):
        x[i] = i + 10
    y = x.copy()
    for i in range(n):
        y[i] = -i
    x[:] = y
    np.linalg.cholesky(np.eye(2) * (3 - n))
    return y


def nested(x, n):
    for i in range(n):
        for j in range(i):
            if x[j] > x[i]:
                x[i] = x[j] + 1
            else:
                x[j] = x[i] // (n - 4)
    return x.sum()


def searched_in_place(x, n):
    for i in range(n):
        x[i] = -x[i]
        if x[i] < -6:
            break
    else:
        x[0] = 50
    return i


def I(n):  # noqa: E743, N802
    return np.int64(n)


def mixed(n=15):
    return np.arange(n) * 7.0 % 11


CALLS = [
    (bubbles, lambda: (mixed(),)),
    (bubbles, lambda: (mixed().astype("i2"),)),
    (numbered, lambda: (np.zeros(5), I(4))),
    (numbered, lambda: (np.zeros(5), I(0))),
    (numbered, lambda: (np.zeros(5), I(8))),  # IndexError
    (numbered, lambda: (np.zeros(10)[::2], I(5))),
    *[(exchanged, lambda n=n: (np.arange(9), np.arange(9) * 3, I(n))) for n in (3, 4, 8, 80)],
    *[
        (written_by_one_side, lambda n=n, p=p: (np.zeros(5), I(n), I(p)))
        for n in (3, 4, 7)
        for p in (1, 0, -1)
    ],
    (sorted_in_place, lambda: (mixed(), I(0), I(14))),
    (sorted_in_place, lambda: (mixed(), I(0), I(18))),  # IndexError
    (factored_after, lambda: (mixed(), I(5))),  # LinAlgError
    (factored_after, lambda: (-mixed(), I(15))),
    (factored_between, lambda: (mixed(), I(2))),
    (factored_between, lambda: (mixed(), I(6))),  # LinAlgError
    (copied_before, lambda: (mixed(), I(2))),
    (copied_before, lambda: (mixed(), I(6))),  # LinAlgError
    (nested, lambda: (mixed(8).astype(int), I(6))),
    (nested, lambda: (mixed(8).astype(int), I(4))),  # division by zero
    (searched_in_place, lambda: (mixed(), I(10))),
    (searched_in_place, lambda: (np.ones(3), I(3))),
    (searched_in_place, lambda: (np.ones(3), I(4))),  # IndexError
]


def outcome(fn, given):
    """The result of a call, its exception, and its arguments afterwards."""
    result, error = None, None
    with np.errstate(all="ignore"):
        try:
            result = fn(*given)
        except Exception as raised:
            error = type(raised).__name__, str(raised).split("\n")[0]
    return result, error, given


@pytest.mark.parametrize("fn, given", CALLS, ids=lambda one: one.__name__)
def test_arguments_hold_what_python_leaves_in_them(fn, given):
    compiled = rt.function(fn, engine="native")
    expected = outcome(fn, given())
    for _ in range(3):
        found = outcome(compiled, given())
        assert found[1] == expected[1]
        same_bits(found[2], expected[2])
        if not isinstance(expected[0], np.ndarray):
            assert found[0] == expected[0]


@pytest.mark.parametrize(
    "fn, given", [CALLS[i] for i in (0, 2, 6, 10, 19)], ids=lambda one: one.__name__
)
def test_loops_that_write_into_arguments_are_one_piece(fn, given):
    compiled = rt.function(fn, engine="native")
    outcome(compiled, given())
    text = compiled.native(*given())
    assert "\nnative_" not in text
    assert "not native" not in text
