"""`x.tolist()` is a list of Python numbers, also where a run decides its length."""

import numpy as np
import pytest
from array_lists import NARROW, PROGRAMS, ROW
from support.every_mode import check_in_every_mode

import runtime as rt


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_pythons_in_every_mode(name):
    check_in_every_mode(PROGRAMS[name])


def test_one_graph_serves_every_length():
    staged = rt.function(
        lambda x: x.tolist(), input_signature=(rt.TensorSpec((None,), np.float32),)
    )
    for length in range(4):
        found = staged(NARROW[:length])
        assert found == NARROW[:length].tolist()
        assert all(type(one) is float for one in found)


def test_gradients_go_through_the_list():
    def weighted(x):
        total = 0.0
        for place, one in enumerate(x.tolist()):
            total = total + place * one * one
        return total

    slope = rt.function(rt.grad(weighted), input_signature=(rt.TensorSpec((None,), float),))
    assert slope(ROW).tolist() == [0.0, 2.0, 8.0]


@pytest.mark.parametrize("convert", (np.array, np.asarray, np.sum, np.cumsum, np.sort))
def test_the_type_of_an_array_of_an_empty_list_is_listed(convert):
    def f(n):
        found = []
        for i in range(n):
            if i > 1:
                found.append(i)
        return convert(found)

    staged = rt.function(f)
    np.testing.assert_equal(staged(np.int64(5)), f(5))
    assert np.asarray(f(1)).dtype == np.float64
    assert np.asarray(staged(np.int64(1))).dtype == np.int64
    listed = staged.get_concrete_function(np.int64(1)).widenings
    assert [line for line in listed if "an array of an empty list is float64" in line]


def test_an_array_of_an_empty_list_of_floats_is_not_widened():
    @rt.function
    def f(n):
        found = []
        for i in range(n):
            found.append(i * 0.5)
        return np.array(found)

    assert not f.get_concrete_function(np.int64(1)).widenings
