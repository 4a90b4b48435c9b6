"""Transformed functions are cached on the functions they derive from."""

import copy
import functools
import pickle
import warnings

import numpy as np
import pytest

import runtime as rt


def cube(x):
    return x * x * x


def test_the_gradient_of_a_function_is_cached():
    assert rt.grad(cube) is rt.grad(cube)
    assert rt.grad(rt.grad(cube)) is rt.grad(rt.grad(cube))
    assert rt.grad(cube) is not rt.value_and_grad(cube)
    assert rt.grad(cube, 0) is not rt.grad(cube, (0,))
    for x in (1.0, 2.0, 3.0):
        rt.grad(cube)(x)
    assert len(rt.grad(cube).graphs) == 1


def test_a_wrapper_that_copies_the_attributes_of_a_function_has_its_own_gradient():
    rt.grad(cube)

    @functools.wraps(cube)
    def twice(x):
        return 2 * cube(x)

    assert rt.grad(twice)(2.0) == 24.0
    assert rt.grad(copy.copy(cube))(2.0) == 12.0
    assert pickle.loads(pickle.dumps(vars(cube))) is not None


def test_a_warning_is_issued_when_each_call_transforms_a_new_function():
    with pytest.warns(
        rt.RetracingWarning, match="created, transformed and traced in each of the last 6"
    ):
        for factor in range(6):
            assert rt.grad(lambda x: x * factor)(1.0) == factor


def test_no_warning_is_issued_for_methods_of_several_objects():
    class Model:
        def __init__(self, w):
            self.w = w

        def loss(self, x):
            return self.w * x

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for w in np.arange(8.0):
            assert rt.grad(Model(w).loss)(2.0) == w
