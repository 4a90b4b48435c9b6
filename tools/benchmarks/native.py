"""Loops over scalars and elements, and whole arrays: machine code, the NumPy engine, and numba.

Each function has no decorator, and no object: every contestant takes it as it is.  Rows of arrays
also have the engine `native-fast`.  Numba is left out where it is not installed, and where it
refuses a function.
"""

import importlib.util
from collections.abc import Callable
from typing import Any

import numpy as np

import runtime as rt
from benchmarks.timing import benchmark, compare, shown, timed


def collatz(a):
    steps = 0
    while a != 1:
        if a % 2 == 0:
            a = a // 2
        else:
            a = 3 * a + 1
        steps += 1
    return steps


def collatz_sum(n):
    total = 0
    for i in range(1, n + 1):
        a = i
        while a != 1:
            if a % 2 == 0:
                a = a // 2
            else:
                a = 3 * a + 1
            total += 1
    return total


def mandelbrot(height, width, most):
    counts = np.zeros((height, width), np.int32)
    for i in range(height):
        for j in range(width):
            real, imaginary, k = 0.0, 0.0, 0
            while k < most and real * real + imaginary * imaginary <= 4.0:
                next_real = real * real - imaginary * imaginary - 2.0 + 3.0 * j / width
                imaginary = 2.0 * real * imaginary - 1.5 + 3.0 * i / height
                real = next_real
                k += 1
            counts[i, j] = k
    return counts


def levenshtein(a, b):
    row = np.arange(b.shape[0] + 1)
    for i in range(a.shape[0]):
        diagonal = row[0]
        row[0] = i + 1
        for j in range(b.shape[0]):
            cost = 0 if a[i] == b[j] else 1
            new = min(row[j + 1] + 1, row[j] + 1, diagonal + cost)
            diagonal = row[j + 1]
            row[j + 1] = new
    return row[b.shape[0]]


def sieve(n):
    flags = np.ones(n + 1, np.bool_)
    flags[0] = False
    flags[1] = False
    i = 2
    while i * i <= n:
        if flags[i]:
            j = i * i
            while j <= n:
                flags[j] = False
                j += i
        i += 1
    return flags


def squares(n):
    found = []
    for i in range(n):
        found.append(i * i)
    return np.array(found)


def primes(n):
    found = []
    for k in range(2, n):
        is_prime = True
        for p in found:
            if p * p > k:
                break
            if k % p == 0:
                is_prime = False
                break
        if is_prime:
            found.append(k)
    return len(found)


def plus_one(x):
    return x + 1


def chain(x):
    for _ in range(50):
        x = x * 1.01 + 0.5
    return x


def fused_sum(x):
    return np.sum(np.tanh(x) * np.exp(x))


def jacobi(x, n):
    x = x.copy()
    for _ in range(n):
        x[1:-1, 1:-1] = 0.25 * (x[:-2, 1:-1] + x[2:, 1:-1] + x[1:-1, :-2] + x[1:-1, 2:])
    return x


def softmax(x):
    shifted = np.exp(x - x.max(axis=-1, keepdims=True))
    return shifted / shifted.sum(axis=-1, keepdims=True)


def descent(w, x, y, n):
    for _ in range(n):
        w = w - 0.01 * (x.T @ (x @ w - y))
    return w


def recurrent(x, h, from_input, from_state, bias, n):
    for i in range(n):
        h = np.tanh(x[i] @ from_input + h @ from_state + bias)
    return h


def _chain_of_tanh(x, w):
    for _ in range(100):
        x = np.tanh(w * x)
    return np.sum(x)


def _loop(x, w, n):
    for _ in range(n):
        x = x * w * (1.5 - x)
    return x


def slope_of_chain(x, w):
    return rt.grad(_chain_of_tanh)(x, w)


def slope_of_loop(x, w, n):
    return rt.grad(_loop)(x, w, n)


def normal(*shape, dtype=np.float64):
    """Random numbers, the same in each run."""
    return np.random.default_rng(0).normal(size=shape).astype(dtype)


