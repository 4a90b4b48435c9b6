"""A value that may be None is used without a check where the tests around it tell that it is not."""

import numpy as np
import pytest
from outcomes import check_same, outcome, same_exactly

import runtime as rt


def appended(x):
    found, last = [], None
    for value in x:
        if last is not None:
            found.append(last)
        last = value
    return found


def in_else(x):
    found, last = [], None
    for value in x:
        if last is None:
            last = value * 2
        else:
            found.append(last)
            last = value
    return found


def inner_branch(x):
    found, last = [], None
    for value in x:
        if last is not None and value == last:
            continue
        if last is not None:
            found.append(last)
        last = value
    return found


def conjunction(x):
    found, last = [], None
    for value in x:
        if last is not None and value > last and value != 3:
            found.append((last, value))
        last = value
    return found


def disjunction(x):
    found, last = [], None
    for value in x:
        if last is None or value > last:
            last = value
        else:
            found.append(last)
    return found


def negation(x):
    found, last = [], None
    for value in x:
        if not (last is None):  # noqa: E714
            found.append(last)
        last = value
    return found


def left_early(x):
    found, last = [], None
    for value in x:
        if last is None:
            last = value
            continue
        found.append(last)
        last = value
    return found


def guarded_return(x):
    best = None
    for value in x:
        if value > 1:
            best = value
    if best is None:
        return np.zeros(2, int)
    return np.array([best, best + 1])


def pair(x):
    last = None
    found = []
    for value in x:
        if last is not None:
            found.append(last)
        last = (value, value + 1)
    return found


PROGRAMS = [appended, in_else, inner_branch, conjunction, disjunction, negation, left_early]
PROGRAMS += [guarded_return, pair]
INPUTS = [np.array([1, 2, 2, 3, 3, 3]), np.array([3, 1, 2, 5]), np.array([0]), np.array([], int)]


@pytest.mark.parametrize("sizes", ["known", "unknown"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_the_result_is_that_of_python(program, sizes):
    staged = rt.function(program)
    if sizes == "unknown":
        staged = rt.function(program, input_signature=[rt.TensorSpec((None,), np.int64)])
    for x in INPUTS:
        check_same(outcome(staged, (x,)), outcome(program, (x,)), same_exactly)


def under_another_test(x):
    found, last, other = [], None, None
    for value in x:
        if other is not None:
            found.append(last)
        if value > 1:
            last = value
        if value > 2:
            other = value
    return found


def after_the_branch(x):
    found, last = [], None
    for value in x:
        if last is not None:
            last = last + 1
        found.append(last)
        if value > 1:
            last = value
    return found


def of_either_test(x):
    found, last = [], None
    for value in x:
        if last is not None or value > 2:
            found.append(last)
        last = value
    return found


def assigned_in_the_branch(x):
    found, last = [], None
    for value in x:
        if last is not None:
            if value > 2:
                last = None
            found.append(last)
        last = value
    return found


@pytest.mark.parametrize(
    "program", [under_another_test, after_the_branch, of_either_test, assigned_in_the_branch]
)
def test_tests_that_do_not_tell_it_leave_none_in_the_list(program):
    for given in INPUTS:
        assert rt.function(program)(given) == program(given)


def test_no_check_is_recorded_where_it_is_known():
    def f(x):
        last = None
        if x > 1:
            last = x
        if last is not None:
            return last + 1
        return x

    assert "assert_" not in str(rt.function(f).get_concrete_function(np.float64(1)).graph)


def never(x, names):
    y = x
    if x > 1 and names:
        y = x + len(names[0])
    return y


def always(x, names):
    if x > 2 or not names:
        x = x + 1
    else:
        x = names[0]
    return x


def neither(x, names):
    best = None
    while x < 5 and not (x > 1 and best is not None):
        x = x + 1
    return x


def chained(x, names):
    if not (x > 1 and names and x < 9):
        return x * 2
    return names[0].upper()


@pytest.mark.parametrize("function", [never, always, neither, chained])
def test_a_branch_that_a_known_operand_excludes_is_not_recorded(function):
    staged = rt.function(function)
    for x in (0.5, 1.5, 2.5, 9.5):
        assert staged(np.float64(x), []) == function(np.float64(x), [])


def test_an_operand_that_is_not_known_excludes_nothing():
    def f(x, y):
        if x > 1 and y > 1:
            return x
        if x > 1 or y > 1:
            return y
        return x + y

    staged = rt.function(f)
    for x in (0.5, 1.5):
        for y in (0.5, 1.5):
            assert staged(np.float64(x), np.float64(y)) == f(x, y)
