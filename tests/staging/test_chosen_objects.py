"""Variables that branches bind to different functions, classes, enumerations, or objects."""

import enum

import chosen_functions
import chosen_members
import chosen_objects
import numpy as np
import pytest
from support.every_mode import check_in_every_mode

import runtime as rt

PROGRAMS = {
    **chosen_functions.PROGRAMS,
    **chosen_members.PROGRAMS,
    **chosen_objects.PROGRAMS,
}


class Mode(enum.Enum):
    SLOW = 1
    FAST = 2


def chosen(x):
    f = np.sin if x > 0 else np.cos
    mode = Mode.FAST if x > 1 else Mode.SLOW
    scale = {Mode.SLOW: 2.0, Mode.FAST: 3.0}[mode]
    return f(x) * scale


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_pythons_in_every_mode(name):
    check_in_every_mode(PROGRAMS[name])


@pytest.mark.parametrize("x", [2.0, 0.5, -1.0])
def test_the_gradient_is_that_of_the_function_that_is_chosen(x):
    slope = np.cos(x) if x > 0 else -np.sin(x)
    assert rt.function(rt.grad(chosen))(np.float64(x)) == slope * (3.0 if x > 1 else 2.0)


def test_each_element_of_a_batch_has_its_own_function():
    x = np.array([2.0, 0.5, -1.0])
    assert rt.function(rt.vmap(chosen))(x).tolist() == [chosen(v) for v in x]


def test_one_graph_serves_all_choices():
    staged = rt.function(chosen)
    for x in (2.0, 0.5, -1.0):
        assert staged(np.float64(x)) == chosen(np.float64(x))
    assert repr(staged) == "<rt.function chosen: 1 graph>"


def test_a_function_that_holds_values_of_its_branch_is_refused():
    def scaled(factor):
        return lambda x: x * factor

    def f(x):
        g = scaled(x * 2) if x > 0 else np.sin
        return g(x)

    with pytest.raises(rt.StagingError, match="the function"):
        rt.function(f)(np.float64(2.0))
