"""Dicts with constant keys are read at staged keys, and C functions run as their Python twins."""

import bisect

import numpy as np
import pytest

import runtime as rt


def item(x, n):
    d = {0: 1.5, 1: 2.5, 2: 3.0}
    return d[int(n)]


def asked(x, n):
    d = {0: 1.5, 1: 2.5, "a": 3.0}
    return d.get(int(n), 0.0), d.get(int(n)), int(n) in d, n not in d, d.get("a")


def array_is_written(x, n):
    d = {0: x * 2, 1: x * 3}
    d[int(n) % 2][0] = 7.0
    return d


def text_key(x, n):
    d = {"low": 1.0, "high": 2.0}
    return d["low" if n > 1 else "high"]


def bisected(x, n):
    z = sorted([x[0], x[1], x[2]])
    return bisect.bisect_left(z, x[2]), bisect.bisect(z, 2.5), bisect.bisect_left([1, 2, 3], x[0])


def truth_of_a_list(x, n):
    z = []
    for i in range(n):
        z.append(x[0] + i)
    return 1 if z and z[0] > 2 else 0


PROGRAMS = [item, asked, array_is_written, text_key, bisected, truth_of_a_list]


def outcome(function, n):
    try:
        return repr(function(np.array([3.0, 1.0, 2.0]), np.int64(n)))
    except KeyError as error:
        return f"KeyError({error})"


@pytest.mark.parametrize("function", PROGRAMS, ids=lambda f: f.__name__)
def test_a_program_has_the_results_of_python(function):
    staged = rt.function(function)
    for n in (0, 2, 5):
        assert outcome(staged, n) == outcome(function, n)
