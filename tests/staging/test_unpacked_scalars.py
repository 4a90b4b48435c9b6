"""Scalars that are unpacked, iterated over or spread raise the error that Python raises."""

import math

import numpy as np
import pytest

import runtime as rt


def pair(n):
    a, b = n
    return a + b


def rest(n):
    a, *b = n
    return a, b


def inner(n):
    (a, b), c = n, 2
    return a + b + c


def target(n):
    for a, b in [n]:
        n = a + b
    return n


def spread_in_a_list(n):
    return [1, *n]


def spread_in_a_tuple(n):
    return (1, *n)


def looped(n):
    for i in n:
        n = i
    return n


def listed(n):
    return list(n)


def spread_in_a_call(n):
    return max(*n)


ALL = (pair, rest, inner, target, spread_in_a_list, spread_in_a_tuple, looped, listed)


def error_of(fn, *args):
    with pytest.raises(TypeError) as caught:
        fn(*args)
    return str(caught.value).splitlines()[0]


@pytest.mark.parametrize("fn", ALL)
@pytest.mark.parametrize("n", [np.int64(3), np.float64(2.0), np.bool_(True), np.array(3.0), 5])
def test_the_error_is_pythons(fn, n):
    assert error_of(rt.function(fn), n) == error_of(fn, n)


def spread_in_a_function_of_a_module(n):
    return math.gcd(*n)


def spread_in_a_method(n):
    return "a".join(*n)


def spread_in_a_class(n):
    return int(**n)


SPREADS = (
    spread_in_a_call,
    spread_in_a_function_of_a_module,
    spread_in_a_method,
    spread_in_a_class,
)


@pytest.mark.parametrize("fn", SPREADS)
def test_the_function_is_named_where_a_number_is_spread(fn):
    assert error_of(rt.function(fn), 5) == error_of(fn, 5)
