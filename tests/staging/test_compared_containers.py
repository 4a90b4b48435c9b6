"""Tuples, lists, dicts and dataclass objects with staged parts are compared part by part."""

import compared_containers
import compared_objects
import numpy as np
import pytest
from support.every_mode import check_in_every_mode

import autograph
import runtime as rt

PROGRAMS = {**compared_containers.PROGRAMS, **compared_objects.PROGRAMS}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_comparison_is_pythons_in_every_mode(name):
    check_in_every_mode(PROGRAMS[name])


def test_the_gradient_of_a_branch_on_equal_tuples_is_that_of_the_branch():
    def chosen(x, i, j):
        if (i, j) == (1, 2):
            return np.sum(x * x)
        return np.sum(x)

    x = np.array([1.0, 2.0])
    slope = rt.function(rt.grad(chosen))
    assert slope(x, np.int64(1), np.int64(2)).tolist() == [2.0, 4.0]
    assert slope(x, np.int64(1), np.int64(3)).tolist() == [1.0, 1.0]


def test_each_element_of_a_batch_compares_its_own_tuple():
    def is_goal(p):
        return 1.0 if (p[0], p[1]) == (3, 1) else 0.0

    found = rt.vmap(is_goal)(np.array([[3, 1], [1, 3], [3, 1]]))
    assert found.tolist() == [1.0, 0.0, 1.0]


def test_a_part_is_compared_only_where_those_before_it_are_equal():
    @rt.function
    def is_same(x, y):
        return (x[0], x) == (y[0], y)

    assert is_same(np.array([1.0, 2.0]), np.array([3.0, 4.0])) is False
    with pytest.raises(ValueError, match="ambiguous"):
        is_same(np.array([1.0, 2.0]), np.array([1.0, 4.0]))


def test_a_comparison_with_a_number_in_the_code_stays_pythons():
    def count(x, n):
        return (x == 1) + (n != "a") + (x == n - 1) + (len(x) == n)

    assert "ag__.equal" not in autograph.to_code(count)
