"""Machine code leaves out checks of integers that cannot fail, and no others."""

import numpy as np
import pytest
from native_runs import compared

import runtime as rt
from runtime.engines import native

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)

MOST = 2**63 - 1
OVERFLOWS = "with.overflow"
OUTSIDE = "icmp uge i64"


def sieve(x, a, n):
    flags = np.ones(n + 1, np.bool_)
    i = 2
    while i * i <= n:
        if flags[i]:
            j = i * i
            while j <= n:
                flags[j] = False
                j += i
        i += 1
    return flags


def one_too_far(x, a, n):
    flags = np.ones(n, np.bool_)
    j = 0
    while j <= n:
        flags[j] = False
        j += 2
    return flags


def from_the_end(x, a, n):
    """Subscripts below 0 count from the end."""
    flags, j = np.ones(n + 1), -2
    while j <= n:
        flags[j] = j
        j += 1
    return flags


def below_below(x, a, n):
    flags, total = np.ones(n - 1), 0.0
    for j in range(n):
        for i in range(j):
            total += flags[i]
    return total


def below_below_too_far(x, a, n):
    flags, total = np.ones(n - 2), 0.0
    for j in range(n):
        for i in range(j):
            total += flags[i]
    return total


def neighbours(x, a, n):
    row = np.zeros(n + 1, np.int64)
    for i in range(n):
        row[i + 1] = row[i] + x[i % 3]
    return row


def neighbours_too_far(x, a, n):
    row = np.zeros(n + 1, np.int64)
    for i in range(n):
        row[i + 1] = row[i + 2] + 1
    return row


def of_another_size(x, a, n):
    """The loop makes another array, so the sizes are not those of the start."""
    row, total = np.ones(n), 0.0
    for i in range(n):
        total += row[i]
        row = np.ones(n - 1)
    return total


def starts_far(x, a, n):
    i, total, last = int(a), 0, 0
    for k in range(n):
        last = last + (i + 5) % 7
        i = int(x[k % 2])
        total += x[i]
    return total, last, i


def joined(x, a, n):
    if n > 5:
        i = int(a)
    else:
        i = int(n) - 2
        x[i] = n
    return i + 1, i - 2


def checked_in_a_branch(x, a, n):
    i, total = int(a), 0
    if n > 5:
        total = x[i]
    return i + 1, total


def checked_in_no_iteration(x, a, n):
    i, total = int(a), 0
    for k in range(n - 3):
        total += x[i] + k
    return i + 1, total


def squared_in_a_branch(x, a, n):
    i, total = int(a), 0
    if n > 5:
        total = i * i
    return i + i, total


def counted_from_far(x, a, n):
    total = 2**63 - 3
    for _ in range(n):
        total += 1
    return total


def counted_by_much(x, a, n):
    total = 0
    for _ in range(n):
        total += 2**62
    return total


def counted_from_an_argument(x, a, n):
    total = int(a)
    for _ in range(n):
        total += 1
    return total


def counted_and_squared(x, a, n):
    total = 3
    for _ in range(n):
        total = total * total % 4000000007
        total += 1
    return total


PROGRAMS = (
    sieve, one_too_far, from_the_end, below_below, below_below_too_far, neighbours,
    neighbours_too_far, of_another_size, starts_far, joined, checked_in_a_branch,
    checked_in_no_iteration, squared_in_a_branch, counted_from_far, counted_by_much,
    counted_from_an_argument, counted_and_squared,
)  # fmt: skip


@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
def test_results_and_exceptions_are_those_of_python(fn):
    compiled = rt.function(fn, engine="native")
    for n in (3, 4, 40, 7):
        for a in (1, MOST, -MOST - 1, 3037000500, 0):
            compared(compiled, fn, (np.arange(1, 4), np.int64(a), np.int64(n)))
    assert "native_1" in compiled.native()


def of_loops(fn, n=4):
    """The LLVM text of the innermost loops of a function, as it is written."""
    compiled = rt.function(fn, engine="native")
    compiled(np.arange(1, 4), np.int64(1), np.int64(n))
    text = compiled.native(what="ir")
    loops = [part.partition("\nexit")[0] for part in text.split("\nbody")[1:]]
    return [loop for loop in loops if "\nfirst" not in loop]


@pytest.mark.parametrize("fn", [sieve, below_below, neighbours])
def test_no_iteration_looks_whether_a_subscript_is_inside(fn):
    (loop,) = of_loops(fn, 7)
    assert OUTSIDE not in loop
    if fn is sieve:
        assert OVERFLOWS not in loop


@pytest.mark.parametrize("fn", [one_too_far, below_below_too_far, neighbours_too_far])
def test_an_iteration_looks_whether_a_subscript_is_inside(fn):
    compiled = rt.function(fn, engine="native")
    with pytest.raises(IndexError):
        compiled(np.arange(1, 4), np.int64(1), np.int64(4))
    assert OUTSIDE in compiled.native(what="ir").partition("\nbody")[2]


def slow(x, a, n):
    total, rest, found = 0, -1, 0
    for i in range(n):
        k = 0
        while k < x[i % 3]:
            k += 16
            found += i > 2
        if k > 2:
            rest -= 7
            total += 9
        else:
            total = 2**62
        total += 7
    return total, rest, found


def fast(x, a, n):
    total = 0
    for _ in range(n):
        total += 17
    return total


def from_far(x, a, n):
    total = 2**62 + 1
    for _ in range(n):
        total += 1
    return total


def test_slow_counters_are_not_checked():
    for fn in (slow, fast, from_far, counted_from_an_argument):
        compiled = rt.function(fn, engine="native")
        for n in (4, 40):
            given = (np.arange(1, 4), np.int64(1), np.int64(n))
            compared(compiled, fn, given)
        text = compiled.native(what="ir").partition("\nbody")[2]
        sums = text.count("call {i64, i1} @llvm.sadd.with.overflow")
        differences = text.count("call {i64, i1} @llvm.ssub.with.overflow")
        assert sums + differences == (0 if fn is slow else 1), fn
