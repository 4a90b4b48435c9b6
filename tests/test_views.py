"""Views and aliases of staged arrays: what is written through one is seen through all."""

import copy

import numpy as np
import pytest

import runtime as rt

MATRIX = np.array([[1.0, 2.0], [3.0, 4.0]])
VECTOR = np.array([1.0, 2.0, 3.0, 4.0])
PROGRAMS = []


def program(*inputs):
    def register(fn):
        PROGRAMS.append(pytest.param(fn, inputs, id=fn.__name__))
        return fn

    return register


@program(MATRIX)
def element_of_a_row(x):
    x[0][1] = 5
    return x


@program(VECTOR)
def slice_that_is_written_and_added_to(x):
    v = x[1:3]
    v[0] = 50
    v += 1
    return x


@program(MATRIX)
def rows_of_a_loop(x):
    for r in x:
        if r[0] > 2:
            r[:] = 0
    return x


@program(VECTOR)
def slice_that_is_read_after_its_base_was_written(x):
    v = x[:2]
    x[0] = 9
    return v, v.sum()


@program(MATRIX)
def function_that_writes_into_its_argument(x):
    def double(row):
        row *= 2

    for i in range(2):
        double(x[i])
    return x


@program(np.float64(1))
@program(np.float64(-1))
def row_in_a_branch(c):
    k = np.zeros((2, 2))
    r = k[0]
    if c > 0:
        r[0] = 1
    return k, r


@program(VECTOR, np.int64(3))
def alias_in_a_loop(x, n):
    x = x * 1
    y = x
    for i in range(n):
        y += i
    return x, y


@program(VECTOR, np.int64(3))
def rows_of_a_table_in_a_loop(x, n):
    table = np.zeros((3, 2))
    for i in range(n):
        row = table[i]
        row[0] = x[i]
        row[1] = row[0] * 2
    return table


@program(VECTOR, np.float64(1))
@program(VECTOR, np.float64(-1))
def view_around_a_branch_that_writes(x, c):
    v = x[1:3]
    if c > 0:
        x[1] = 100.0
    return v.sum(), x


@program(VECTOR)
def picked_elements_are_a_copy(x):
    v = x[[0, 1]]
    v += 10
    w = x[x > 100] if False else x[np.array([2, 3])]
    w[0] = -1
    return x, v, w


@program(MATRIX)
def transposed_array_that_is_read(x):
    t = x.T
    x[0, 1] = 7
    return t


@pytest.mark.parametrize(("fn", "inputs"), PROGRAMS)
def test_a_program_with_views_does_what_numpy_does(fn, inputs):
    mine, theirs = copy.deepcopy(inputs), copy.deepcopy(inputs)
    result, expected = rt.function(fn)(*mine), fn(*theirs)
    np.testing.assert_equal(result, expected)
    np.testing.assert_equal(mine, theirs)


def test_a_view_that_cannot_be_followed_is_refused():
    def write(x):
        x.reshape(-1)[0] = 7
        return x

    with pytest.raises(rt.StagingError, match="a view that reshape made"):
        rt.function(write)(MATRIX.copy())
