"""`rt.to_jax`: graphs as functions of JAX, which compiles, differentiates, maps and exports them."""

import numpy as np
import pytest

import autograph

jax = pytest.importorskip("jax", reason="rt.to_jax needs the extra `jax`")
import jax.numpy as jnp  # noqa: E402

import runtime as rt  # noqa: E402

X = np.linspace(-1, 1, 6, dtype=np.float32)


def cell(x, w):
    states, state = [], np.zeros_like(x[0])
    for t in range(len(x)):
        state = np.tanh(x[t] @ w + state)
        if state[0] < 0:
            state = -state
        states.append(state)
    return np.stack(states)


def loss(x, w):
    return np.sum(cell(x, w) ** 2)


def root(x):
    y = x
    while abs(y * y - x) > 1e-5:
        autograph.set_loop_options(max_iterations=30)
        y = y - (y * y - x) / (2 * y)
    return y


def item(x, i):
    assert x[0] < 100, "too large"
    return 2 * x[i]


def sequences():
    rng = np.random.default_rng(0)
    return (rng.normal(size=(7, 3)) / 2).astype(np.float32), rng.normal(size=(3, 3)).astype("f4")


def message_of(call):
    """The text of the error that a run of JAX ends with."""
    with pytest.raises(jax.errors.JaxRuntimeError) as caught:
        jax.block_until_ready(call())
        jax.effects_barrier()
    return str(caught.value)


def test_the_value_is_that_of_numpy_under_jit_and_without():
    x, w = sequences()
    expected = cell(x, w)
    for fn in (rt.to_jax(cell), jax.jit(rt.to_jax(rt.function(cell)))):
        found = fn(jnp.asarray(x), jnp.asarray(w))
        assert isinstance(found, jax.Array) and found.dtype == np.float32
        np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_jax_differentiates_loops_of_known_length_and_lists():
    x, w = sequences()
    expected = rt.grad(loss, argnums=(0, 1))(x, w)
    found = jax.jit(jax.grad(rt.to_jax(loss), argnums=(0, 1)))(x, w)
    for one, other in zip(found, expected, strict=True):
        np.testing.assert_allclose(one, other, rtol=2e-4, atol=1e-5)


def test_reverse_mode_passes_a_loop_with_a_bound():
    slope = jax.grad(rt.to_jax(root))
    found = jax.vmap(slope)(jnp.asarray([16.0, 4.0, 9.0], np.float32))
    np.testing.assert_allclose(found, [1 / 8, 1 / 4, 1 / 6], rtol=1e-4)


@pytest.mark.thorough
def test_more_iterations_than_the_bound_are_an_error():
    def slow(x):
        while x < 100:
            autograph.set_loop_options(max_iterations=5)
            x = x + 1
        return x

    assert rt.to_jax(slow)(jnp.float32(96)) == 100
    assert "5" in message_of(lambda: jax.jit(rt.to_jax(slow))(jnp.float32(0)))


@pytest.mark.thorough
def test_a_loop_without_a_bound_has_no_reverse_mode_but_forward_mode():
    def settle(x):
        while np.sum(x) > 1:
            x = x / 2
        return np.sum(x)

    fn = rt.to_jax(settle)
    assert fn(jnp.asarray([2.0, 4.0])) == 0.75
    assert jax.jvp(fn, (jnp.asarray([2.0, 4.0]),), (jnp.ones(2),))[1] == 0.25
    with pytest.raises(ValueError, match="while_loop"):
        jax.grad(fn)(jnp.asarray([2.0, 4.0]))


@pytest.mark.thorough
def test_jax_maps_and_differentiates_twice():
    def energy(x):
        return np.sum(np.where(x > 0, x**3, x * x))

    hessian = jax.jit(jax.hessian(rt.to_jax(energy)))(X)
    np.testing.assert_allclose(hessian, np.diag(np.where(X > 0, 6 * X, 2)), rtol=1e-5)
    rows = jax.vmap(rt.to_jax(energy))(jnp.stack([X, -X]))
    np.testing.assert_allclose(rows, [energy(X), energy(-X)], rtol=1e-5)


@pytest.mark.thorough
def test_a_derivative_of_ours_is_a_function_of_jax_too():
    slope = rt.to_jax(rt.grad(lambda x: x**3))
    assert slope(jnp.float32(2)) == 12 and jax.grad(slope)(jnp.float32(2)) == 12


