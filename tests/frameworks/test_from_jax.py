"""`rt.from_jax`: functions of JAX as operations of graphs, with the gradients of JAX."""

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="rt.from_jax needs the extra `jax`")
import jax.numpy as jnp  # noqa: E402

import runtime as rt  # noqa: E402

X = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)
W = np.float32([0.5, -1.0, 2.0])


def layer(x, w):
    return jnp.tanh(x @ w), {"positive": jnp.sum(x > 0), "total": x.sum()}


def used(op, x, w):
    y, found = op(x, w)
    total = 0.0 * found["total"]
    for _ in range(3):
        if np.sum(y) > 0:
            total = total + np.sum(op(x * w, w)[0]) * found["total"]
        y = -y + 1
    return total + found["positive"]


def test_outside_of_graphs_it_takes_and_returns_arrays_of_numpy():
    with jax.enable_x64(False):
        y, found = rt.from_jax(layer)(X, W)
    assert type(y) is np.ndarray and y.dtype == np.float32 and y.flags.writeable
    assert type(found["positive"]) is np.int32 and found["positive"] == 3
    np.testing.assert_allclose(y, np.tanh(X @ W), rtol=1e-6)


def test_in_a_graph_it_runs_in_branches_and_loops():
    op = rt.from_jax(layer)
    staged = rt.function(lambda x, w: used(op, x, w))
    for x in (X, X + 1):
        np.testing.assert_allclose(staged(x, W), used(op, x, W), rtol=1e-6)
    assert len(staged._concretes) == 1


def test_its_gradient_is_that_of_jax():
    op = rt.from_jax(layer)
    found = rt.grad(lambda w, x: np.sum(op(x * w, w)[0]) * op(x, w)[1]["total"], argnums=(0, 1))
    expected = jax.grad(
        lambda w, x: jnp.sum(layer(x * w, w)[0]) * layer(x, w)[1]["total"], argnums=(0, 1)
    )
    for one, other in zip(found(W, X + 1), expected(W, X + 1), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5)


def test_arguments_in_containers_and_integers_have_their_places():
    op = rt.from_jax(lambda parts, i: parts["a"][i] * parts["b"])
    slope = rt.grad(lambda a, b, i: op({"a": a, "b": b}, i), argnums=(0, 1))
    a, b = slope(W, np.float32(3), np.int32(2))
    assert a.tolist() == [0, 0, 3] and b == 2


def test_an_array_of_unknown_shape_is_refused():
    op = rt.from_jax(lambda x: x * 2)
    staged = rt.function(lambda x: op(x), input_signature=[rt.TensorSpec((None,))])
    with pytest.raises(rt.StagingError, match="unknown shape"):
        staged(np.ones(3))


def test_an_exception_of_jax_is_raised_while_the_graph_is_recorded():
    op = rt.from_jax(lambda x, y: x @ y)
    with pytest.raises(TypeError, match="dot_general|matmul|contract"):
        rt.function(lambda x: op(x, W))(np.ones((2, 2), np.float32))
