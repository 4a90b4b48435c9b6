"""`x is True`, `x is False`, `x is None` and their negations, with staged values."""

import numpy as np
import pytest

import autograph
import runtime as rt


def compared(x):
    flag = not x
    return (
        1 if flag is True else 2,
        1 if flag is False else 2,
        1 if flag is not True else 2,
        1 if flag is not False else 2,
        1 if True is flag else 2,
        1 if (flag is True) is True else 2,
    )


@pytest.mark.parametrize("x", [np.int64(0), np.int64(3)])
def test_a_staged_python_bool_is_true_or_false(x):
    expected = (1, 2, 2, 1, 1, 1) if x == 0 else (2, 1, 1, 2, 2, 2)
    assert compared(x) == expected
    assert tuple(map(int, rt.function(compared)(x))) == expected


def test_a_numpy_bool_is_neither():
    def identical(x):
        a = x > 0
        return (a is True, a is False, a is not True, x is True)

    assert identical(np.float64(1.0)) == (False, False, True, False)
    assert tuple(rt.function(identical)(np.float64(1.0))) == (False, False, True, False)


@pytest.mark.parametrize("x", [-1, 0, 1])
def test_a_value_that_may_be_none_is_not_a_bool_where_it_is_none(x):
    def optional(x):
        found = None
        if x >= 0:
            found = not x
        if found is True:
            return 1
        if found is None:
            return 2
        return 3

    expected = {-1: 2, 0: 1, 1: 3}[x]
    assert optional(x) == expected
    assert rt.function(optional, reduce_retracing=True)(np.int64(x)) == expected


def test_a_chain_compares_identity_too():
    def chained(x):
        flag = not x
        return 1 if flag is True is not None else 2

    assert chained(np.int64(0)) == rt.function(chained)(np.int64(0)) == 1
    assert chained(np.int64(1)) == rt.function(chained)(np.int64(1)) == 2


def test_the_constant_may_be_the_first_operand():
    def first(x):
        found = None
        if x > 0:
            found = x
        return 1 if None is found else 2

    assert [int(rt.function(first)(np.int64(x))) for x in (0, 1)] == [1, 2]


def test_identity_with_other_objects_is_that_of_python():
    def other(x, y):
        return x is y, x is not y

    converted, one, two = autograph.to_graph(other), [1], [1]
    assert "ag__.is_(x, y), ag__.is_not(x, y)" in autograph.to_code(other)
    for y in (one, two, None, True, 1):
        assert converted(one, y) == other(one, y)
