"""Values of nested `and`, `or` and `not` over staged operands are Python's: the operand itself."""

import itertools
import random

import numpy as np
import pytest
from support.loading import load

import runtime as rt

OPERANDS = ["n", "m", "k", "1", "0", "not n", "n < m", "n < m < 3"]
PLACES = {
    "a list": "    found = []\n{appends}    return found\n",
    "a test": "    found = 0\n{tests}    return found\n",
    "a choice": "    return [{choices}]\n",
}


def expression(rng, depth):
    """A nested expression; parts of one operator are operands of the other one, and of the same."""
    if depth == 0:
        return rng.choice(OPERANDS)
    parts = [expression(rng, depth - rng.choice([1, 1, 2]) if depth > 1 else 0) for _ in range(2)]
    text = rng.choice(["(%s and %s)", "(%s or %s)"]) % tuple(parts)
    return f"(not {text})" if rng.random() < 0.1 else text


def pairs():
    """`(a and b) or c`, `a or (b and c)` and so on, with all operands that are names or numbers."""
    for a, b, c in itertools.product(("n", "m", "1"), ("n", "m", "0"), ("m", "k", "5")):
        for one, other in itertools.product(("and", "or"), repeat=2):
            yield f"({a} {one} {b}) {other} {c}"
            yield f"{a} {one} ({b} {other} {c})"


def check(expressions, place, name):
    appends = "".join(f"    found.append({text})\n" for text in expressions)
    tests = "".join(
        f"    if {text}:\n        found = found + {i + 1}\n" for i, text in enumerate(expressions)
    )
    choices = ", ".join(f"(2.5 if {text} else {i})" for i, text in enumerate(expressions))
    body = PLACES[place].format(appends=appends, tests=tests, choices=choices)
    fn = load(f"def f(n, m, k):\n{body}", f"<boolean {place} {name}>").f
    staged = rt.function(fn)
    for n, m in itertools.product((0, 1, -3), (0, 2)):
        k = 7 * ((n + m) % 2)
        for args in ((np.int64(n), np.int64(m), k), (np.int64(n), np.float64(m), np.bool_(k))):
            wanted, found = fn(*args), staged(*args)
            assert repr(found) == repr(wanted), (place, args, body)


@pytest.mark.parametrize("place", PLACES)
def test_operands_of_other_operators(place):
    found = list(pairs())
    for start in range(0, len(found), 54):
        check(found[start : start + 54], place, start)


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("seed", range(3))
def test_random_expressions(place, seed):
    rng = random.Random(seed)
    check([expression(rng, 3) for _ in range(30)], place, f"random {seed}")
