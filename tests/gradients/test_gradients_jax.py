"""Gradients of loops and branches equal those of JAX, if it is installed."""

import numpy as np
import pytest

import runtime as rt

jax = pytest.importorskip("jax")
jnp = jax.numpy


@pytest.fixture(autouse=True)
def double_precision():
    """JAX's arrays have the dtypes of NumPy in this file, and in no other."""
    before = jax.config.jax_enable_x64
    jax.config.update("jax_enable_x64", True)
    yield
    jax.config.update("jax_enable_x64", before)


X = np.array([0.5, -1.25, 2.0])
W = np.array([[0.5, -0.25, 0.1], [0.3, 0.9, -0.7], [0.2, 0.4, 0.8]])


def loop(w, x, n):
    for i in range(n):
        if i % 2 == 0:
            x = np.tanh(w @ x)
        else:
            x = np.sin(x) * x[0]
    return np.sum(x * x)


def loop_of_jaxs(w, x, n):
    def turn(i, x):
        return jax.lax.cond(i % 2 == 0, lambda x: jnp.tanh(w @ x), lambda x: jnp.sin(x) * x[0], x)

    return jnp.sum(jax.lax.fori_loop(0, n, turn, x) ** 2)


@pytest.mark.parametrize("n", [0, 1, 7])
def test_a_loop_with_branches(n):
    ours = rt.grad(loop, (0, 1))(W, X, np.int64(n))
    jaxs = jax.grad(loop_of_jaxs, (0, 1))(W, X, n)
    for one, other in zip(ours, jaxs, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-15)


def test_second_derivatives_of_a_loop():
    ours = rt.hessian(lambda x, n: loop(W, x, n))(X, np.int64(4))
    jaxs = jax.hessian(lambda x: loop_of_jaxs(W, x, 4))(X)
    np.testing.assert_allclose(ours, jaxs, rtol=1e-11, atol=1e-13)


def scanned(x, rows):
    total, kept = 0.0, []
    for row in rows:
        x = np.where(x > 0, np.exp(-x) * row, x * row)
        kept.append(x.sum())
        total = total + np.linalg.norm(x)
    return total * np.stack(kept).prod()


def scanned_by_jax(x, rows):
    def turn(x, row):
        x = jnp.where(x > 0, jnp.exp(-x) * row, x * row)
        return x, (x.sum(), jnp.linalg.norm(x))

    _, (kept, norms) = jax.lax.scan(turn, x, rows)
    return norms.sum() * kept.prod()


def test_a_scan_over_rows():
    spec = [rt.TensorSpec((3,)), rt.TensorSpec((None, 3))]

    def slopes(x, rows):
        return rt.grad(scanned, (0, 1))(x, rows)

    ours = rt.function(slopes, input_signature=spec)(X, W)
    for one, other in zip(ours, jax.grad(scanned_by_jax, (0, 1))(X, W), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)


def test_gradients_of_complex_arguments_are_conjugates_of_those_of_jax():
    z = np.array([1.0 + 2.0j, -0.5j])
    ours = rt.grad(lambda z: np.abs(np.sum(np.exp(z) * z)))(z)
    np.testing.assert_allclose(
        ours, np.conj(jax.grad(lambda z: jnp.abs(jnp.sum(jnp.exp(z) * z)))(z)), rtol=1e-12
    )
