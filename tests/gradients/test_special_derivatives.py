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
