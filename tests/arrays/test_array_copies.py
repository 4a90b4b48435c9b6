"""`copy=`, `order=` and requirements of conversions: NumPy's meaning, for arrays in each order."""

import numpy as np
import pytest
from loading import load

import runtime as rt

X = np.arange(6.0).reshape(2, 3)
CONVERSIONS = """
np.asarray(x, order="C")
np.asarray(x, order="c")
np.asarray(x, order="F")
np.asanyarray(x, order="f")
np.asarray(x, order="A")
np.ascontiguousarray(x)
np.asfortranarray(x)
np.asfortranarray(x.T)
np.array(x, copy=None)
np.array(x, copy=None, order="C")
np.array(x.T, copy=None, order="C")
np.array(x[:, :2], copy=None, order="C")
np.array(x, copy=None, order="F")
np.array(x, order="F")
np.array(x, copy=False)
np.array(x, copy=False, dtype=int)
np.asarray(x, copy=False, dtype=int)
np.asarray(x, copy=True)
np.array(x, copy=np._CopyMode.IF_NEEDED)
np.array(x, copy=np._CopyMode.IF_NEEDED, order="F")
np.array(x, copy=np._CopyMode.ALWAYS)
np.array(x, copy=np._CopyMode.NEVER, dtype=int)
np.array(x, copy="always")
np.asarray(x, order="q")
np.require(x, requirements=["C", "A"])
np.require(x, requirements="F")
np.asarray_chkfinite(x)
np.asarray_chkfinite(x, order="C")
x.astype(float, order="C", copy=False)
x.astype(float, order="F", copy=False)
x.astype(int, order="F", copy=False)
"""
LINES = [line for line in CONVERSIONS.splitlines() if line]


def outcome(function, x):
    """What a call returns, or the exception that it raises; and the argument after it."""
    try:
        return repr(function(x)), repr(x), None
    except Exception as error:
        return type(error), None, error


@pytest.mark.parametrize("order", "CF")
@pytest.mark.parametrize("line", LINES)
def test_a_conversion_is_numpys_or_a_write_into_a_possible_copy_is_refused(line, order):
    source = f"def f(x):\n    y = {line}\n    y[0, 0] = 9\n    return y\n"
    reading = load(source.replace("    y[0, 0] = 9\n", ""), f"<read {line}>", np=np).f
    writing = load(source, f"<write {line}>", np=np).f
    expected = outcome(reading, X.copy(order))
    assert outcome(rt.function(reading), X.copy(order))[:2] == expected[:2]
    found = outcome(rt.function(writing), X.copy(order))
    if "returns a copy of this array, not a view" in str(found[2]):
        plain = X.copy(order)
        written = writing(plain)
        assert not np.may_share_memory(plain, written)
    else:
        assert found[:2] == outcome(writing, X.copy(order))[:2]


def test_each_run_checks_that_elements_are_finite():
    f = rt.function(lambda x: np.asarray_chkfinite(x) * 2)
    assert np.array_equal(f(X), X * 2)
    for bad in (np.inf, -np.inf, np.nan):
        with pytest.raises(ValueError, match="array must not contain infs or NaNs"):
            f(X + bad)
    assert rt.function(np.asarray_chkfinite)(np.arange(3)).dtype == int
