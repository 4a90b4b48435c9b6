"""Random nested loops over known elements equal Python's, whichever of them are staged."""

import numpy as np
import pytest
from loading import load
from loops import loop_program
from support.outcomes import check_same, outcome, quiet, same_exactly

import runtime as rt
from autograph.constructs import while_
from runtime.staging.control_flow import known_iteration, known_loop

X = np.linspace(0.25, 2.0, 5)
HEADER = """\
import numpy as np


class Box:
    def __init__(self, v, k):
        self.v = v
        self.k = k


def helper(v, i):
    r = 0.0
    for q in range(5):
        r = r * 0.5 + v * q + i
    return r


"""
SHORT = (1, 2, 3, 5)  # programs that are recorded quickly, if their loops are unrolled, too


@pytest.mark.parametrize("rolls_all", [False, True])
@pytest.mark.parametrize("seed", SHORT)
def test_random_loops_are_pythons(seed, rolls_all, monkeypatch):
    if rolls_all:
        monkeypatch.setattr(while_, "OFFERED", 1)
        monkeypatch.setattr(known_iteration, "FEWEST", 1)
        monkeypatch.setattr(known_loop, "FEW_OPERATIONS", 0)
    function = load(HEADER + loop_program(seed), f"<loops {seed}>").f
    with quiet():
        wanted = outcome(function, (X,))
        got = outcome(rt.function(function), (X,))
        if wanted.error is None:
            got.result = plain(got.result)
            wanted.result = plain(wanted.result)
        check_same(got, wanted, same_exactly)


def plain(result):
    return list(result)


def recurrence(x, w):
    y = x[0]
    for i in range(30):
        y = np.tanh(y * w[0] + i * 0.01)
    return y


def items(x, w):
    a = np.zeros(20)
    for i in range(19):
        a[i + 1] = a[i] * 0.9 + x[i % 5] * w[i % 4]
    return np.sum(a)


def early(x, w):
    y = x[0]
    for _ in range(40):
        y = y * 0.9 + w[0]
        if y > w[1]:
            break
    return y


def nested(x, w):
    s = 0.0
    for i in range(5):
        for j in range(6):
            s = s + x[i] * w[j % 4] * np.sin(s)
    return s


def listed(x, w):
    z = []
    for i in range(12):
        z.append(x[i % 5] * w[i % 4])
    s = 0.0
    for v in z:
        s = s + v * v
    return s


def results(function):
    """The value, the gradient, the tangent and a batch, as bytes."""
    x, w = np.linspace(0.1, 0.9, 5), np.linspace(0.3, 1.1, 4)
    found = [rt.function(function)(x, w), *rt.grad(function, (0, 1))(x, w)]
    found += rt.jvp(function, (x, w), (np.ones(5), np.ones(4)))
    found.append(rt.vmap(function, (0, None))(np.stack([x, x * 2]), w))
    return [np.asarray(one).tobytes() for one in found]


@pytest.mark.parametrize("function", [recurrence, items, early, nested, listed])
def test_transformations_of_staged_and_unrolled_loops_have_the_same_bits(function, monkeypatch):
    staged = results(function)
    monkeypatch.setattr(known_iteration, "FEWEST", 10**9)
    assert staged == results(function)
