"""Scalars of which a run decides the kind are machine code, and have Python's values and types."""

import numpy as np
import pytest
from outcomes import check_same, outcome, quiet, same_exactly

import runtime as rt
from runtime.engines import native

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)

X = np.random.default_rng(0).normal(size=40)
WHOLE_NUMBERS = np.random.default_rng(1).integers(-5, 9, 40)
GIVEN = {
    "floats": X,
    "integers": WHOLE_NUMBERS,
    "negative": -np.abs(X),
    "f4": X.astype("f4"),
    "i4": WHOLE_NUMBERS.astype("i4"),
    "one": X[:1],
    "nan": np.array([0.5, np.nan, 2.0]),
    "large": np.array([2**62, 2**62 - 1, 3, -7, 2**61]),
    "infinite": np.array([np.inf, -np.inf, 1.0]),
}


def largest(x):
    best, at = 0, -1
    for i in range(len(x)):
        if x[i] > best:
            best, at = x[i], i
    return best, at


def best_profit(x):
    low, best = float("inf"), 0
    for v in x:
        low = min(low, v)
        best = max(best, v - low)
    return best, low


def best_part(x):
    current = best = 0
    for v in x:
        current = max(0, current + v)
        best = max(best, current)
    return best


def clipped(x):
    found = []
    for v in x:
        found.append(v if v > 0 else 0)
    return found


def balance(x):
    total = 0
    for v in x:
        if v > 0.5:
            total += v * v
        else:
            total -= 1
    return total


def by_key(x):
    found = {}
    for v in x:
        key = int(v > 0)
        found[key] = found.get(key, 0) + v
    return found


def counted_or_summed(x):
    held = [0] * 4
    for i in range(len(x)):
        if x[i] > 0:
            held[i % 4] += x[i]
        else:
            held[i % 4] += 1
    return held, held[1], held[2] * 2


def three_types(x):
    far = [float("inf")] * 4
    far[1] = 0
    for i in range(len(x)):
        if x[i] > 0 and far[i % 4] > x[i]:
            far[i % 4] = x[i]
    return far


def rows(x):
    table = [[0] * 3 for _ in range(4)]
    for i in range(len(x)):
        if x[i] > 0:
            table[i % 4][i % 3] = table[i % 4][i % 3] + x[i]
    return table


def pairs(x):
    found = (0, 0)
    for i in range(len(x)):
        if x[i] > found[0]:
            found = x[i], i
    return found


def in_tuples(x):
    found = []
    for i in range(len(x)):
        found.append((i, x[i] if x[i] > 0 else 0))
    return found


def found_or_none(x):
    best = None
    for v in x:
        if v > 0.1 and (best is None or v > best):
            best = v if v < 1.0 else 1
    return best


def arithmetic(x):
    a, b = 1, 2
    for v in x:
        if v > 0:
            a = b - v
        else:
            b = a * 2
        a = a % 7 - b // 3 if a > b else -a
        b = abs(b) % 11 + 1
    return a, b, a == b, a != b, a <= b


def conversions(x):
    best = 0
    for v in x:
        if v > best:
            best = v
    return float(best), int(best * 4), bool(best), round(best * 3), best / 2, best**2, -best, +best


def isinstance_of(x):
    best, ints, floats = 0, 0, 0
    for v in x:
        if v > 0.2:
            best = v
        elif v < -0.5:
            best = 0
        if isinstance(best, int):
            ints += 1
        if isinstance(best, float):
            floats += 1
    return best, ints, floats


def bool_or_int(x):
    found = False
    for i in range(len(x)):
        if x[i] > 0.4:
            found = i
        elif x[i] < -1.0:
            found = True
    return found, found + 1, not found


def weak_or_strong(x):
    step, total = 1, np.float32(0.0)
    for v in x:
        if v > 0:
            step = np.float32(0.5)
        else:
            step = step * 2 if step < 100 else 1
        total = total + step
    return step, total


def int_types(x):
    count = 0
    for v in x:
        count = np.int64(count) + 1 if v > 0 else count + 1.5
    return count


def divided(x):
    d, total = 0, 0
    for v in x:
        total = total + 1 / d if d else total
        d = v if v > 0 else 0
    return total


def divided_by_zero(x):
    d, total = 3, 0
    for v in x:
        total = total + 5 // d
        d = d - 1 if v < 2 else v
    return total


def too_large(x):
    total = 1
    for v in x:
        total = total * 3 if v != 0.25 else v
    return total


def element_of_an_array(x):
    y, best = np.zeros(len(x)), 0
    for i in range(len(x)):
        best = x[i] if x[i] > best else 0
        y[i] = best
    return y


def nested(x):
    best = 0
    for i in range(len(x)):
        inner = 0
        for j in range(i):
            if x[j] < x[i]:
                inner = x[j] if inner == 0 else inner + 1
        if inner > best:
            best = inner
    return best


def halved(x):
    """Of an array of integers, `//` gives integers and `/` floats."""
    value, seen = 64, []
    for v in x:
        value = value // 2 if v > 0 else value / 2
        seen.append(value)
    return value, seen


def between_pieces(x):
    """The transform has no machine code: a scalar and a list leave one piece and enter another."""
    best, held = 0, [0] * 3
    for i in range(len(x)):
        if x[i] > best:
            best = x[i]
        held[i % 3] = x[i] if x[i] > 0 else i
    first = np.fft.fft(x).real[0]
    total = 0
    for i in range(len(x)):
        if x[i] < first:
            best = best + 1
        total = total + held[i % 3] * 2 if total < 50 else 1
    return best, held, total, first


PROGRAMS = [
    between_pieces, largest, best_profit, best_part, clipped, balance, by_key, counted_or_summed, three_types, rows,
    pairs, in_tuples, found_or_none, arithmetic, conversions, isinstance_of, bool_or_int,
    weak_or_strong, int_types, divided, divided_by_zero, too_large, element_of_an_array, nested,
    halved,
]  # fmt: skip


@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
def test_values_and_types_are_those_of_python(fn):
    compiled = rt.function(fn, engine="native")
    for x in GIVEN.values():
        with quiet():
            wanted = outcome(fn, (x,))
            for _ in range(2):
                check_same(outcome(compiled, (x,)), wanted, same_exactly)


@pytest.mark.parametrize(
    "fn",
    [largest, best_profit, best_part, clipped, balance, by_key, counted_or_summed, three_types],
    ids=lambda fn: fn.__name__,
)
def test_loops_over_such_scalars_are_machine_code(fn):
    compiled = rt.function(fn, engine="native")
    compiled(X)
    assert "    loop (" not in compiled.native()
