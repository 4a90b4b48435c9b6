"""An augmented assignment to elements is one store in the generated program."""

import re

import numpy as np
import pytest

import runtime as rt

pytestmark = pytest.mark.usefixtures("numpy_programs")


class Model:
    """An object with an array."""


def in_loop(u, v, n):
    for _ in range(n):
        u[1:-1] += v
    return u


def in_loop_of_a_new_array(u, v, n):
    u = u * 1.5
    while n > 0:
        u[1:-1] += v
        n -= 1
    return u


def in_branch(u, v, n):
    if n > 0:
        u[1:-1] += v
    else:
        u[1:3] -= v
    return u


def through_view(u, v, n):
    row = u[1:]
    row[:-1] *= v
    return u, row


def of_attribute(u, v, n):
    model = Model()
    model.weights = u * 2
    for _ in range(n):
        model.weights[1:-1] += v
    return model.weights


def of_rows(u, v, n):
    table = np.zeros((3, 2)) + u[0]
    table[n] += v
    return table


def of_one_element(u, v, n):
    u[n] += v[0]
    return u


def of_chosen_elements(u, v, n):
    u[u > 1] += n
    return u


def of_repeated_elements(u, v, n):
    u[[0, 0, 2]] += n
    return u


ALL = [
    in_loop,
    in_loop_of_a_new_array,
    in_branch,
    through_view,
    of_attribute,
    of_rows,
    of_one_element,
    of_chosen_elements,
    of_repeated_elements,
]


def arguments(n):
    return np.arange(4.0), np.array([0.5, -2.0]), np.int64(n)


@pytest.mark.parametrize("fn", ALL)
@pytest.mark.parametrize("n", [0, 2])
def test_the_results_and_arguments_equal_those_of_python(fn, n):
    given, expected = arguments(n), arguments(n)
    result, wanted = rt.function(fn)(*given), fn(*expected)
    np.testing.assert_equal(result, wanted)
    np.testing.assert_equal(given, expected)


@pytest.mark.parametrize(
    ("fn", "count"),
    [(fn, 2 if fn in (in_branch, through_view) else 1) for fn in ALL],
)
def test_each_assignment_is_one_store(fn, count):
    source = rt.function(fn).source(*arguments(1))
    stores = [line for line in source.splitlines() if re.search(r"_setitem\(|\] \W?= ", line)]
    assert len(stores) == count, source


def test_the_contents_of_an_input_are_reported_once():
    source = rt.function(in_loop).source(*arguments(1))
    assert source.count("u_now = ") == 1
    assert "u_1[1:-1] += v" in source


def test_a_store_of_other_elements_or_values_is_kept():
    def twice(u, v, n):
        u[1:-1] = v
        u[1:-1] = v + 1
        u[:2] = v + 1
        u[1:-1] = v + 1
        return u

    given, expected = arguments(1), arguments(1)
    np.testing.assert_equal(rt.function(twice)(*given), twice(*expected))
    source = rt.function(twice).source(*arguments(1))
    assert source.count("] = ") + source.count("_setitem(") == 4


def test_a_subscript_out_of_range_still_raises():
    def back(u, v, n):
        u[n] = u[n]
        return u

    with pytest.raises(IndexError):
        rt.function(back)(*arguments(7))


def test_a_repeated_store_before_an_exception_is_in_the_array():
    def fill(u, v, n):
        for i in range(4):
            u[1:-1] += v
            if i == n:
                raise ValueError(i)

    given, expected = arguments(2), arguments(2)
    for run, values in ((rt.function(fill), given), (fill, expected)):
        with pytest.raises(ValueError):
            run(*values)
    np.testing.assert_equal(given, expected)
