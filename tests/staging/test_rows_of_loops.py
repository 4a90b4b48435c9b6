"""Loops write into arrays through the rows that they go over, also through `enumerate` and `zip`.

Each program runs with arrays of known sizes, with a staged number of rows, and in plain Python; the
results are the same, and so are the arrays that it was given.
"""

import numpy as np
import pytest

import runtime as rt


def enumerated(z, x):
    for i, row in enumerate(z):
        row[:] = x[i] + i
    return z


def enumerated_from_one(z, x):
    for i, row in enumerate(z, 1):
        row += x[i - 1] * i
    return z


def zipped(z, x):
    for row, v in zip(z, x, strict=False):
        row[:] = v
    return z


def both_of_a_zip(z, x):
    w = z * 2
    for row, v in zip(z, w, strict=False):
        row[:] = v
        v += row
    return z, w


def mapped(z, x):
    def increased(row):
        row += 1
        return row.sum()

    total = 0.0
    for s in map(increased, z):
        total += s
    return total, z


def reversed_rows(z, x):
    for i, row in enumerate(reversed(z)):
        row *= i + x[1]
    return z


def columns(z, x):
    for i, column in enumerate(z.T):
        column[:] = column * i + x[0]
    return z


def elements_of_rows(z, x):
    for i, row in enumerate(z):
        for j, v in enumerate(row):
            row[j] = v + i * j
    return z


def planes(z, x):
    q = np.zeros((len(x), 3, 2))
    for i, plane in enumerate(q):
        for j, row in enumerate(plane):
            row[:] = i * 10 + j
    return q


def the_array_and_its_rows(z, x):
    for i, row in enumerate(z):
        row[:] = x[i]
        z[0, 0] += row[1]
    return z


def until_a_condition(z, x):
    for i, row in enumerate(z):
        if x[i] > 0:
            row[:] = 9
        if x[i] > 1:
            break
    return z


def the_last_row(z, x):
    row = z[0]
    for i, row in enumerate(z):  # noqa: B007
        row[:] = x[i]
    return row + 1


def a_generator(z, x):
    for row in (row for row in z):
        row[:] = x[0] + 3
    return z


def a_method(z, x):
    for row, v in zip(z, x, strict=False):
        row.fill(v)
        row.sort()
    return z


PROGRAMS = (
    enumerated, enumerated_from_one, zipped, both_of_a_zip, mapped, reversed_rows, columns,
    elements_of_rows, planes, the_array_and_its_rows, until_a_condition, the_last_row, a_generator,
    a_method,
)  # fmt: skip


def agree(function, staged):
    z, x = np.arange(6.0).reshape(3, 2), np.arange(3.0)
    w = z.copy()
    wanted, found = function(z, x), staged(w, x)
    assert repr(found) == repr(wanted)
    np.testing.assert_array_equal(w, z)


@pytest.mark.parametrize("function", PROGRAMS)
def test_rows_of_a_known_number(function):
    agree(function, rt.function(function))


@pytest.mark.parametrize("function", [f for f in PROGRAMS if f not in (a_generator, columns)])
def test_rows_of_a_staged_number(function):
    signature = [rt.TensorSpec((None, 2), float), rt.TensorSpec((None,), float)]
    agree(function, rt.function(function, input_signature=signature))


@pytest.mark.parametrize("function", [enumerated, zipped, mapped])
def test_rows_in_eager_mode_and_through_wrappers(function):
    with rt.config.temporarily(run_functions_eagerly=True):
        agree(function, rt.function(function))
    inner = rt.function(function)
    agree(function, rt.function(lambda z, x: inner(z, x)))


def test_gradients_through_rows():
    def loss(x):
        z = np.zeros((3, 2))
        for i, row in enumerate(z):
            row[:] = x[i] * i
        return np.sum(z * z)

    np.testing.assert_allclose(rt.grad(loss)(np.arange(3.0)), [0, 4, 32])


def test_a_row_that_only_some_runs_have_is_not_written_into():
    def after(z):
        for row in z:  # noqa: B007
            z[0, 0] += 1
        row[0] = 7
        return z

    spec = rt.TensorSpec((None, None), np.float64)
    with pytest.raises(rt.errors.StagingError, match="an array is written into through row"):
        rt.function(after, input_signature=(spec,))(np.ones((3, 2)))
    assert rt.function(after)(np.ones((3, 2))).tolist() == [[4, 1], [1, 1], [7, 1]]


class Node:
    def __init__(self, value, following):
        self.value, self.following = value, following


def linked(x):
    head = None
    for v in x:
        head = Node(v, head)
    total = 0.0
    while head is not None:
        total = total * 2 + head.value
        head = head.following
    return total


def test_a_loop_over_rows_is_unrolled_where_it_cannot_be_staged():
    x = np.array([3.0, 1.0, 2.0])
    assert rt.function(linked)(x) == linked(x)
    assert rt.function(rt.grad(linked))(x).tolist() == [1, 2, 4]
    assert rt.vmap(linked)(np.array([x, x + 1])).tolist() == [linked(x), linked(x + 1)]


def test_a_loop_over_many_rows_is_not_unrolled():
    with pytest.raises(rt.errors.StagingError, match="head holds one more object of Node"):
        rt.function(linked)(np.arange(2000.0))


def test_an_iterator_that_is_left_is_no_other_one_after_unrolling():
    def after(x):
        pairs, head = enumerate(x), None
        for _, v in pairs:
            head = Node(v, head)
            if v > 2:
                break
        return [v for _, v in pairs], head.value

    with pytest.raises(rt.errors.StagingError):
        rt.function(after)(np.array([1.0, 3.0, 2.0]))
