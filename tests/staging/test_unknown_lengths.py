"""Arrays of unknown length are unpacked and iterated over as in Python; so are staged ranges."""

import traceback

import numpy as np
import pytest
from support.every_mode import check_in_every_mode
from unknown_lengths import PROGRAMS, ROW

import runtime as rt

OPEN = rt.TensorSpec((None,), float)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_is_pythons_in_every_mode(name):
    check_in_every_mode(PROGRAMS[name])


@pytest.mark.parametrize("length", range(5))
def test_one_graph_serves_every_length(length):
    def unpacked(x):
        a, b = x
        return a - b

    staged = rt.function(unpacked, input_signature=(OPEN,))
    staged(ROW[:2])
    given = np.arange(float(length))
    if length == 2:
        assert staged(given) == unpacked(given)
        return
    with pytest.raises(ValueError) as expected:
        unpacked(given)
    with pytest.raises(ValueError) as error:
        staged(given)
    assert str(error.value).splitlines()[0] == str(expected.value)
    assert any(
        entry.line == "a, b = x" for entry in traceback.extract_tb(error.value.__traceback__)
    )


def test_the_gradient_of_unpacked_rows():
    def product(x):
        a, b, c = x
        return a * b + c

    slope = rt.function(rt.grad(product), input_signature=(OPEN,))
    assert slope(ROW).tolist() == [2.0, 1.0, 1.0]


def test_a_batch_of_rows_is_unpacked():
    def product(x):
        a, b, c = x
        return a * b + c

    batch = rt.function(rt.vmap(product), input_signature=(rt.TensorSpec((None, None), float),))
    assert batch(np.array([ROW, ROW + 1])).tolist() == [5.0, 10.0]


def test_effects_before_a_strict_zip_ends_are_pythons(capsys):
    def shown(x, y):
        for a, b in zip(x, y, strict=True):
            print(a, b)

    staged = rt.function(shown, input_signature=(OPEN, OPEN))
    for given in ((ROW, ROW[:2]), (ROW[:1], ROW), (ROW[:0], ROW)):
        with pytest.raises(ValueError) as expected:
            shown(*given)
        printed = capsys.readouterr().out
        with pytest.raises(ValueError) as error:
            staged(*given)
        assert str(error.value).splitlines()[0] == str(expected.value)
        assert capsys.readouterr().out == printed
