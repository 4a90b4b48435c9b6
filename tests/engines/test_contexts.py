"""A run has the context of its caller: what it sets in context variables stays set."""

import contextvars

import numpy as np
import pytest

import runtime as rt

level = contextvars.ContextVar("level", default=0)


def set_level(value):
    level.set(int(value))


def in_a_branch(x):
    if x > 0:
        level.set(5)
    return x


def by_host_call(x):
    rt.host_call(set_level, x)
    return x


def with_error_settings(x):
    with np.errstate(all="ignore"):
        y = np.log(x - x)
        if x > 0:
            rt.host_call(set_level, x + 4)
    return y


@pytest.mark.parametrize("engine", ["numpy", "eager"])
@pytest.mark.parametrize("function", [in_a_branch, by_host_call, with_error_settings])
def test_context_variables_that_a_run_sets_stay_set(function, engine):
    staged, before = rt.function(function, engine=engine), np.geterr()

    def outcome(f):
        level.set(0)
        f(np.float64(1.0))
        return level.get()

    assert [outcome(staged), outcome(staged)] == [outcome(function)] * 2
    assert np.geterr() == before


@pytest.mark.parametrize("engine", ["numpy", "eager"])
def test_error_settings_end_with_a_run_that_raises(engine):
    def fails(x):
        with np.errstate(all="ignore"):
            y = np.log(x)
            assert y[0] > 0
        return y

    before = np.geterr()
    with pytest.raises(AssertionError):
        rt.function(fails, engine=engine)(np.zeros(2))
    assert np.geterr() == before
