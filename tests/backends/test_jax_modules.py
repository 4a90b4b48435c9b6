"""Converted modules of equinox and flax: Python control flow in their methods, under `jax.jit`."""

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="this backend needs the extra `jax`")
import jax.numpy as jnp  # noqa: E402

import autograph  # noqa: E402

X = jnp.asarray(np.linspace(-1, 1, 12).reshape(4, 3), jnp.float32)


def settled(layer, x):
    """A layer applied until its result is small, at most ten times; rows below zero are skipped."""
    total = jnp.zeros(())
    for row in x:
        if jnp.sum(row) < 0:
            continue
        y = row
        while jnp.max(jnp.abs(y)) > 0.1:
            autograph.set_loop_options(max_iterations=10)
            y = 0.5 * y * jnp.tanh(layer(y))
        total = total + jnp.sum(y)
    return total


def in_python(layer, x):
    total = 0.0
    for row in x:
        if float(jnp.sum(row)) < 0:
            continue
        y = row
        while float(jnp.max(jnp.abs(y))) > 0.1:
            y = 0.5 * y * jnp.tanh(layer(y))
        total = total + float(jnp.sum(y))
    return total


@pytest.mark.thorough
def test_equinox():
    equinox = pytest.importorskip("equinox", reason="equinox is not installed")

    class Net(equinox.Module):
        layer: equinox.nn.Linear

        def __call__(self, x):
            return settled(self.layer, x)

    net = Net(equinox.nn.Linear(3, 3, key=jax.random.key(0)))
    call = autograph.to_graph(lambda net, x: net(x))
    found = equinox.filter_jit(call)(net, X)
    np.testing.assert_allclose(found, in_python(net.layer, X), rtol=1e-5)
    slope = equinox.filter_jit(equinox.filter_grad(call))(net, X)
    assert np.all(np.isfinite(slope.layer.weight)) and np.any(slope.layer.weight != 0)


@pytest.mark.thorough
def test_flax():
    linen = pytest.importorskip("flax.linen", reason="flax is not installed")
    layer = linen.Dense(3)
    parameters = layer.init(jax.random.key(0), X[0])
    call = autograph.to_graph(lambda p, x: settled(lambda y: layer.apply(p, y), x))
    found = jax.jit(call)(parameters, X)
    np.testing.assert_allclose(found, in_python(lambda y: layer.apply(parameters, y), X), rtol=1e-5)
    slope = jax.jit(jax.grad(call))(parameters, X)
    assert np.any(slope["params"]["kernel"] != 0)


@pytest.mark.thorough
def test_flax_nnx():
    nnx = pytest.importorskip("flax.nnx", reason="flax is not installed")
    net = nnx.Linear(3, 3, rngs=nnx.Rngs(0))
    call = autograph.to_graph(settled)
    found = nnx.jit(call)(net, X)
    np.testing.assert_allclose(found, in_python(net, X), rtol=1e-5)
