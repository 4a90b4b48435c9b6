"""A staged list of tuples of numbers is an array of rows for NumPy."""

import numpy as np
import pytest
from rows_of_tuples import PROGRAMS, ROW
from support.every_mode import check_in_every_mode

import runtime as rt


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_pythons_in_every_mode(name):
    check_in_every_mode(PROGRAMS[name])


def squares(x):
    found = []
    for v in x:
        if v > 0:
            found.append((v, v * v))
    return np.array(found)


def test_an_empty_list_is_an_array_of_one_axis_so_python_computes_it():
    function = rt.function(squares)
    assert function(ROW).shape == (3, 2)
    assert function(-np.abs(ROW)).shape == (0,)


def test_rows_have_derivatives_and_batches():
    gradient = rt.grad(lambda x: (squares(x) ** 2).sum())
    positive = np.where(ROW > 0, ROW, 0)
    np.testing.assert_allclose(gradient(ROW), 2 * positive + 4 * positive**3)
    batch = rt.vmap(lambda x: squares(x).sum())(np.array([ROW, ROW + 0.25]))
    np.testing.assert_allclose(batch, [squares(ROW).sum(), squares(ROW + 0.25).sum()])
    forward = rt.jvp(lambda x: squares(x).sum(), (ROW,), (np.ones(4),))[1]
    np.testing.assert_allclose(forward, (1 + 2 * positive)[positive > 0].sum())


class Pair:
    def __init__(self, x, y):
        self.x, self.y = x, y


@pytest.mark.parametrize("make", [Pair, lambda x, y: {"x": x, "y": y}, lambda x, y: (x, None)])
def test_lists_of_others_are_refused(make):
    def fn(x):
        found = []
        for v in x:
            if v > 0:
                found.append(make(v, v))
        return np.array(found)

    with pytest.raises(rt.StagingError):
        rt.function(fn)(ROW)


def test_tuples_with_texts_are_refused():
    def labelled(x):
        found = []
        for v in x:
            if v > 0:
                found.append(("positive", v))
        return np.array(found)

    with pytest.raises(rt.errors.ElementError, match="holds tuples"):
        rt.function(labelled)(ROW)
