"""Long loops over ranges that Python knows are scans where nothing differs from unrolling them."""

import itertools

import numpy as np
import pytest

import autograph

jax = pytest.importorskip("jax", reason="the backend needs the extra `jax`")
import jax.numpy as jnp  # noqa: E402

X = np.linspace(0.1, 1, 3, dtype=np.float32)
SCANNED = 12  # a program of at most so many equations has a scan in it
LAYERS = [np.full(3, k, np.float32) for k in range(100)]


def descent(w):
    for _ in range(1000):
        w = w - 0.01 * jnp.tanh(w)
    return w


def positions(w):
    for i in range(99, -1, -1):
        if i % 10 == 0:
            w = w + i
        else:
            w = w.at[i % 3].add(w[(i + 1) % 3] * 0.5 / (i + 1))
    return w


def halved(w, k):
    return w / 2 + k


def calls(w):
    for i in range(64):
        w = halved(w, LAYERS[i])
    return w


def left(w):
    for i in range(200):
        if jnp.sum(w) > 10:
            break
        w = w * 1.01 + i / 100
    return w


def total(w):
    s = 0
    for i in range(100):
        s += i
    return w * s


def collected(w):
    z = []
    for i in range(70):
        z.append(w * i)
    return z[3] + z[-1]


def table(w):
    t = {}
    for i in range(70):
        t[i] = i * i
    return w[: t[1]]


def power(w):
    for i in range(100):
        w = w + float(i**6) * 1e-9
    return w


def narrow(w):
    n = w.astype(jnp.int8)
    for i in range(64):
        n = n + (i * 2 - 50)
    return n


def wrapped(w):
    n = w.astype(jnp.int8)
    for i in range(200):
        n = n + i
    return n


def widened(w):
    n = jnp.arange(3)
    for _ in range(64):
        n = n // 2 + 0.5
    return n + w


def inner(w):
    for i in range(64):
        for j in range(i % 3):
            w = w + j
    return w


def shapes(w):
    for i in range(64):
        w = w + jnp.ones(1 + i % 2).shape[0]
    return w


@pytest.mark.parametrize("fn", [descent, positions, calls, left, narrow])
def test_it_is_a_scan(fn):
    program = jax.make_jaxpr(autograph.to_graph(fn))(X)
    assert len(program.jaxpr.eqns) <= SCANNED and "scan[" in str(program)
    found, expected = jax.jit(autograph.to_graph(fn))(X), fn(jnp.asarray(X))
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=2e-5)


@pytest.mark.parametrize("fn", [total, collected, table, power, wrapped, widened, inner, shapes])
def test_it_is_unrolled(fn):
    program = jax.make_jaxpr(autograph.to_graph(fn))(X)
    assert "scan[" not in str(program)
    found, expected = jax.jit(autograph.to_graph(fn))(X), fn(jnp.asarray(X))
    assert found.dtype == expected.dtype
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_calls_that_answer_in_another_way_each_time_are_made_as_often_as_in_python():
    batches = itertools.count()
    generator = np.random.default_rng(0)

    class Model:
        calls = 0

        def step(self, w):
            self.calls += 1
            return w + 1

    model = Model()

    def reads(w):
        for _ in range(64):
            w = w + next(batches)
        return w

    def draws(w):
        for _ in range(64):
            w = w + generator.integers(0, 3)
        return w

    def steps(w):
        for _ in range(64):
            w = model.step(w)
        return w

    np.testing.assert_array_equal(jax.jit(autograph.to_graph(reads))(X), X + 2016)
    assert next(batches) == 64
    drawn = np.random.default_rng(0).integers(0, 3, 64).sum()
    np.testing.assert_allclose(jax.jit(autograph.to_graph(draws))(X), X + drawn, rtol=1e-5)
    np.testing.assert_allclose(jax.jit(autograph.to_graph(steps))(X), X + 64, rtol=1e-5)
    assert model.calls == 64


def test_the_gradient_passes_the_scan():
    slope = jax.grad(lambda w: jnp.sum(autograph.to_graph(descent)(w)))(X)
    expected = jax.grad(lambda w: jnp.sum(jax.lax.fori_loop(0, 1000, _step, w)))(X)
    np.testing.assert_allclose(slope, expected, rtol=1e-5)


def _step(_, w):
    return w - 0.01 * jnp.tanh(w)


def of_zip(xs):
    total = xs[0]
    for i, x in zip(range(4), xs, strict=True):
        total = total + x * i
    return total


def of_enumerate(xs):
    total = xs[0]
    for i, x in enumerate(xs, 3):
        total = total + x * i
    return total


def of_reversed(xs):
    total = xs[0]
    for i, x in zip(range(3, -1, -1), reversed(xs), strict=True):
        total = total + x * i
    return total


@pytest.mark.parametrize("dtype", ["int8", "uint16", "float16", "float32"])
@pytest.mark.parametrize("fn", [of_zip, of_enumerate, of_reversed], ids=lambda fn: fn.__name__)
def test_the_counter_of_a_loop_over_an_array_widens_no_array(fn, dtype):
    xs = jnp.arange(1, 5).astype(dtype)
    expected, found = fn(xs), jax.jit(autograph.to_graph(fn))(xs)
    assert (found.dtype, found) == (expected.dtype, expected)
