"""Conversions of scalars of which only the run knows the type have NumPy's types."""

import numpy as np
import pytest

import runtime as rt


def converted(h, n):
    y = h
    for _ in range(n):
        y = np.float64(y)
    return y


def converted_and_changed(h, n):
    y = h
    for _ in range(n):
        y = np.float64(y) + 1
    return y


def converted_after(h, n):
    y = h
    if n > 1:
        y = np.float64(y)
    return y, np.float64(y), y.astype(np.float64), y.astype(np.float32)


def of_integers(h, n):
    y = int(h)
    if n > 1:
        y = np.int64(y)
    return y, np.int64(y), np.int32(y), float(y)


def over_known(h, n):
    y = h
    for _ in range(4):
        y = np.float64(y)
    return y, n


PROGRAMS = [converted, converted_and_changed, converted_after, of_integers, over_known]


@pytest.mark.parametrize("engine", ["numpy", "native"])
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.__name__)
def test_results_have_the_types_of_numpy(program, engine):
    staged = rt.function(program, engine=engine)
    for h in (np.float32(-2.25), np.float64(3.5), np.int64(4)):
        for n in (0, 1, 3):
            assert repr(staged(h, np.int64(n))) == repr(program(h, np.int64(n)))


def remainders(n):
    total, limit = 1, float("inf")
    for i in range(n):
        total = total - i % limit + 0.5 * i
    return total


@pytest.mark.parametrize("engine", ["numpy", "native"])
def test_operands_that_are_no_integers_have_no_interval(engine):
    staged = rt.function(remainders, engine=engine)
    for n in (0, 1, 4):
        assert repr(staged(np.int64(n))) == repr(remainders(np.int64(n)))


@pytest.mark.parametrize("engine", ["numpy", "native"])
@pytest.mark.parametrize("dtype", [np.uint8, np.int8, np.int64, np.float32, bool])
def test_integers_that_do_not_fit_wrap_around_in_arrays(engine, dtype):
    def f(i, n, a):
        y = i
        for _ in range(n):
            for y in -a:
                a -= a * 0.5
        for _ in range(3):
            a[::2] = y
        return a, y

    def seen(function, i):
        try:
            return repr(function(i, np.int64(0), np.array([1, 0, 5]).astype(dtype)))
        except OverflowError as error:
            return str(error).splitlines()[0]

    staged = rt.function(f, engine=engine)
    for i in (np.int8(-7), np.int8(5), np.int64(-300), np.int64(3), np.int16(-300)):
        assert seen(staged, i) == seen(f, i)