@pytest.mark.thorough
def test_markers_hold_for_the_gradients_of_jax():
    @rt.custom_gradient
    def doubled_slope(x):
        y = np.exp(x)
        return y, lambda d: 2 * d * y

    def marked(x):
        return np.sum(doubled_slope(x)) + np.sum(x * rt.stop_gradient(x * x))

    np.testing.assert_allclose(jax.grad(rt.to_jax(marked))(X), 2 * np.exp(X) + X * X, rtol=1e-5)
    again = rt.checkpoint(lambda x: np.sum(np.sin(x)))
    found = jax.grad(rt.to_jax(lambda x: again(x) * 2))(X)
    np.testing.assert_allclose(found, 2 * np.cos(X), rtol=1e-5)


def test_dtypes_are_those_of_numpy_whatever_jax_is_set_to():
    def mixed(x, n):
        return x * n, np.sum(x > 0), x.astype(np.float64) / 3

    for wide in (False, True):
        with jax.enable_x64(wide):
            found = jax.jit(rt.to_jax(mixed))(jnp.asarray(X), 2)
            assert [one.dtype.name for one in found] == ["float32", "int64", "float64"]
    np.testing.assert_allclose(found[2], mixed(X, 2)[2], rtol=1e-15)


def test_what_numpy_raises_a_run_raises_with_its_line():
    fn = rt.to_jax(item)
    assert fn(X, np.int64(2)) == 2 * X[2]
    text = message_of(lambda: jax.jit(fn)(X, jnp.int32(9)))
    assert "IndexError: index 9 is out of bounds for axis 0 with size 6" in text
    assert "test_to_jax.py" in text and "in item" in text
    assert "AssertionError: too large" in message_of(lambda: jax.jit(fn)(X + 200, jnp.int32(0)))
    rows = jnp.stack([X, X + 200])
    assert "too large" in message_of(lambda: jax.vmap(fn, (0, None))(rows, jnp.int32(0)))


@pytest.mark.thorough
def test_an_int_beyond_64_bits_fails_and_does_not_wrap():
    def power(n):
        k = 1
        for _ in range(70):
            k = k * n
        return k

    text = message_of(lambda: jax.jit(rt.to_jax(rt.function(power, input_signature=[int])))(3))
    assert "OverflowError" in text


def test_exported_functions_run_on_other_platforms_and_come_back():
    export = pytest.importorskip("jax.export")
    fn = jax.jit(rt.to_jax(item, checks=False))
    shapes = jax.ShapeDtypeStruct((6,), np.float32), jax.ShapeDtypeStruct((), np.int32)
    written = export.export(fn, platforms=["cpu", "cuda", "tpu"])(*shapes)
    assert written.platforms == ("cpu", "cuda", "tpu") and "stablehlo" in written.mlir_module()
    back = rt.from_jax(export.deserialize(written.serialize()).call)
    graph = rt.function(lambda x: back(x, np.int32(3)) + 1)
    assert graph(X) == np.float32(2) * X[3] + 1
    with pytest.raises(NotImplementedError, match="callback"):
        export.export(jax.jit(rt.to_jax(item)))(*shapes).serialize()


def test_counters_of_loops_need_no_checks():
    x, w = sequences()
    assert "callback" not in str(jax.make_jaxpr(rt.to_jax(cell))(x, w))
    assert "callback" in str(jax.make_jaxpr(rt.to_jax(item))(X, np.int32(2)))


def test_functions_of_numpy_that_jax_has():
    def limited(x, n):
        y = np.clip(x, -0.5, n) + np.clip(x, a_min=None, a_max=0.2)
        return y + np.tril(x, k=1) - np.triu(x), np.full_like(x, 3), np.zeros_like(x, np.int8)

    x = np.linspace(-1, 1, 6, dtype=np.float32).reshape(2, 3)
    for one, other in zip(rt.to_jax(limited)(x, 0.75), limited(x, 0.75), strict=True):
        assert one.dtype == other.dtype
        np.testing.assert_array_equal(one, other)


def test_captured_arrays_are_read_at_each_call():
    held = {"w": np.float32([1, 2])}
    fn = rt.to_jax(lambda x: x * held["w"])
    assert fn(jnp.float32(2)).tolist() == [2, 4]
    held["w"] = np.float32([3, 4])
    assert fn(jnp.float32(2)).tolist() == [6, 8]


def writes(x):
    x[0] = 1
    return x


@pytest.mark.parametrize(
    "fn, text",
    [
        (writes, "writes into an array of the caller"),
        (lambda x: np.linalg.svd(x)[0], "no equivalent of linalg.svd"),
        (lambda x: [y for y in x[0] if y > 0], "the length of a list depends on the run"),
    ],
)
def test_what_has_no_form_is_refused(fn, text):
    with pytest.raises(rt.errors.ExportError, match=text):
        rt.to_jax(fn)(jnp.ones((3, 3)))


def test_only_functions_are_taken():
    with pytest.raises(TypeError, match="rt.to_jax"):
        rt.to_jax(3)
