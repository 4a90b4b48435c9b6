"""Loops that count are `for` loops over a range in generated programs; updates are in place."""

import itertools
import re

import numpy as np
import pytest
from support.loading import load

import autograph
import runtime as rt
from runtime.analyses.buffer_reuse import BufferReuse
from runtime.analyses.liveness import Uses
from runtime.ir.graph import copy, walk
from runtime.passes import optimized

pytestmark = pytest.mark.usefixtures("numpy_programs")

X = np.linspace(-1.0, 2.0, 12)


def up(x, start, stop, step):
    y, i = x.copy(), start
    while i < stop:
        y[i] += 2.0 * i
        i += step
    return y


def down(x, start, stop, step):
    y, i = x.copy(), start
    while i > stop:
        y[i] *= x[i - 1]
        i -= step
    return y


def ranged(x, start, stop, step):
    y = x.copy()
    for i in range(start, stop, step):
        y[i] -= x[i] / 2.0
    return y


def left(x, start, stop, step):
    y = x[0]
    for i in range(start, stop):
        y = y * 0.5 + x[i] * step
        if y > 1.5:
            break
    return y


def nested(x, start, stop, step):
    y = x.copy()
    for i in range(start, stop):
        for j in range(i, start, -step):
            if x[j] > x[i]:
                continue
            y[i:] += y[j] * 0.5
    return y


def used_after(x, start, stop, step):
    i = start
    while i < stop:
        i += step
    return x * i, i


def changed_bound(x, start, stop, step):
    y, i = x[0], start
    while i < stop:
        y = y + x[i]
        i += 1
        stop -= step
    return y


def left_by_the_flag_of_before(x, start, stop, step):
    y, going_on, seen = x[0], True, False
    for i in range(start, stop):
        if seen:
            break
        seen = not going_on
        going_on = x[i] < 0.5
        y = y + x[i] * step
    return y


def bound_of_an_iteration(x, start, stop, step):
    y, i, n = x[0], start, stop
    while i < n:
        y = y + x[i] * step
        i += 1
        n = stop - 1
    return y, n


LOOPS = {
    up: True,
    down: True,
    ranged: True,
    left: True,
    nested: True,
    used_after: False,
    changed_bound: False,
    left_by_the_flag_of_before: True,
    bound_of_an_iteration: False,
}
BOUNDS = [(0, 9), (3, 3), (9, 2), (2, -1), (0, 1)]


@pytest.mark.parametrize("fn", LOOPS)
def test_a_loop_that_counts_equals_pythons(fn):
    staged = rt.function(fn)
    for (start, stop), step in itertools.product(BOUNDS, (1, 2, 3)):
        given = np.int64(start), np.int64(stop), step
        np.testing.assert_equal(staged(X, *given), fn(X, *given))
    for step in (1, 3):
        known = rt.function(lambda x: fn(x, 1, 11, step))  # noqa: B023
        np.testing.assert_equal(known(X), fn(X, 1, 11, step))
    counting = rt.function(lambda x, start, stop, step: fn(x, start, stop, 1))
    assert ("for i in range(" in counting.source(X, *given)) == LOOPS[fn]


OPERATORS = ["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>"]
PARTS = ["i", "i, 1", "i, :i", ":, i", "1:, i:", "[i, 0, i]", "i, ::-1", "...", "y[:, 0] > 2", "-i"]
OTHERS = ["3", "y[i - 1, 0]", "y[0]", "y[:, 1:2]", "x[i, i]", "x"]


DTYPES = [np.float32, np.int64, np.uint8]


def updated(part, operator, other, dtype):
    """Checks an augmented assignment to a part of an array, or that it raises as Python does."""
    x = (np.arange(16).reshape(4, 4) % 7 + 1).astype(dtype)
    text = "def f(x):\n    y = x.copy()\n    for i in range(1, 4):\n"
    text += f"        y[{part}] {operator}= {other}\n    return y\n"
    fn = load(text, f"<{part} {operator} {other} {dtype}>").f
    with np.errstate(all="ignore"):
        try:
            wanted = fn(x)
        except (ValueError, TypeError, IndexError) as error:
            with pytest.raises(type(error)):
                rt.function(fn)(x)
            return
        found = rt.function(fn)(x)
    assert found.dtype == wanted.dtype and found.tobytes() == wanted.tobytes(), text


@pytest.mark.parametrize("part", PARTS)
def test_updates_in_place_equal_pythons(part):
    first = PARTS.index(part)
    for k, operator in enumerate(OPERATORS):
        place = first + k
        updated(part, operator, OTHERS[place % len(OTHERS)], DTYPES[place % len(DTYPES)])


@pytest.mark.thorough
@pytest.mark.parametrize("part", PARTS)
def test_all_updates_in_place_equal_pythons(part):
    for operator, other, dtype in itertools.product(OPERATORS, OTHERS, DTYPES):
        updated(part, operator, other, dtype)


def test_an_update_of_a_part_of_unknown_size_is_written_once():
    def rows(c, a):
        c = c.copy()
        for i in range(8):
            c[i, : i + 1] *= 0.5
            for k in range(6):
                c[i, : i + 1] += a[i, k] * a[: i + 1, k]
        return c

    c, a = np.ones((8, 8)), np.linspace(0.0, 1.0, 48).reshape(8, 6)
    graph = rt.function(rows)
    assert graph(c, a).tobytes() == rows(c, a).tobytes()
    assert not re.search(r"_into|while|\] = ", graph.source(c, a))


def test_an_error_in_an_update_names_the_line_and_the_operation():
    def add(c, e, n):
        c = c.copy()
        for i in range(n):
            c[i, : i + 1] += e
        return c

    with pytest.raises(ValueError, match="broadcast") as caught:
        rt.function(add)(np.ones((5, 5)), np.ones(2), np.int64(5))
    assert caught.traceback[-1].lineno == add.__code__.co_firstlineno + 2


def test_branches_that_write_into_one_array_take_linear_time():
    visited = []

    def steps(x, n):
        a = x.copy()
        for i in range(n):
            autograph.set_loop_options(unroll=True)
            if a[i % 12] > 0.0:
                a[(i + 1) % 12] = a[i % 12] * 0.5 + 0.1
        return a

    for n in (20, 40):
        staged = rt.function(lambda x: steps(x, n))  # noqa: B023
        assert staged(X).tobytes() == steps(X, n).tobytes()
        assert "np.array" not in staged.source(X)
        graph = optimized(copy(staged.graphs[0].graph))
        sets = BufferReuse(graph, Uses(graph))
        visited.append(sum(len(sets.sets(v)[0]) for node in walk(graph) for v in node.outputs))
    assert visited[1] < 3 * visited[0]
