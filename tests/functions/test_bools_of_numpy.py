"""np.True_ and np.False_ are one object each, whether they are arguments, results or both."""

import numpy as np
import pytest

import runtime as rt

KNOWN = np.True_


def a_constant(x, c):
    return np.True_


def a_global(x, c):
    return [KNOWN, c]


def a_comparison_with_a_text(x, c):
    return np.float64(x[0]) != "a", c


def an_identity(x, c):
    return c is np.True_, c is KNOWN, (x[0] > 1) is np.False_, c is True


@pytest.mark.parametrize("engine", ["numpy", "native"])
@pytest.mark.parametrize("function", [a_constant, a_global, a_comparison_with_a_text, an_identity])
def test_a_bool_is_that_of_python_in_each_call(function, engine):
    traced, x = rt.function(function, engine=engine), np.array([1.0, 2.0])
    for c in (np.True_, np.False_, np.True_):
        assert repr(traced(x, c)) == repr(function(x, c))
