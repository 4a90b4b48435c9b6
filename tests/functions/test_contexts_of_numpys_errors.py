"""Errors of NumPy have the contexts that NumPy's own handlers and the user's give them."""

import numpy as np
import pytest
from support.outcomes import chain

import runtime as rt


def clipped(x, out):
    return np.clip(x, 0, 1, out=out)


def clipped_by_method(x, out):
    return x.clip(0, 1, out=out)


def rounded(x, out):
    return np.round(x, 1, out=out)


def summed(x, out):
    return np.add(x, 1, out=out)


def inverted(x, out):
    return np.linalg.inv(x)


def in_a_handler(x, out):
    try:
        return {}[1]
    except KeyError:
        return np.clip(x, 0, 1, out=out)


PROGRAMS = [clipped, clipped_by_method, rounded, summed, inverted, in_a_handler]


def contexts(function):
    given = np.array([0.5, 2.0], np.float32), np.zeros(2, np.uint8)
    with pytest.raises(Exception) as caught:
        function(*given)
    return [(type(one), str(one)) for one in (caught.value, *chain(caught.value))]


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda function: function.__name__)
def test_the_contexts_are_those_of_numpy(function):
    traced = rt.function(function)
    for _ in range(2):
        assert contexts(traced) == contexts(function)


def an_index(x):
    try:
        raise ValueError(1)
    except ValueError:
        return x[7]


def a_staged_index(x):
    try:
        return [][1]
    except IndexError:
        return [1, 2][int(x[1])]


def an_unbound_variable(x):
    if x[0] > 1:
        y = 1
    try:
        return {}[2]
    except KeyError:
        return y


def a_quotient(x):
    try:
        return {}[2]
    except KeyError:
        return 1 // int(x[0])


@pytest.mark.parametrize("engine", ["numpy", "native"])
@pytest.mark.parametrize("function", [an_index, a_staged_index, an_unbound_variable, a_quotient])
def test_an_error_of_a_run_in_a_handler_has_its_context(function, engine):
    given = np.array([0.5, 2.0])

    def seen(called):
        with pytest.raises(Exception) as caught:
            called(given)
        return [(type(one), str(one)) for one in (caught.value, *chain(caught.value))]

    traced = rt.function(function, engine=engine)
    for _ in range(2):
        assert seen(traced) == seen(function)
        assert len(seen(traced)) == 2
