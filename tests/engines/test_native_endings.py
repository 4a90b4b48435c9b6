"""Loops that print, log or call Python before they end early: machine code until then."""

import logging

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="the native engine needs the extra `native`")

from native_runs import compared  # noqa: E402

import runtime as rt  # noqa: E402
from runtime.engines import native  # noqa: E402

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)

NOTED = []


@rt.effect
def note(*values):
    NOTED.append(tuple(map(float, values)))


def breaks(x, most, n):
    for i in range(n):
        x = x * 1.5 + 1.0
        if x > most:
            print("too large", i, x)
            break
    return x


def returns(x, most, n):
    for i in range(n):
        x = x * 1.5 + 1.0
        if x > most:
            print(f"{x:.3f} in iteration {i}")
            return -1.0
    return x


def in_the_other_branch(x, most, n):
    i = 0
    while i < n:
        x = x * 1.5 + 1.0
        if x <= most:
            i += 1
        else:
            print("end", i)
            i = i + 100
            break
    return x, i


def notes(x, most, n):
    total = 0.0
    for i in range(n):
        x = x * 1.5 + 1.0
        if x > most:
            note(x, i)
            break
        total += x
    return total


def logs(x, most, n):
    for i in range(n):
        x = x * 1.5 + 1.0
        if x > most:
            logging.getLogger("endings").warning("left after %d", i)
            break
    return x


def collects(x, most, n):
    found = []
    for i in range(n):
        x = x * 1.5 + 1.0
        found.append(x)
        if x > most:
            print(len(found), found[-1], i)
            break
    return np.array(found)


def writes(x, most, n):
    y = np.zeros(n)
    for i in range(n):
        x = x * 1.5 + 1.0
        y[i] = x
        if x > most:
            print(y)
            break
    return y


def goes_on(x, most, n):
    for i in range(n):
        x = x * 1.5 + 1.0
        if x > most:
            print("again", i)
            x = x / 64.0
    return x


def of_an_inner_loop(x, most, n):
    for i in range(n):
        for _ in range(n):
            x = x * 1.5 + 1.0
            if x > most:
                print("inner", i)
                x = x / 1000.0
                break
    return x


ENDING = [breaks, returns, in_the_other_branch, notes, logs, collects, writes]
OTHERS = [goes_on, of_an_inner_loop]


@pytest.mark.parametrize("function", ENDING + OTHERS)
def test_effects_and_results_are_those_of_the_numpy_engine(function, capsys, caplog):
    seen = []
    for engine in ("numpy", "native"):
        NOTED.clear()
        caplog.clear()
        run = rt.function(function, engine=engine)
        results = []
        for most in (1e9, 20.0, 20.0, 1.0, 1e9):
            for n in (0, 3, 12):
                results.append(run(np.float64(0.5), np.float64(most), np.int64(n)))
        assert native.unusable() is None
        printed, messages = capsys.readouterr().out, [r.getMessage() for r in caplog.records]
        seen.append((results, printed, messages, list(NOTED)))
    for found, expected in zip(*(one[0] for one in seen), strict=True):
        np.testing.assert_array_equal(found, expected)
        assert type(found) is type(expected)
    assert seen[0][1:] == seen[1][1:]
    assert any(seen[0][1:])


@pytest.mark.parametrize("function", ENDING)
def test_loops_that_end_with_an_effect_are_machine_code(function):
    run = rt.function(function, engine="native")
    given = np.float64(0.5), np.float64(1e9), np.int64(5)
    run(*given)
    assert "loop" not in run.native(*given)


@pytest.mark.parametrize("function", OTHERS)
def test_loops_that_go_on_after_an_effect_stay_in_the_numpy_program(function):
    run = rt.function(function, engine="native")
    given = np.float64(0.5), np.float64(1e9), np.int64(5)
    run(*given)
    assert "loop" in run.native(*given)


def test_errors_before_the_end_are_those_of_the_numpy_engine():
    def divides(x, most, n):
        for i in range(n):
            x = 1.0 / (x - i)
            if x < most:
                print("below")
                break
        return x

    found, expected = (rt.function(divides, engine=name) for name in ("native", "numpy"))
    for x in (0.5, 0.0, 2.0, -3.0):
        compared(found, expected, (np.float64(x), np.float64(-1e3), np.int64(4)))
