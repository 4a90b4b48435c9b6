"""Linear algebra in `rt.to_jax` and in functions on a device."""

import numpy as np
import pytest

jax = pytest.importorskip("jax", reason="devices need the extra `jax`")

import runtime as rt  # noqa: E402

GENERATOR = np.random.default_rng(5)
M = GENERATOR.normal(size=(3, 3)) + 2 * np.eye(3)
B = GENERATOR.normal(size=3)


def inverses(m, b):
    return np.linalg.inv(m), np.linalg.inv(np.stack([m, m.T]))


def solutions(m, b):
    return np.linalg.solve(m, b), np.linalg.solve(m, m.T)


def determinants(m, b):
    return np.linalg.det(m), np.linalg.det(np.stack([m, m @ m]))


def factors(m, b):
    lower = np.tril(m) + 4 * np.eye(3)  # NumPy reads the lower half
    return np.linalg.cholesky(m @ m.T + np.eye(3)), np.linalg.cholesky(lower)


def norms(m, b):
    found = [np.linalg.norm(b), np.linalg.norm(b, 1), np.linalg.norm(b, ord=np.inf)]
    found += [np.linalg.norm(m), np.linalg.norm(m, 2), np.linalg.norm(m, "nuc")]
    return np.stack(found), np.linalg.norm(m, axis=1), np.linalg.norm(m, None, 0, keepdims=True)


def differences(m, b):
    return np.diff(b), np.diff(m, axis=0), np.diff(m, 2), np.diff(b > 0), np.diff(b.astype(np.int8))


PROGRAMS = [inverses, solutions, determinants, factors, norms, differences]


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda one: one.__name__)
def test_results_are_those_of_numpy(program):
    wanted = program(M, B)
    placed = rt.function(program, engine="xla", device=rt.devices()[0])
    with jax.enable_x64(True):
        as_function_of_jax = jax.jit(rt.to_jax(program))(M, B)
    for found in (as_function_of_jax, placed(M, B)):
        for one, other in zip(found, wanted, strict=True):
            assert one.dtype == other.dtype and one.shape == other.shape
            np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("program", [inverses, solutions])
def test_a_singular_matrix_raises_as_numpy_does(program):
    placed = rt.function(program, engine="xla", device=rt.devices()[0])
    with pytest.raises(np.linalg.LinAlgError, match="Singular matrix"):
        placed(np.ones((3, 3)), B)


def test_a_matrix_without_a_factor_raises_as_numpy_does():
    placed = rt.function(lambda m: np.linalg.cholesky(m), engine="xla", device=rt.devices()[0])
    with pytest.raises(np.linalg.LinAlgError, match="not positive definite"):
        placed(-np.eye(3))


def test_nans_pass_as_in_numpy():
    def inverse(m):
        return np.linalg.inv(m)

    given = np.array([[np.nan, 1.0], [2.0, 3.0]])
    placed = rt.function(inverse, engine="xla", device=rt.devices()[0])
    np.testing.assert_array_equal(placed(given), inverse(given))


def test_gradients_through_a_solution():
    def loss(m, b):
        return np.sum(np.linalg.solve(m, b) ** 2) + np.linalg.norm(m @ b)

    wanted = rt.grad(loss, argnums=(0, 1))(M, B)
    with jax.enable_x64(True):
        found = jax.jit(jax.grad(rt.to_jax(loss), argnums=(0, 1)))(M, B)
    for one, other in zip(found, wanted, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9)
