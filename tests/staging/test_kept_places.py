"""A place that some path leaves as it was has its value of the call, whatever wrote it before."""

import types

import numpy as np
import pytest

import runtime as rt


class Counter:
    pass


def in_helper(x, s):
    def write():
        s.level = 1

    if x > 0:
        write()
    return x


def set_level(s, value):
    s.level = value


def in_function(x, s):
    if x > 0:
        set_level(s, 1)
    return x


def through_loop(x, s):
    while x > 2:
        set_level(s, x * 2)
        x = x - 1
    return x


def nested(x, s):
    if x > 0:
        if x > 1:
            set_level(s, 2)
    return x


def in_both(x, s):
    if x > 0:
        set_level(s, 1)
    else:
        set_level(s, 2)
    return x


def through_setattr(x, s):
    if x > 0:
        setattr(s, "level", 1)
    return x


def sink(s, x):
    if x > 0:
        set_level(s, 3)
        sink(s, x - 1)


def recursive(x, s):
    sink(s, x)
    return x


def deleted_elsewhere(x, s):
    if x > 0:
        set_level(s, 1)
        set_level(s, 4)
    return x


FUNCTIONS = [
    in_helper, in_function, through_loop, nested, in_both, through_setattr, recursive,
    deleted_elsewhere,
]  # fmt: skip
CALLS = [(-1.0, 0), (-1.0, 5), (3.0, 7), (-1.0, 8), (1.0, None), (-1.0, 2.5), (4.0, 1)]


@pytest.mark.filterwarnings("ignore::runtime.tracing.retracing.RetracingWarning")
@pytest.mark.parametrize("wrapped", [rt.function, lambda f: rt.function(lambda x, s: f(x, s))])
@pytest.mark.parametrize("make", [Counter, types.SimpleNamespace])
@pytest.mark.parametrize("fn", FUNCTIONS, ids=lambda fn: fn.__name__)
def test_the_value_from_before_a_call_stays(fn, make, wrapped):
    staged, expected, given = wrapped(fn), make(), make()
    for x, level in CALLS:
        expected.level = given.level = level
        fn(x, expected)
        try:
            staged(np.float64(x), given)
        except rt.StagingError:
            assert given.level == level  # a level that has two kinds is refused
            continue
        assert given.level == expected.level, (x, level)


WRAPPED = {
    "grad": lambda f: rt.function(lambda x, s: rt.grad(lambda y: f(y, s) * 1.0)(x)),
    "value_and_grad": lambda f: rt.value_and_grad(lambda x, s: f(x, s) * 1.0),
    "jvp": lambda f: lambda x, s: rt.jvp(lambda y: f(y, s), (x,), (1.0,)),
    "vmap": lambda f: lambda x, s: rt.vmap(lambda y: f(y, s))(np.stack([x, x])),
    "checkpoint": lambda f: rt.function(rt.checkpoint(f)),
    "eager": lambda f: rt.eager(rt.function(f)),
}


@pytest.mark.filterwarnings("ignore::runtime.tracing.retracing.RetracingWarning")
@pytest.mark.parametrize("name", WRAPPED)
def test_the_value_from_before_a_call_of_a_transformed_function_stays(name):
    accepted = 0
    for fn in FUNCTIONS:
        expected, given, staged = Counter(), Counter(), WRAPPED[name](fn)
        for x, level in CALLS:
            expected.level = given.level = level
            fn(x, expected)
            try:
                staged(np.float64(x), given)
            except rt.StagingError:
                assert given.level == level
                continue
            assert given.level == expected.level, (fn.__name__, x, level)
            accepted += 1
    assert accepted == len(FUNCTIONS) * len(CALLS) or name in ("jvp", "vmap")


def test_an_array_that_stays_is_the_one_of_the_call():
    s = Counter()

    @rt.function
    def f(x, s):
        if x > 0:
            set_level(s, np.ones(2))
        return x

    for array in (np.zeros(2), np.full(2, 3.0), np.full(2, 4.0)):
        s.level = array
        f(np.float64(-1), s)
        np.testing.assert_array_equal(s.level, array)


def test_a_place_that_every_path_writes_needs_no_new_graph():
    s = Counter()
    s.level = 0
    staged = rt.function(in_both)
    staged(np.float64(1), s)
    for level in (5, 6, 7):
        s.level = level
        staged(np.float64(-1), s)
        assert s.level == 2
    assert len(staged._concretes) == 1
