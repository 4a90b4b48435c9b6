"""Gradients of SciPy's functions with options: those of differences, or a refusal; none is wrong."""

import warnings

import numpy as np
import pytest
from central_differences import difference_quotients

import runtime as rt

pytest.importorskip("scipy", reason="SciPy is not installed: pip install autograph-numpy[scipy]")
from scipy_options import scipy_options, scipy_without_derivative  # noqa: E402

CALLS, REFUSED = scipy_options(), scipy_without_derivative()
EACH = 16  # of these, one is tried by default


def check(number):
    _, function, arguments = CALLS[number]
    places = tuple(range(len(arguments)))

    def total(*given):
        return np.sum(function(*given) * 1.0)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        slopes = rt.grad(total, argnums=places)(*arguments)
        for place, slope in zip(places, slopes, strict=True):
            expected = difference_quotients(total, arguments, place)
            np.testing.assert_allclose(slope, expected, rtol=3e-4, atol=3e-5)


@pytest.mark.parametrize("number", range(0, len(CALLS), EACH), ids=lambda i: CALLS[i][0])
def test_gradients_of_calls_with_options_agree_with_differences(number):
    check(number)


@pytest.mark.thorough
@pytest.mark.parametrize("number", range(len(CALLS)), ids=lambda i: CALLS[i][0])
def test_all_gradients_of_calls_with_options_agree_with_differences(number):
    check(number)


@pytest.mark.parametrize("number", range(len(REFUSED)), ids=lambda i: REFUSED[i][0])
@pytest.mark.filterwarnings("ignore:.* was created, transformed and traced")  # once for each test
def test_a_call_without_a_known_derivative_is_refused(number):
    _, function, arguments = REFUSED[number]
    function(*arguments)
    with pytest.raises(rt.errors.NoDerivativeError, match="cannot be differentiated"):
        rt.grad(lambda *given: np.sum(function(*given)))(*arguments)
