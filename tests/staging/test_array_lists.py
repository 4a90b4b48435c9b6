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
