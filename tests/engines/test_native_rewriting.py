"""Loops that write into arrays look at their owners once, and never write into another's array."""

import gc
import sys

import numpy as np
import pytest
from allocated import blocks_left_by
from native_runs import compared

import runtime as rt
from runtime.engines import native

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)


def sieve(n):
    flags = np.ones(n + 1, np.bool_)
    flags[0] = flags[1] = False
    i = 2
    while i * i <= n:
        if flags[i]:
            j = i * i
            while j <= n:
                flags[j] = False
                j += i
        i += 1
    return flags


def kept_before(x, n):
    """The contents before the loop are a result, too."""
    y = x * 2
    z = y.copy()
    for i in range(n):
        z[i] = y[i] + 1
        y[i] = z[i] * z[0]
    return x, y, z


def taken_turns(x, n):
    """Two arrays change places at each iteration."""
    old, new = x.copy(), x * 2
    for i in range(n):
        for j in range(1, x.shape[0]):
            new[j] = old[j - 1] + i
        old, new = new, old
    return old, new


def kept_sometimes(x, n):
    """An iteration keeps a copy, which later ones do not change."""
    best, now = x.copy(), x.copy()
    for i in range(n):
        now[i % 3] = now[i % 3] + i * (1 - i % 2 * 2)
        if now[i % 3] > best[i % 3]:
            best = now.copy()
    return best, now


def written_sometimes(x, n):
    now = x + 1
    for i in range(n):
        if x[i] > 0.3:
            now[i] = 0
            for j in range(i):
                now[j] = now[j] + now[i]
    return now


def written_before_and_after(x, n):
    now = x.copy()
    now[0] = 5
    rows = []
    for i in range(n):
        now[i] = i
        rows.append(now.sum())
    now[1] = 6
    total = now[0] * 0
    for i in range(n):
        total += now[i] * rows[i]
    return total, now, x


def restarted(x, n):
    """Each iteration of the outer loop starts with an array of its own."""
    total = x[0] * 0
    for i in range(n):
        row = x.copy()
        for j in range(n):
            row[j] = row[j] + i
        total += row[i] - x[i]
    return total


def restarted_with_the_argument(x, n):
    total = x[0] * 0
    for i in range(n):
        row = np.where(x > i, x, x)
        other = row
        for j in range(n):
            if j > i:
                row = row + 1
                row[j] = 7
        total += row[i] - other[i]
    return total


def sorted_copy(x, n):
    y = x.copy()
    for i in range(n):
        for j in range(n - 1):
            if y[j] > y[j + 1]:
                y[j], y[j + 1] = y[j + 1], y[j]
    return y


def left_late(x, n):
    """An index out of bounds after many writes."""
    y = x.copy()
    for i in range(n + 100):
        y[i] = i
    return y


X = np.random.default_rng(5).normal(size=40)
PROGRAMS = [
    kept_before,
    taken_turns,
    kept_sometimes,
    written_sometimes,
    written_before_and_after,
    restarted,
    restarted_with_the_argument,
    sorted_copy,
    left_late,
]


@pytest.mark.parametrize("n", [0, 1, 2, 17])
@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
def test_arrays_that_loops_write_into_are_as_in_numpy(fn, n):
    given = X.copy(), np.int64(n)
    compiled = rt.function(fn, engine="native")
    expected = rt.function(fn, engine="numpy")
    for _ in range(3):  # by pieces, then as machine code of the whole call
        compared(compiled, expected, given)
        assert np.array_equal(given[0], X)


def test_the_sieve_looks_at_no_owner_in_its_loops():
    compiled = rt.function(sieve, engine="native")
    assert np.flatnonzero(compiled(np.int64(50))).tolist()[-4:] == [37, 41, 43, 47]
    text = compiled.native(what="ir")
    loops = text[text.index("\nbody") :]
    assert "load i32" not in loops.split("\nfinish")[0]


@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
def test_loops_keep_no_reference(fn):
    compiled = rt.function(fn, engine="native")

    def calls():
        for _ in range(600):
            try:
                compiled(X, np.int64(17))
            except IndexError:
                pass

    calls()
    gc.collect()  # errors and their frames
    references = sys.getrefcount(X)
    assert blocks_left_by(calls) < 300
    assert sys.getrefcount(X) == references


def kept_list(x, n):
    path, kept = [0.0], [1.0]
    for i in range(n):
        path = path + [x[i]]
        if x[i] > 2.5:
            kept = path
    return kept, path


def kept_array(x, n):
    path = np.zeros(4)
    kept = path + 1.0
    for i in range(n):
        path = path + 0.0
        path[i] = x[i]
        if x[i] > 2.5:
            kept = path
    return kept, path


@pytest.mark.parametrize("fn", [kept_list, kept_array])
def test_contents_that_another_variable_keeps_are_not_overwritten(fn):
    given = np.array([1.0, 3.0, 1.0, 2.0]), np.int64(4)
    compiled = rt.function(fn, engine="native")
    for _ in range(3):
        assert repr(compiled(*given)) == repr(fn(*given))
    assert "    loop (" not in compiled.native()
