"""Elementwise ops that no ufunc implements are mapped over batches by their traits alone."""

import numpy as np
import pytest

import runtime as rt
from runtime.ir import op as ops
from runtime.ir.derivative import Partials
from runtime.ir.op import Op
from runtime.ir.traits import Traits

TABLE = np.arange(6, dtype=np.float32).reshape(3, 2)


@pytest.fixture
def middle():
    """An elementwise op of two operands, registered while a test runs."""
    record = Op(
        "middle",
        "The mean of two operands, element by element.",
        lambda x, y: ops.find("divide").infer(ops.find("add").infer(x, y), x),
        "(x + y) / 2",
        arity=2,
        traits=Traits(elementwise=True, commutative=True),
        derivative=Partials("1 / 2", "1 / 2"),
    )
    yield record
    del ops._registry["middle"]


def test_arrays_of_several_ranks_are_aligned(middle):
    def f(x, y):
        return middle(x, y)

    wanted = [(x + y) / 2 for x, y in zip(TABLE, TABLE[:, 0], strict=True)]
    np.testing.assert_array_equal(rt.vmap(f)(TABLE, TABLE[:, 0]), wanted)


def test_python_scalars_that_differ_between_elements_stay_weak(middle):
    def f(x, flag):
        return middle(x, 3.5 if flag else 1.5)

    flags = np.array([True, False, True])
    got = rt.vmap(f)(TABLE, flags)
    wanted = [(x + (3.5 if flag else 1.5)) / 2 for x, flag in zip(TABLE, flags, strict=True)]
    np.testing.assert_array_equal(got, wanted)
    assert got.dtype == np.float32


def test_gradients_of_elements_are_those_of_a_loop(middle):
    def loss(x):
        return np.sum(middle(x, x) * x)

    np.testing.assert_allclose(rt.vmap(rt.grad(loss))(TABLE), 2 * TABLE)
