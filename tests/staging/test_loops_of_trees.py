"""Loops that bind a name to new containers or objects in each iteration are staged."""

import dataclasses

import numpy as np
import pytest
from loops_of_trees import PROGRAMS, ROW, State
from support.every_mode import check_in_every_mode

import runtime as rt

UNROLLED = {"lists_that_grow_by_one_only_at_first"}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_pythons_in_every_mode(name):
    check_in_every_mode(PROGRAMS[name])


@pytest.mark.parametrize("name", sorted(PROGRAMS.keys() - UNROLLED))
def test_the_loop_is_recorded_once(name):
    function = rt.function(PROGRAMS[name].function)
    function(ROW)
    outcomes = [one for one in function.graphs[0].loops if one.iterations and one.iterations > 2]
    assert [one.is_staged for one in outcomes] == [True]
    assert outcomes[0].unrolled <= 1


def settled(s, n):
    for _ in range(n):
        s = State(s.x + 0.1 * s.v, s.v, s.t + 0.1)
        if s.x[0] > 1:
            s = State(s.x - 1, s.v * 1, s.t)
    return s


@pytest.mark.parametrize("n", [0, 1, 2, 70])
@pytest.mark.parametrize("kind", [int, np.int64])
def test_an_object_that_is_given_is_returned_after_no_iteration_only(kind, n):
    function = rt.function(settled)
    function(State(ROW, ROW), kind(5))
    mine, other = State(ROW, ROW), State(ROW, ROW)
    found, expected = function(mine, kind(n)), settled(other, kind(n))
    assert (found is mine) == (expected is other)
    for field in dataclasses.fields(State):
        one, two = getattr(found, field.name), getattr(expected, field.name)
        assert type(one) is type(two)
        np.testing.assert_array_equal(one, two)


def test_two_names_of_what_an_iteration_makes_are_refused_after_the_loop():
    def kept(s, n):
        last = s
        for _ in range(n):
            s = State(s.x + s.v, s.v, s.t + 1)
            last = s
            if s.x[0] > 1:
                s = State(s.x - 1, s.v, s.t)
        last.t = 7.0
        return s, last

    with pytest.raises(rt.errors.SharedMemoryError):
        rt.function(kept)(State(ROW, ROW), np.int64(3))
