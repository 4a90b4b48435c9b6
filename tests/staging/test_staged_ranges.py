"""`range(n)` with a staged bound, and lists that a run has grown, where NumPy takes arrays."""

import numpy as np
import pytest
from staged_ranges import PROGRAMS
from support.every_mode import MODES, check_in_mode

import runtime as rt


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name, mode):
    check_in_mode(PROGRAMS[name], mode)


WORKING = {  # they work with values that only a run has, so no call can return them
    "zip": lambda x, n: zip(x, x, strict=False),
    "in a list": lambda x, n: [enumerate(x)],
    "in a dict": lambda x, n: {"values": map(abs, x)},
    "filter": lambda x, n: filter(None, x),
    "reversed": lambda x, n: reversed(range(n)),
    "keys": lambda x, n: {v: 1 for v in x}.keys(),
    "items": lambda x, n: {v: 1 for v in x}.items(),
    "flat": lambda x, n: x.flat,
}


@pytest.mark.parametrize("name", WORKING)
def test_an_iterator_of_staged_values_is_no_result(name):
    with pytest.raises(rt.errors.ResultError, match=r"list of its elements"):
        rt.function(WORKING[name])(np.arange(3.0), np.int64(2))


def test_one_graph_serves_every_range():
    def parts(x, n, k):
        return x[range(n)], range(n)[k:], range(n)[:k], range(n)[::-1][k:], k in range(n)

    staged = rt.function(parts)
    x = np.arange(9.0)
    for n in range(5):
        for k in range(-6, 7):
            wanted = parts(x, np.int64(n), np.int64(k))
            assert repr(staged(x, np.int64(n), np.int64(k))) == repr(wanted), (n, k)
    assert len(staged.graphs) == 1


def test_a_slope_goes_through_the_subscript_of_a_range():
    def loss(scores, labels):
        return -np.sum(scores[range(len(labels)), labels] ** 2)

    labels = np.array([1, 0])
    slope = rt.grad(lambda scores: loss(scores, labels))(np.array([[1.0, 2.0], [3.0, 4.0]]))
    assert slope.tolist() == [[0.0, -4.0], [-6.0, 0.0]]
