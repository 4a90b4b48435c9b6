"""Gradients through growing lists, writes into arrays, and mutated objects."""

import numpy as np
import pytest
from complex_steps import check

import runtime as rt


def test_lists_that_grow_are_read_set_and_stacked():
    def fn(x, n):
        items = [x]
        for i in range(n):
            items.append(items[-1] * x + items[i // 2])
        items[1] = items[2] * items[0]
        last = items.pop()
        return np.sum(np.stack(items)) * last + len(items)

    check(fn, np.float64(0.8), np.int64(4))


def test_a_list_of_arrays():
    def fn(x, n):
        rows = [x]
        for _ in range(n):
            rows.append(np.sin(rows[-1]) * x)
        return np.sum(np.stack(rows).sum(axis=0) * rows[1])

    check(fn, np.array([0.3, 0.9, -0.4]), np.int64(3))


def test_arrays_that_are_written_at_staged_subscripts():
    def fn(x, n):
        memory = x * 0.0
        for i in range(n):
            memory[i % 3] = memory[i % 3] + x[i % 3] * x[(i + 1) % 3]
            memory[(i + 2) % 3] *= x[0]
        return np.sum(memory * memory)

    check(fn, np.array([0.5, 0.9, -0.7]), np.int64(7))


def test_rows_that_are_written_in_a_loop():
    def fn(x, n):
        table = np.outer(x, x)
        for i in range(n):
            table[i] = table[i - 1] * x[i]
            table[:, i] += table[i, 0]
        return np.sum(table * table)

    check(fn, np.array([0.5, 0.9, -0.7]), np.int64(3))


def test_an_element_that_every_iteration_writes_and_reads():
    def fn(y, a):
        for _ in a:
            a[1] = y
            best = a[1]
        return best

    by_y, by_a = rt.grad(fn, (0, 1))(np.float64(2.0), np.ones(3))
    assert by_y == 1.0
    np.testing.assert_array_equal(by_a, np.zeros(3))


def test_objects_that_change_in_a_loop():
    class Box:
        pass

    def fn(x, n):
        box = Box()
        box.total = x * 0.0
        seen = {"x": x}
        for _ in range(n):
            seen["x"] = seen["x"] * x
            box.total = box.total + seen["x"]
        return box.total

    check(fn, np.float64(0.9), np.int64(4))


def pairs_of(x, n):
    pairs = [(x, 1.5)]
    for i in range(n):
        pairs.append((x * (i + 1) * pairs[-1][1], pairs[-1][0] + x))
    total = 0.0
    for a, b in pairs:
        total = total + a * b
    return total


def nested_tuples(x, n):
    rows = []
    for i in range(n):
        rows.append((x * i, i, (x, np.array([1.0, 2.0]) * x)))
    total = x
    for a, i, (b, row) in rows:
        total = total + a * i * b * np.sum(row * row)
    return total * rows[-1][2][0]


def changed_tuples(x, n):
    stack = [(x, x)]
    for i in range(n):
        a, b = stack[-1]
        stack.append((a * b, x + b))
        stack[0] = (stack[0][0] * a, b)
    a, b = stack.pop()
    c, d = stack[0]
    return a * b + c * d + stack[-1][0]


@pytest.mark.parametrize("fn", [pairs_of, nested_tuples, changed_tuples])
@pytest.mark.parametrize("n", [1, 2, 4])
def test_tuples_in_lists_that_grow(fn, n):
    x, n, h = np.float64(0.8), np.int64(n), 1e-5
    check(fn, x, n)
    first = rt.grad(fn)
    _, tangent = rt.jvp(fn, (x, n), (np.float64(1.0), None))
    assert np.isclose(tangent, first(x, n), rtol=1e-12)
    second = (first(x + h, n) - first(x - h, n)) / (2 * h)
    assert np.isclose(rt.grad(first)(x, n), second, rtol=1e-6)
    rows = np.array([0.8, -0.3])
    batch = rt.vmap(first, in_axes=(0, None))(rows, n)
    np.testing.assert_allclose(batch, [first(row, n) for row in rows], rtol=1e-12)


def test_a_zero_cotangent_stays_zero_in_tuples():
    def fn(x, n):
        pairs = []
        for i in range(n):
            pairs.append((np.log(x * i), x))
        total = 0.0 * x
        for a, b in pairs:
            total = total + np.where(np.isfinite(a), a * b, b)
        return total

    x, h = np.float64(0.8), 1e-6
    with np.errstate(divide="ignore"):
        expected = (fn(x + h, np.int64(3)) - fn(x - h, np.int64(3))) / (2 * h)
        assert np.isclose(rt.grad(fn)(x, np.int64(3)), expected, rtol=1e-6)
