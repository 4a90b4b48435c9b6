"""Each piece makes the views that it reads, also those of arrays that another piece has made."""

import numpy as np
import pytest
from native_runs import run, same_bits

import runtime as rt
from runtime.engines import native
from runtime.engines.registry import Options

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)


def parts(x, y):
    z = x * 2.0 + y
    left, last = z[:, :2], z[::-1]
    row = last[:, 1:]
    total = np.sum(np.exp(left)) + row[0, 0]
    with np.errstate(all="ignore"):
        again = left * 3.0 + np.sqrt(left) + row
        total = total + np.sum(again * row)
    return total, again - np.sum(row * 1.5)


def in_a_branch(x, y):
    z = x * y + 1.0
    part = z[1:]
    total = np.sum(part * part + np.exp(part))
    with np.errstate(all="ignore"):
        if total > 3.0:
            total = total + np.sum(part / y[1:] + part * 2.0 - 1.0)
        for i in range(2):
            total = total + np.sum(part[i] * part[i - 1])
    return total


def returned(x, y):
    """Two results are one view."""
    z = x + y * 2.0 - 1.0
    part = z[:, 1:]
    total = np.sum(part * part + 1.0)
    with np.errstate(all="ignore"):
        other = np.sum(np.sqrt(part) * part + 2.0)
    return part, total + other


PROGRAMS = (parts, in_a_branch, returned)


def numbers():
    rng = np.random.default_rng(0)
    return rng.random((4, 3)) + 0.5, rng.random((4, 3)) + 0.5


@pytest.mark.parametrize("fn", PROGRAMS, ids=lambda fn: fn.__name__)
def test_results_are_those_of_numpy(fn):
    compiled = rt.function(fn, engine="native")
    for _ in range(4):
        x, y = numbers()
        found, expected = run(compiled, (x, y)), run(fn, (x, y))
        assert repr(found[0].error) == repr(expected[0].error)
        same_bits(found[0].result, expected[0].result)
        assert found[1] == expected[1]


@pytest.mark.parametrize("fn", [parts, in_a_branch], ids=lambda fn: fn.__name__)
def test_no_piece_is_left(fn):
    given = numbers()
    graph = rt.function(fn, engine="numpy").get_concrete_function(*given).graph
    program = native.compile_graph(graph, Options())
    counted = program.counted()
    program(*given)
    assert counted.calls >= 2 and counted.left == 0


def loss(x, y):
    turned = x * np.sqrt(np.sum(x * x, axis=1, keepdims=True)) + y
    flat = turned[:, :2] / turned[:, 2:3]
    return np.sum(flat * flat * y[:, 1:2])


def test_no_piece_of_a_gradient_is_left():
    given = numbers()
    slope = rt.function(rt.grad(loss, (0, 1)), engine="numpy")
    program = native.compile_graph(slope.get_concrete_function(*given).graph, Options())
    counted = program.counted()
    for one, other in zip(program(*given), slope(*given), strict=True):
        same_bits(one, other)
    assert counted.calls >= 2 and counted.left == 0
