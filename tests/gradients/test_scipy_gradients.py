"""Derivatives of SciPy's functions against central differences; registered gradients."""

import warnings

import numpy as np
import pytest
from central_differences import difference_quotients
from installed import installed_module

import runtime as rt

pytest.importorskip("scipy", reason="SciPy is not installed: pip install autograph-numpy[scipy]")
from scipy_gradients import GRADIENTS  # noqa: E402

NAMES = list(GRADIENTS)
EACH = 8  # of these, one is tried by default
# Functions with first and second derivatives and tangents that differ in how they are computed.
FAST = ("solve", "eigh", "lu_factor", "norm_frozen", "cdist.euclidean", "lfilter2", "spline_y")


def summed(function):
    return lambda *arguments: np.sum(function(*arguments) * 1.0)


def check(name):
    function, arguments = GRADIENTS[name]
    total = summed(function)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        places = tuple(range(len(arguments)))
        found = rt.grad(total, argnums=places)(*arguments)
        for place in places:
            expected = difference_quotients(total, arguments, place)
            np.testing.assert_allclose(found[place], expected, rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize("name", NAMES[::EACH])
def test_gradients_agree_with_central_differences(name):
    check(name)


@pytest.mark.thorough
@pytest.mark.parametrize("name", NAMES)
def test_all_gradients_agree_with_central_differences(name):
    check(name)


def of_gradient(total, places):
    """A number that depends on all partial derivatives, also on mixed ones."""
    slope = rt.grad(total, argnums=places)
    return lambda *arguments: sum(np.sum(np.sin(one + 0.3)) for one in slope(*arguments))


def along(gradients, directions):
    return sum(np.sum(one * d) for one, d in zip(gradients, directions, strict=True))


def check_tangents(name):
    """Tangents, second derivatives, and tangents of gradients, in a direction of all arguments."""
    function, arguments = GRADIENTS[name]
    total, places = summed(function), tuple(range(len(arguments)))
    stream = np.random.default_rng(0)
    directions = tuple(np.asarray(stream.normal(size=np.shape(one)))[()] for one in arguments)
    tangent = rt.jvp(total, arguments, directions)[1]
    first = rt.grad(total, argnums=places)(*arguments)
    np.testing.assert_allclose(tangent, along(first, directions), rtol=1e-6, atol=1e-9)

    sloped = of_gradient(total, places)
    second = rt.grad(sloped, argnums=places)(*arguments)
    for place in places:
        expected = difference_quotients(sloped, arguments, place)
        scale = max(1.0, np.max(np.abs(expected)))
        np.testing.assert_allclose(second[place], expected, rtol=2e-3, atol=2e-4 * scale)
    tangent = rt.jvp(sloped, arguments, directions)[1]
    np.testing.assert_allclose(tangent, along(second, directions), rtol=1e-5, atol=1e-7)


@pytest.mark.filterwarnings("ignore:.* was created, transformed and traced")  # once for each test
@pytest.mark.parametrize("name", FAST)
def test_second_derivatives_and_tangents_agree(name):
    check_tangents(name)


@pytest.mark.thorough
@pytest.mark.filterwarnings("ignore")  # SciPy's, of minima that are found already
@pytest.mark.parametrize("name", NAMES)
def test_all_second_derivatives_and_tangents_agree(name):
    check_tangents(name)


def test_mixed_derivatives_of_a_spline_by_values_and_places():
    from scipy.interpolate import CubicSpline

    knots, q = np.arange(8.0), np.array([0.3, 4.7])
    values = np.cos(knots)

    def total(y, q):
        return np.sum(CubicSpline(knots, y)(q) ** 2)

    found = rt.grad(lambda q: np.sum(rt.grad(total)(values, q) * values))(q)
    spline = CubicSpline(knots, values)
    np.testing.assert_allclose(found, 4 * spline(q) * spline(q, 1))
    with pytest.raises(rt.errors.NoDerivativeError):
        rt.grad(lambda x: np.sum(CubicSpline(x, values)(q)))(knots)


def test_a_gradient_is_registered_for_a_function_of_a_package():
    cubes = installed_module("cubes", "def cube(x, scale=1.0):\n    return scale * x**3\n")
    x = np.array([1.0, 2.0])

    def f(x):
        return np.sum(rt.library_call(cubes.cube, x, scale=2.0, result=rt.TensorSpec((None,))))

    with pytest.raises(rt.errors.NoDerivativeError, match=r"custom_gradient\(of=cubes.cube\)"):
        rt.grad(f)(x)

    @rt.custom_gradient(of=cubes.cube)
    def cube(x, scale=1.0):
        return scale * x**3, lambda d: (3 * scale * x**2 * d, None)

    np.testing.assert_allclose(rt.grad(f)(x), 6 * x**2)
    with pytest.raises(rt.errors.CustomGradientError, match="is given an int"):
        rt.custom_gradient(cube, of=3)


def test_a_function_of_scipy_without_a_rule_says_so():
    from scipy import linalg

    with pytest.raises(rt.errors.NoDerivativeError) as error:
        rt.grad(lambda x: np.sum(linalg.polar(x)[0]))(np.eye(2))
    assert "scipy.linalg.polar cannot be differentiated" in str(error.value)
