"""Questions about objects that only a run has: `is None`, types, attributes, truth, elements."""

import numpy as np
import pytest

import runtime as rt

VALUES = {"n": None, "t": True, "s": "ab", "l": [1, 2], "d": {"a": 1}, "i": 3, "f": 2.5, "e": ""}
PROGRAMS = {}


@rt.effect
def made(key):
    return VALUES[key]


def program(function):
    PROGRAMS[function.__name__] = function
    return function


@program
def is_none(x, k):
    r = 0
    if x > 0:
        v = made(k)
        r = 1 if v is None else 2
    return r


@program
def is_not_none(x, k):
    r = 0
    if x > 0:
        v = made(k)
        if v is not None:
            r = 5
    return r


@program
def is_true(x, k):
    r = 0
    if x > 0:
        v = made(k)
        r = 1 if v is True else 2
    return r


@program
def is_instance(x, k):
    r = 0
    if x > 0:
        v = made(k)
        r = 1 if isinstance(v, str) else 2
    return r


@program
def type_is(x, k):
    r = 0
    if x > 0:
        v = made(k)
        r = 1 if type(v) is str else 2
    return r


@program
def type_equals(x, k):
    r = 0
    if x > 0:
        v = made(k)
        r = 1 if type(v) == list else 2  # noqa: E721
    return r


@program
def has_attribute(x, k):
    r = 0
    if x > 0:
        v = made(k)
        r = 1 if hasattr(v, "append") else 2
    return r


@program
def is_callable(x, k):
    r = 0
    if x > 0:
        v = made(k)
        r = 1 if callable(v) else 2
    return r


@program
def truth(x, k):
    r = 0
    if x > 0:
        v = made(k)
        if v:
            r = 3
        r = r + (7 if not v else 9)
    return r


@program
def equals(x, k):
    r = 0
    if x > 0:
        v = made(k)
        r = 1 if v == "ab" else 2
    return r


@program
def is_in(x, k):
    r = 0
    if x > 0:
        v = made(k)
        r = 1 if v in ("ab", 3) else 2
    return r


@program
def contains(x, k):
    r = 0
    if x > 0:
        v = made(k)
        r = 1 if "a" in v else 2
    return r


@program
def is_same(x, k):
    r = 0
    if x > 0:
        v = made(k)
        w = made(k)
        r = 1 if v is w else 2
    return r


@program
def or_(x, k):
    r = 0
    if x > 0:
        v = made(k) or 5
        r = 1 if v == 5 else 2
    return r


@program
def length(x, k):
    r = 0
    if x > 0:
        v = made(k)
        r = len(v)
    return r


@program
def default(x, k):
    r = 0
    if x > 0:
        v = made(k)
        r = 1 if getattr(v, "zz", None) is None else 2
    return r


@program
def formatted(x, k):
    r = ""
    if x > 0:
        v = made(k)
        r = f"{v!r:>5}"
    return r


@program
def summed(x, k):
    r = 0
    if x > 0:
        v = made(k)
        r = sum(v)
    return r


@program
def ternary(x, k):
    v = made(k) if x > 0 else None
    return 1 if v is None else 2


def outcome(function, *args):
    try:
        return function(*args)
    except rt.StagingError:
        raise
    except Exception as error:
        return type(error)


REFUSED = {"length", "summed"}


@pytest.mark.parametrize("x", [1.0, -1.0])
@pytest.mark.parametrize("key", VALUES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_answer_is_that_of_the_object_in_the_run(name, key, x):
    function = PROGRAMS[name]
    expected = outcome(function, x, key)
    try:
        found = outcome(rt.function(function), np.float64(x), key)
    except rt.StagingError:
        assert name in REFUSED
        return
    assert found == expected


@rt.effect
def numbers(kind):
    return np.zeros(3) if kind == "array" else [0, 0, 0]


@rt.effect
def put(container, value):
    container[0] = value


@pytest.mark.parametrize("kind", ["array", "list"])
def test_functions_of_the_run_get_the_object_and_not_a_copy(kind):
    @rt.function
    def f(x):
        first = 0.0
        if x > 0:
            made_here = numbers(kind)
            put(made_here, 3)
            first = float(made_here[0])
        return first

    assert f(np.float64(1)) == 3.0
    graph = f.get_concrete_function(np.float64(1)).graph
    assert "kept(_0)" in str(graph)