SINGLE = np.float32
LETTERS = np.arange(1000) ** 2 % 26  # a processor learns which of them are equal
ANY_LETTERS = np.random.default_rng(0).integers(0, 26, (2, 1000))
ROWS: list[tuple[str, Callable[..., Any], tuple[Any, ...], int]] = [
    ("Collatz, 524 steps", collatz, (np.int64(837799),), 200),
    ("Collatz, sum to 10,000", collatz_sum, (np.int64(10_000),), 1),
    ("Mandelbrot 200 x 200", mandelbrot, (np.int64(200), np.int64(200), np.int64(50)), 1),
    ("Levenshtein, 1,000 letters", levenshtein, (LETTERS, LETTERS[::-1].copy()), 1),
    ("Levenshtein, 1,000 random letters", levenshtein, tuple(ANY_LETTERS), 1),
    ("sieve to 100,000", sieve, (np.int64(100_000),), 1),
    ("list append n = 10,000", squares, (np.int64(10_000),), 20),
    ("list of primes to 20,000", primes, (np.int64(20_000),), 1),
]
ARRAY_ROWS: list[tuple[str, Callable[..., Any], tuple[Any, ...], int]] = [
    ("x + 1, 3 elements", plus_one, (np.arange(3.0),), 2000),
    ("chain of 100 operations, 100 elements", chain, (np.arange(100.0),), 200),
    ("sum of tanh * exp, 1e3 f32", fused_sum, (normal(1000, dtype=SINGLE),), 200),
    ("sum of tanh * exp, 1e6 f32", fused_sum, (normal(10**6, dtype=SINGLE),), 2),
    ("sum of tanh * exp, 1e6 f64", fused_sum, (normal(10**6),), 2),
    ("softmax, 64 x 64", softmax, (normal(64, 64),), 100),
    ("softmax, 1,000 x 1,000", softmax, (normal(1000, 1000),), 1),
    ("Jacobi 200 x 200, 100 sweeps", jacobi, (normal(200, 200), np.int64(100)), 1),
    (
        "descent, 1,000 steps, 100 x 10",
        descent,
        (normal(10) / 10, normal(100, 10) / 10, normal(100), np.int64(1000)),
        1,
    ),
    (
        "recurrent, 64 steps, B4 I32 H64 f32",
        recurrent,
        (
            normal(64, 4, 32, dtype=SINGLE),
            np.zeros((4, 64), SINGLE),
            normal(32, 64, dtype=SINGLE),
            normal(64, 64, dtype=SINGLE) / 10,
            np.zeros(64, SINGLE),
            np.int64(64),
        ),
        10,
    ),
    ("gradient of 100 x tanh, 64 elements", slope_of_chain, (normal(64), normal(64)), 60),
    (
        "gradient of 1,000 iterations",
        slope_of_loop,
        (np.float64(0.3), np.float64(1.2), np.int64(1000)),
        100,
    ),
]


@benchmark("native")
def native(rounds: int) -> None:
    """Prints first calls and medians for each row."""
    has_numba = importlib.util.find_spec("numba") is not None
    for row, fn, arguments, number in [*ROWS, *ARRAY_ROWS]:
        is_array_row = any(row == one[0] for one in ARRAY_ROWS)
        makers: dict[str, Callable[..., Any]] = {
            "native": lambda fn: rt.function(fn, engine="native")
        }
        if is_array_row:
            makers["native-fast"] = lambda fn: rt.function(fn, engine="native-fast")
        if has_numba:
            makers["numba"] = importlib.import_module("numba").njit
        contestants = {}
        for name, make in makers.items():
            made = make(fn)
            try:
                _, first = timed(lambda made=made, arguments=arguments: made(*arguments))
            except Exception as error:
                if name.startswith("native"):
                    raise
                print(f"  {name} refuses it: {type(error).__name__}")
                continue
            label = f"{name}, first call {shown(first)}"
            contestants[label] = lambda made=made, arguments=arguments: made(*arguments)
        if is_array_row:
            contestants["plain NumPy"] = lambda fn=fn, arguments=arguments: fn(*arguments)
        compare(row, contestants, rounds, number, 1e-3 if is_array_row else 0.0)
        graph = rt.function(fn, engine="numpy")
        graph(*arguments)
        taken = min(
            timed(lambda graph=graph, arguments=arguments: graph(*arguments))[1]
            for _ in range(rounds if is_array_row else 1)
        )
        print(f"  {'NumPy engine, fastest call':<40}{shown(taken):>12}")
