"""Functions that are made of functions are kept with them."""

import copy
import functools
import pickle
import warnings

import numpy as np
import pytest

import runtime as rt


def cube(x):
    return x * x * x


def test_a_gradient_is_made_once_for_a_function():
    assert rt.grad(cube) is rt.grad(cube)
    assert rt.grad(rt.grad(cube)) is rt.grad(rt.grad(cube))
    assert rt.grad(cube) is not rt.value_and_grad(cube)
    assert rt.grad(cube, 0) is not rt.grad(cube, (0,))
    for x in (1.0, 2.0, 3.0):
        rt.grad(cube)(x)
    assert len(rt.grad(cube).graphs) == 1


def test_a_wrapper_that_takes_over_the_attributes_of_a_function_has_a_gradient_of_its_own():
    rt.grad(cube)

    @functools.wraps(cube)
    def twice(x):
        return 2 * cube(x)

    assert rt.grad(twice)(2.0) == 24.0
    assert rt.grad(copy.copy(cube))(2.0) == 12.0
    assert pickle.loads(pickle.dumps(vars(cube))) is not None


def test_a_function_that_is_made_anew_at_each_call_is_told():
    with pytest.warns(rt.RetracingWarning, match="made and transformed anew at each of the last 6"):
        for factor in range(6):
            assert rt.grad(lambda x: x * factor)(1.0) == factor


def test_methods_of_several_objects_are_no_reason_to_warn():
    class Model:
        def __init__(self, w):
            self.w = w

        def loss(self, x):
            return self.w * x

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for w in np.arange(8.0):
            assert rt.grad(Model(w).loss)(2.0) == w
