"""Lists to which staged branches and loops bind variables: merged item by item, with identity."""

import numpy as np
import pytest

import runtime as rt


def same(function, *args):
    """The result of the graph of a function, which must equal the result in Python."""
    expected = function(*args)
    found = rt.function(function)(*args)
    assert repr(found) == repr(expected)
    return found


def test_a_loop_binds_a_variable_to_another_list_in_each_iteration():
    def fibonacci(z, n):
        for _ in range(n):
            z = [z[1], z[0] + z[1]]
        return z

    assert same(fibonacci, [np.float64(1), np.float64(2)], np.int64(3)) == [5.0, 8.0]


def test_the_items_of_such_a_list_may_be_of_different_shapes():
    def scaled(z, n):
        for _ in range(n):
            z = [2.0 * item for item in z]
        return z

    same(scaled, [np.ones(2), np.ones((2, 2)), np.float64(1)], np.int64(3))


def test_lists_nested_in_lists_and_tuples_are_merged_too():
    def nested(x, n):
        z = [(x, [x, x])]
        while n > 0:
            z = [(a + 1, [b * 2, c * 3]) for a, (b, c) in z]
            n = n - 1
        return z

    same(nested, np.float64(1), np.int64(2))


def test_a_branch_binds_a_variable_to_another_list():
    def clipped(z, p):
        if p > 0:
            z = [np.minimum(item, 1) for item in z]
        return z

    same(clipped, [np.float64(3), np.arange(3.0)], np.int64(1))
    same(clipped, [np.float64(3), np.arange(3.0)], np.int64(0))


def test_a_loop_that_breaks_keeps_the_list_of_its_last_iteration():
    def halved(x, n):
        z = [x, x]
        while n > 0:
            z = [z[0] + 1, z[1] * 2]
            if z[0] > 4:
                z = [z[1], z[0]]
                break
            n = n - 1
        return z

    same(halved, np.float64(1), np.int64(9))
    same(halved, np.float64(1), np.int64(1))


def test_a_list_bound_only_in_the_loop_is_that_of_the_last_iteration():
    def last(x, n):
        for _ in range(n):
            pair = [x, np.ones(2)]
            x = pair[0] * 2
        return pair

    same(last, np.float64(1), np.int64(2))


def test_an_array_in_such_a_list_is_the_callers_if_no_iteration_replaced_it():
    def written(x, n):
        z = [x]
        for _ in range(n):
            z = [z[0] * 2]
        z[0][0] = 7.0
        return z

    for n in (0, 2):
        x = np.ones(2)
        found = rt.function(written)(x, np.int64(n))
        assert x[0] == (7.0 if n == 0 else 1.0)
        assert found[0].tolist() == ([7.0, 1.0] if n == 0 else [7.0, 4.0])


def test_a_merged_list_is_not_mutated_in_place():
    def appended(z, n):
        while n > 0:
            z = [z[0] + 1]
            n = n - 1
        z.append(5.0)
        return z

    with pytest.raises(rt.StagingError, match="is changed by `append`(.|\n)*in appended"):
        rt.function(appended)([np.float64(1)], np.int64(2))


def test_a_copy_of_a_merged_list_may_be_mutated():
    def appended(z, n):
        while n > 0:
            z = [z[0] + 1]
            n = n - 1
        z = list(z)
        z.append(5.0)
        return z

    same(appended, [np.float64(1)], np.int64(2))


def test_two_names_of_a_list_created_in_each_branch_refer_to_one_list():
    def grown(x):
        if x > 0:
            a = b = [x]
        else:
            a = b = [2 * x]
        a.append(x * 3)
        return len(b), b

    same(grown, np.float64(1))
    same(grown, np.float64(-1))
