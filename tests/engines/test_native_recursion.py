"""Functions that call themselves, as machine code: results, errors and warnings are the same."""

import inspect
import signal
import sys
import threading

import numpy as np
import pytest
from allocated import blocks_left_by
from native_runs import compared, run

import runtime as rt
from runtime.engines import native

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)


def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


def factorial(n):
    if n <= 1:
        return 1
    return n * factorial(n - 1)


def depth_of(n):
    if n <= 0:
        return 0
    return 1 + depth_of(n - 1)


def endless(n):
    if n < 0:
        return 0
    return endless(n + 1) + 1


def is_even(n):
    if n == 0:
        return True
    return is_odd(n - 1)


def is_odd(n):
    if n == 0:
        return False
    return is_even(n - 1)


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


def raised_to(x, n):
    if n == 0:
        return np.ones_like(x)
    half = raised_to(x, n // 2)
    if n % 2 == 0:
        return half * half
    return half * half * x


def sum_of_part(x, low, high):
    if high - low == 1:
        return x[low]
    middle = (low + high) // 2
    return sum_of_part(x, low, middle) + sum_of_part(x, middle, high)


def sorted_part(x, low, high):
    if low >= high:
        return x
    pivot, i = x[high], low
    for j in range(low, high):
        if x[j] < pivot:
            x[i], x[j] = x[j], x[i]
            i += 1
    x[i], x[high] = x[high], x[i]
    sorted_part(x, low, i - 1)
    sorted_part(x, i + 1, high)
    return x


def sorted_copy(x):
    return sorted_part(x.copy(), np.int64(0), np.int64(x.shape[0] - 1))


def divided_down(n, by):
    if n <= 0:
        return n
    return divided_down(n - 1, by) + n // (n - by)


def halved_down(x, n):
    if n == 0:
        return x
    return halved_down(x * 0.5, n - 1)


def moves(n, start, end, other, counts):
    if n > 0:
        moves(n - 1, start, other, end, counts)
        counts[start, end] += 1
        moves(n - 1, other, end, start, counts)


def all_moves(n):
    zero, counts = np.int64(0), np.zeros((3, 3), np.int64)
    moves(n, zero, zero + 2, zero + 1, counts)
    return counts


def collected(n, found):
    if n > 0:
        collected(n - 1, found)
        found.append(n)
    return found


def list_of(n):
    return collected(n, [n * 2])


X = np.random.default_rng(3).normal(size=60)
CALLS = [
    (fibonacci, (np.int64(15),)),
    (fibonacci, (np.int32(15),)),
    (factorial, (np.int64(12),)),
    (factorial, (np.int64(30),)),  # NumPy warns of an overflow
    (depth_of, (np.int64(300),)),
    (depth_of, (np.int64(-1),)),
    (depth_of, (np.float64(7.5),)),
    (endless, (np.int64(1),)),
    (is_even, (np.int64(301),)),
    (ackermann, (np.int64(2), np.int64(3))),
    (raised_to, (X, np.int64(13))),
    (raised_to, (np.array([np.inf, 1, 1e30], "f4"), np.int64(5))),
    (sum_of_part, (X, np.int64(0), np.int64(60))),
    (sum_of_part, (X, np.int64(50), np.int64(70))),  # IndexError
    (sorted_copy, (X,)),
    (divided_down, (np.int64(9), np.int64(20))),
    (divided_down, (np.int64(9), np.int64(4))),  # division by zero
    (halved_down, (np.float64(3), np.int64(40))),
    (all_moves, (np.int64(5),)),
    (list_of, (np.int64(4),)),
]


@pytest.mark.parametrize("fn, given", CALLS, ids=lambda one: getattr(one, "__name__", None))
def test_a_function_that_calls_itself_is_as_in_numpy(fn, given):
    compiled = rt.function(fn, engine="native")
    expected = rt.function(fn, engine="numpy")
    for _ in range(3):  # by pieces, then as machine code of the whole call
        compared(compiled, expected, given)


@pytest.mark.parametrize(
    "fn, given",
    [(fibonacci, CALLS[0][1]), (is_even, (np.int64(5),)), (raised_to, CALLS[10][1])],
)
def test_all_of_a_function_that_calls_itself_is_machine_code(fn, given):
    compiled = rt.function(fn, engine="native")
    compiled(*given)
    assert "not native" not in compiled.native(*given)


def test_the_error_of_endless_recursion_names_the_line():
    compiled = rt.function(endless, engine="native")
    for _ in range(3):
        with pytest.raises(RecursionError) as caught:
            compiled(np.int64(1))
    assert caught.traceback[-1].frame.code.name == "endless"


def test_a_raised_limit_allows_more_calls():
    compiled = rt.function(depth_of, engine="native")
    deep = np.int64(4000)
    with pytest.raises(RecursionError):
        compiled(deep)
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    try:
        assert compiled(deep) == 4000
        assert compiled(np.int64(15_000)) == 15_000
    finally:
        sys.setrecursionlimit(before)
    with pytest.raises(RecursionError):
        compiled(deep)


def test_a_thread_with_a_small_stack_runs_deep_calls():
    compiled, found = rt.function(raised_to, engine="native"), []
    depth = rt.function(depth_of, engine="native")
    depth(np.int64(3))
    compiled(X, np.int64(3))
    limit, size = sys.getrecursionlimit(), threading.stack_size(1 << 20)
    sys.setrecursionlimit(50_000)
    try:
        thread = threading.Thread(target=lambda: found.append(depth(np.int64(40_000))))
        thread.start()
        thread.join()
    finally:
        threading.stack_size(size)
        sys.setrecursionlimit(limit)
    assert found == [40_000]


@pytest.mark.parametrize(
    "fn, given, is_done",
    [
        (raised_to, (X, np.int64(13)), True),
        (sum_of_part, (X, np.int64(0), np.int64(60)), True),
        (sum_of_part, (X, np.int64(50), np.int64(70)), False),
        (sorted_copy, (X,), True),
        (all_moves, (np.int64(4),), True),
    ],
)
def test_calls_keep_no_reference_to_arrays(fn, given, is_done):
    compiled = rt.function(fn, engine="native").get_concrete_function(*given).compiled
    (piece,) = compiled.plain.pieces
    by_name = dict(zip(inspect.signature(fn).parameters, given, strict=True))
    operands = [by_name[value.hint] for value in piece.inputs]
    assert piece.function(*operands)[0] is is_done

    def call():
        for _ in range(1000):
            piece.function(*operands)

    before = sys.getrefcount(X)
    assert blocks_left_by(call) < 100
    assert sys.getrefcount(X) == before


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there is no timer for signals")
def test_a_signal_ends_recursion():
    def interrupt(number, frame):
        raise KeyboardInterrupt

    compiled = rt.function(fibonacci, engine="native")
    assert compiled(np.int64(10)) == compiled(np.int64(10)) == 55
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.05)
        with pytest.raises(KeyboardInterrupt):
            compiled(np.int64(60))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_functions_of_one_call_with_other_captures_are_distinguished():
    def twice(n, m):
        def down(k):
            return k if k < m else down(k - m) + 1

        def up(k):
            return k if k > m else up(k + 2) + down(k + m)

        return down(n), up(n), down(m + n)

    given = np.int64(17), np.int64(23)
    found = run(rt.function(twice, engine="native"), given)
    assert found[0].error is None
    assert found[0].result == twice(*given)
