"""`zip` of an array of unknown length with `repeat`, `cycle` and `count`."""

import itertools

import numpy as np
import pytest

import runtime as rt


def alternating(x):
    total = 0.0
    for value, sign in zip(x, itertools.cycle([1.0, -1.0]), strict=False):
        total = total + value * sign
    return total


def of_three(x):
    total, seen = 0.0, []
    parts = zip(x, itertools.cycle((1, -1, 3)), itertools.count(5, 2), strict=False)
    for value, factor, number in parts:
        total = total + value * factor + number
        seen.append((factor, number))
    return total, seen


def repeated(x):
    return [(value, two) for value, two in zip(x, itertools.repeat(2), strict=False)]


def left(x):
    total = 0.0
    for value, number in zip(x, itertools.count(), strict=False):
        if value > 2.5 and number > 1:
            break
        total = total + value * number
    return total


def staged_cycle(x, y):
    return [a * b for a, b in zip(x, itertools.cycle([1.0, y]), strict=False)]


def used_again(x):
    signs = itertools.cycle([1.0, -1.0])
    total = sum(value * sign for value, sign in zip(x, signs, strict=False))
    return total + next(signs)


ARRAYS = (np.array([3.0, 1.0, 2.0, 3.0, 1.0]), np.array([4.0]), np.zeros(0))
UNKNOWN = rt.TensorSpec((None,))


@pytest.mark.parametrize("function", [alternating, of_three, repeated, left])
def test_results_are_those_of_python(function):
    staged = rt.function(function, input_signature=[UNKNOWN])
    for x in ARRAYS:
        assert repr(staged(x)) == repr(function(x))


def test_a_cycle_may_hold_staged_values():
    staged = rt.function(staged_cycle, input_signature=[UNKNOWN, float])
    for x in ARRAYS:
        assert repr(staged(x, 0.5)) == repr(staged_cycle(x, 0.5))


def test_elements_after_the_loop_are_refused():
    with pytest.raises(rt.errors.StagingError):
        rt.function(used_again, input_signature=[UNKNOWN])(ARRAYS[0])
