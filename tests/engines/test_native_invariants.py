"""Scalars that a loop computes in each iteration alike: once, before the first, with all errors."""

import math

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="the native engine needs the extra `native`")

from native_runs import compared  # noqa: E402

import runtime as rt  # noqa: E402
from runtime.engines import native  # noqa: E402

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)


def quotients(x, a, b, n):
    for _ in range(n):
        x = x * 0.5 + 3.0 * a / b
    return x


def integer_quotients(x, a, b, n):
    for i in range(n):
        x = x + int(a) // int(b) + i
    return x


def nested(x, a, b, n):
    for i in range(n):
        k = 0
        while k < 3 and x < 100.0:
            x = x + 3.0 * i / b + a
            k += 1
    return x


def after_a_break(x, a, b, n):
    for i in range(n):
        if i == 1:
            break
        x = x + a / b
    return x


def behind_an_assertion(x, a, b, n):
    for _ in range(n):
        assert a > 0
        x = x + 1.0 / b
    return x


def of_several(x, a, b, n):
    for _ in range(n):
        ratio = a / b
        root = np.sqrt(ratio)
        x = x * root - ratio
    return x


def calls_of_math(x, a, b, n):
    for _ in range(n):
        x = x * 0.5 + math.gamma(a) + math.atan2(a, b)
    return x


PROGRAMS = [
    calls_of_math,
    quotients,
    integer_quotients,
    nested,
    after_a_break,
    behind_an_assertion,
    of_several,
]


@pytest.mark.parametrize("function", PROGRAMS)
def test_results_warnings_and_errors_are_those_of_the_numpy_engine(function):
    found, expected = (rt.function(function, engine=name) for name in ("native", "numpy"))
    for a, b in ((1.5, 2.0), (0.0, 0.0), (1.0, 0.0), (-1.0, 3.0), (1e308, 1e-9), (np.nan, 1.0)):
        if function is integer_quotients:
            a, b = (int(min(abs(each), 1e6)) if each == each else 7 for each in (a, b))
        for n in (0, 1, 3):
            kinds = (np.int64, np.int64) if function is integer_quotients else (np.float64,) * 2
            given = np.float64(0.5), kinds[0](a), kinds[1](b), np.int64(n)
            compared(found, expected, given)


def test_a_call_of_python_that_no_iteration_changes_keeps_no_loop_in_numpy():
    run = rt.function(calls_of_math, engine="native")
    given = np.float64(0.5), np.float64(1.5), np.float64(2.0), np.int64(4)
    run(*given)
    assert "loop" not in run.native(*given)
