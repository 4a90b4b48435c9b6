"""The rules of `scipy.special` functions, if SciPy is installed, against central differences."""

import numpy as np
import pytest
from derivative_rules import Sample, check

import runtime as rt
from runtime.ir import op as ops
from runtime.ir.derivative import NoDerivative
from runtime.ir.slot import Slot
from runtime.ops.adjoints.mathematics import SPECIAL
from runtime.ops.special import special_function

special = pytest.importorskip("scipy.special")

INSIDE = np.array([0.15, 0.4, 0.85])  # in the domain of all functions
OTHER = np.array([0.35, 1.2, 2.4])
RNG = np.random.default_rng(2)


@pytest.mark.parametrize("name", SPECIAL)
def test_the_derivative_of_a_special_function_agrees_with_central_differences(name):
    ufunc = getattr(special, name)
    op = special_function(ufunc)
    operands = (INSIDE, OTHER)[: ufunc.nin]
    if name == "round":
        operands = (INSIDE + 3,)
    given = tuple(map(Slot, range(ufunc.nin)))
    assert check(Sample(op, operands, {"given": given, "named": ()}), RNG)


def test_the_error_about_a_special_function_without_a_rule_says_so():
    assert isinstance(special_function(special.zetac).derivative, NoDerivative)
    with pytest.raises(rt.StagingError, match="zetac"):
        rt.grad(lambda x: special.zetac(x))(2.5)
    assert ops.find("scipy_special_zetac").derivative.instead


def test_gradients_flow_through_special_functions():
    found = rt.grad(lambda x: np.sum(special.erf(x) * special.gammaln(x)))(INSIDE)
    expected = 2 / np.sqrt(np.pi) * np.exp(-(INSIDE**2)) * special.gammaln(INSIDE) + special.erf(
        INSIDE
    ) * special.digamma(INSIDE)
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("name", ["digamma", "gammaln", "gamma", "rgamma"])
def test_higher_derivatives_of_gamma_functions(name):
    function = getattr(special, name)
    derivatives = [function]
    for _ in range(3):
        derivatives.append(rt.grad(derivatives[-1]))
    for lower, higher in zip(derivatives, derivatives[1:], strict=False):
        expected = (lower(1.3 + 1e-5) - lower(1.3 - 1e-5)) / 2e-5
        np.testing.assert_allclose(higher(1.3), expected, rtol=1e-8)
    slope = rt.jvp(derivatives[1], (1.3,), (2.0,))[1]
    np.testing.assert_allclose(slope, 2 * derivatives[2](1.3), rtol=1e-12)


ROWS = np.array([[1.0, 2.0, 0.5], [-1.0, 0.3, 700.0]])
REDUCTIONS = {
    "logsumexp": lambda x: special.logsumexp(x),
    "logsumexp by rows": lambda x: special.logsumexp(x, axis=1),
    "logsumexp with weights": lambda x: special.logsumexp(x, axis=0, b=[[1.0], [2.5]]),
    "logsumexp keepdims": lambda x: special.logsumexp(x, axis=1, keepdims=True),
    "softmax": lambda x: special.softmax(x, axis=1),
    "log_softmax": lambda x: special.log_softmax(x, axis=-1),
}


@pytest.mark.filterwarnings("ignore::runtime.RetracingWarning")
@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions_of_exponentials(name):
    function = REDUCTIONS[name]
    np.testing.assert_array_equal(rt.function(function)(ROWS), function(ROWS))
    x, direction, h = np.minimum(ROWS, 3.0), np.cos(np.arange(6.0)).reshape(2, 3), 1e-6
    expected = (function(x + h * direction) - function(x - h * direction)) / (2 * h)
    _, tangent = rt.jvp(function, (x,), (direction,))
    np.testing.assert_allclose(tangent, expected, rtol=1e-6, atol=1e-9)
    d = np.sin(np.arange(np.size(expected)) + 1.0).reshape(np.shape(expected))
    (cotangent,) = rt.vjp(function, x)[1](d[()])
    assert np.isclose(np.sum(cotangent * direction), np.sum(d * expected), rtol=1e-6)
    gradient = rt.grad(lambda x: np.sum(np.sin(function(x))))
    second = (gradient(x + h * direction) - gradient(x - h * direction)) / (2 * h)
    found = rt.jvp(gradient, (x,), (direction,))[1]
    np.testing.assert_allclose(found, second, rtol=1e-5, atol=1e-8)
    batch = rt.vmap(gradient)(np.stack([x, x * 0.5]))
    np.testing.assert_allclose(batch, [gradient(x), gradient(x * 0.5)], rtol=1e-10)


def test_the_largest_element_may_be_infinite():
    x = np.array([-np.inf, 1.0, 2.0])
    gradient = rt.grad(lambda x: special.logsumexp(x))(x)
    np.testing.assert_allclose(gradient, special.softmax(x))


def test_functions_that_are_not_written_in_python_are_transformed_as_they_are():
    import math

    assert rt.grad(math.sin)(0.7) == math.cos(0.7)
    assert rt.jvp(rt.grad(math.exp), (0.5,), (1.0,))[1] == math.exp(0.5)
    x = np.array([0.1, 0.7])
    np.testing.assert_allclose(
        rt.vmap(rt.grad(special.erf))(x), 2 / np.sqrt(np.pi) * np.exp(-x * x)
    )
    np.testing.assert_allclose(rt.grad(special.logsumexp)(x), special.softmax(x))
    assert rt.grad(np.sum)(x).tolist() == [1.0, 1.0]
    np.testing.assert_allclose(rt.jacobian(np.cumsum)(x), np.tri(2))
    assert rt.function(math.sqrt)(np.float64(4.0)) == 2.0
