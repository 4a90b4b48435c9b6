"""The `repr` of each object is one short line in the words of the user."""

import numpy as np
import pytest

import runtime as rt


@rt.function
def scaled(x, n=2):
    return x * n


class Model:
    def loss(self, x):
        return x * x


with rt.profile() as profile:
    scaled(np.ones(3))
concrete = scaled.get_concrete_function(np.ones(3))
graph = rt.Graph("model")

SHOWN = [
    (rt.function(scaled.python_function), "<rt.function scaled: 0 graphs>"),
    (scaled, "<rt.function scaled: 1 graph>"),
    (concrete, "<graph of scaled(x: f64[3], n: 2) -> f64[3]>"),
    (concrete.signature, "<signature f64[3], 2>"),
    (concrete.signature.keys[0], "<type f64[3]>"),
    (rt.TensorSpec((None, 3), np.float32), "rt.TensorSpec((None, 3), np.float32)"),
    (rt.TensorSpec((), "f8", name="x"), "rt.TensorSpec((), np.float64, name='x')"),
    (rt.grad(Model().loss), "<rt.grad(Model.loss): 0 graphs>"),
    (rt.value_and_grad(Model().loss), "<rt.value_and_grad(Model.loss): 0 graphs>"),
    (rt.vmap(rt.grad(Model().loss)), "<rt.vmap(rt.grad(Model.loss)): 0 graphs>"),
    (rt.hessian(Model().loss), "<rt.jacobian(rt.grad(Model.loss)): 0 graphs>"),
    (rt.Variable([1.0, 2.0], name="w"), "<rt.Variable w: array([1., 2.])>"),
    (profile, "<rt.Profile of 1 run>"),
    (graph, "<rt.Graph model: 0 operations>"),
    (rt.Session(), "<rt.Session>"),
    (rt.Session(graph), "<rt.Session of model>"),
    (rt.GradientTape(persistent=True), "<rt.GradientTape, persistent>"),
]


@pytest.mark.parametrize("value, text", SHOWN, ids=[text for _, text in SHOWN])
def test_a_repr_is_short(value, text):
    assert repr(value) == text


def test_the_repr_of_a_spec_is_its_constructor():
    spec = rt.TensorSpec(("n", None, 3), np.int32, name="x")
    assert eval(repr(spec), {"rt": rt, "np": np}) == spec
