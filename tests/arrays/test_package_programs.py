"""Objects and functions of packages beside staged arrays: the bits of plain Python."""

import importlib
import textwrap
import warnings

import numpy as np
import pytest
from library_programs import same_bits
from loading import load
from package_programs import PROGRAMS

import runtime as rt

COMMON = """
import numpy as np

import runtime as rt

rng = np.random.default_rng(0)
X0 = rng.normal(size=(12, 3))
y0, c0 = X0 @ [1.0, 2.0, 3.0], np.arange(12) % 3
"""
POINTS = np.random.default_rng(5).normal(size=(6, 3))
INPUTS = [POINTS, 0.2 - POINTS * 1.5, POINTS]
QUICK = ("sklearn", "networkx", "numexpr", "xarray")  # the others take seconds to import
CASES = [
    pytest.param(
        package,
        head,
        body,
        id=f"{package}-{body.strip()[:60]}",
        marks=() if package in QUICK else pytest.mark.thorough,
    )
    for package, (head, bodies) in PROGRAMS.items()
    for body in bodies.split("---\n")
]


def outcome(function, x):
    try:
        return function(x)
    except Exception as error:
        return type(error)


def same(one, other):
    if type(one) is type(other) and hasattr(one, "identical"):  # of xarray
        return one.identical(other)
    if type(one) is type(other) and hasattr(one, "coef_"):
        return same_bits(one.coef_, other.coef_)
    return same_bits(one, other)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("package, head, body", CASES)
def test_programs_have_the_bits_of_python(package, head, body):
    pytest.importorskip(package, reason="not installed: pip install autograph-numpy[packages]")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        source = "def f(x):\n" + textwrap.indent(body.strip(), "    ") + "\n"
        module = load(f"{COMMON}{head}\n\n{source}", "<programs with packages>")
        staged = rt.function(module.f)
        for x in INPUTS:
            expected, found = outcome(module.f, x.copy()), outcome(staged, x.copy())
            assert same(found, expected), (found, expected)


def test_a_model_that_is_fitted_with_other_classes_is_recorded_again():
    linear = pytest.importorskip("sklearn.linear_model", reason="pip install scikit-learn")
    model = linear.LogisticRegression()
    staged = rt.function(lambda x: model.predict_proba(x) * 2)
    for count in (2, 3, 2):
        model.fit(POINTS, np.arange(6) % count)
        assert np.array_equal(staged(POINTS), model.predict_proba(POINTS) * 2)
        assert np.array_equal(staged(POINTS), model.predict_proba(POINTS) * 2)


def test_a_gradient_through_a_model_says_how_to_register_one():
    linear = pytest.importorskip("sklearn.linear_model", reason="pip install scikit-learn")
    model = linear.LinearRegression().fit(POINTS, POINTS[:, 0])
    slope = rt.grad(lambda x: np.sum(model.predict(x)))
    with pytest.raises(rt.errors.NoDerivativeError, match="custom_gradient"):
        slope(POINTS)


def test_functions_get_arrays_with_the_strides_that_they_have_in_python():
    package = importlib.import_module("statistics")  # of the table: any that each run calls
    strides = []

    def note(column):
        strides.append(column.strides)
        return float(package.fmean(column))

    staged = rt.function(lambda x: rt.host_call(note, x[:, 1], like=0.0))
    for x in (POINTS, POINTS[::-1], POINTS.T):
        note(x[:, 1])
        staged(x)
    assert strides[::2] == strides[1::2]
