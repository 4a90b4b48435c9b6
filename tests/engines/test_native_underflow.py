"""Underflow leaves machine code only where NumPy does not ignore it."""

import sys

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="the native engine needs the extra `native`")

from warning_records import recorded_warnings  # noqa: E402

import runtime as rt  # noqa: E402
from runtime.engines import native  # noqa: E402
from runtime.engines.native import error_settings  # noqa: E402

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)

WAYS = ("ignore", "warn", "raise", "call", "print", "log")


def weights(x):
    e = np.exp(x - x.max())
    return e / e.sum()


def ratios(x, y):
    small = np.exp(x)
    return small / y, np.log(y)


def faded(x, n):
    total = np.float64(0.0)
    for i in range(n):
        total = total + np.exp(x[i]) * np.float64(1e-200)
    return total


def both(fn):
    return rt.function(fn, engine="native"), rt.function(fn, engine="numpy")


def seen(function, given, **settings):
    """The result or exception of a call, its warnings, and the errors that were reported."""
    reported = []
    with recorded_warnings() as found, np.errstate(**settings):
        np.seterrcall(lambda message, flags: reported.append(message))
        try:
            result = np.array(function(*given)).tobytes()
        except FloatingPointError as error:
            result = str(error)
    return result, [(str(w.message), w.lineno) for w in found], reported


def is_left(function, given):
    """Whether a piece of a function is left under the settings that hold."""
    (piece,) = function.get_concrete_function(*given).compiled._executable("native").pieces
    return piece.function(*given)[0] is not True


FAR = np.array([0.0, -3.0, -800.0, -709.5])


def test_ignored_underflow_leaves_no_piece():
    compiled, expected = both(weights)
    assert compiled(FAR).tobytes() == expected(FAR).tobytes()
    assert not is_left(compiled, [FAR])
    with np.errstate(over="raise", invalid="ignore"):
        assert not is_left(compiled, [FAR])
    for way in WAYS[1:]:
        with np.errstate(under=way):
            assert is_left(compiled, [FAR]), way
            assert not is_left(compiled, [FAR[:2]]), way


@pytest.mark.parametrize("under", WAYS[:4])
@pytest.mark.parametrize("others", WAYS[:4])
def test_errors_are_those_of_numpy(under, others):
    cases = [
        (weights, [FAR]),
        (weights, [np.array([1.0, 2.0])]),
        (ratios, [FAR, np.array([1.0, 2.0, 0.0, 4.0])]),
        (ratios, [FAR, np.array([1.0, -2.0, 1e-300, 4.0])]),
        (ratios, [np.zeros(4), np.array([1.0, 0.0, -1.0, 1e-310])]),
        (faded, [FAR, np.int64(4)]),
    ]
    for fn, given in cases:
        compiled, expected = both(fn)
        for _ in range(3):  # the third call is machine code as a whole
            one = seen(compiled, given, all=others, under=under)
            assert one == seen(expected, given, all=others, under=under), (fn, given)


def test_settings_that_change_between_calls_hold():
    compiled, expected = both(faded)
    given = FAR, np.int64(4)
    for way in (*WAYS[:4], "ignore", "warn", "ignore"):
        assert seen(compiled, given, under=way) == seen(expected, given, under=way), way
    before = np.seterr(under="warn")
    try:
        assert seen(compiled, given) == seen(expected, given)
    finally:
        np.seterr(**before)


def test_the_settings_are_not_kept_alive():
    compiled = rt.function(weights, engine="native")
    with np.errstate(divide="ignore"):
        settings = error_settings._variable().get()
        compiled(FAR)
        compiled(FAR)
        before = sys.getrefcount(settings)
        for _ in range(200):
            compiled(FAR)
        assert sys.getrefcount(settings) == before


def test_unknown_settings_leave_the_piece(monkeypatch):
    monkeypatch.setattr(error_settings, "_are_known", lambda: False)
    compiled, expected = both(weights)
    assert compiled(FAR).tobytes() == expected(FAR).tobytes()
    assert is_left(compiled, [FAR])
