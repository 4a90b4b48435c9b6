"""Derivatives of any order where a part of a function has none, although the whole function has.

A side of a `where` that is not taken contributes nothing to derivatives of any order, even if it is
infinite or nan there.  The powers of a length or a root are differentiated as a whole.

Each row has a function, a point, and the first three derivatives there, None where there is none.
`r` is reverse mode, `f` forward mode: "rf" differentiates the gradient in forward mode.
"""

import numpy as np
import pytest

import runtime as rt

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")
ORDERS = ("r", "f", "rr", "rf", "fr", "ff", "rrr")
where, sqrt, log = np.where, np.sqrt, np.log


def taken(x, side, condition=None):
    """x ** 2 where a condition is false, which it is at the point."""
    return np.where(x > 0 if condition is None else condition, side, x * x)


MASKED = {
    "x * x * log(x)": (lambda x: where(x > 0, x * x * log(x), 0.0), 0.0, (0, 0, 0)),
    "log": (lambda x: taken(x, log(x)), 0.0, (0, 2, 0)),
    "sqrt": (lambda x: taken(x, sqrt(x)), 0.0, (0, 2, 0)),
    "a power": (lambda x: taken(x, x**0.5), 0.0, (0, 2, 0)),
    "a pole": (lambda x: taken(x, x**-2.0), 0.0, (0, 2, 0)),
    "x * sqrt(x)": (lambda x: taken(x, x * sqrt(x)), 0.0, (0, 2, 0)),
    "sin(x) / x": (lambda x: taken(x, np.sin(x) / x), 0.0, (0, 2, 0)),
    "exp(-1 / x)": (lambda x: taken(x, np.exp(-1 / x)), 0.0, (0, 2, 0)),
    "log(x) * exp(log(x))": (lambda x: taken(x, log(x) * np.exp(log(x))), 0.0, (0, 2, 0)),
    "x ** x": (lambda x: taken(x, x**x), 0.0, (0, 2, 0)),
    "tan": (lambda x: taken(x, 1 / np.tan(x)), 0.0, (0, 2, 0)),
    "arcsin": (lambda x: where(abs(x) < 1, np.arcsin(x), x**3), 1.0, (3, 6, 6)),
    "arccosh": (lambda x: taken(x, np.arccosh(x), x > 1), 1.0, (2, 2, 0)),
    "log1p": (lambda x: taken(x, np.log1p(x), x > -1), -1.0, (-2, 2, 0)),
    "hypot": (lambda x: taken(x, np.hypot(x, 0.0)), 0.0, (0, 2, 0)),
    "arctan2": (lambda x: taken(x, np.arctan2(x, x)), 0.0, (0, 2, 0)),
    "norm": (lambda x: taken(x, np.linalg.norm(np.stack([x, 0 * x]))), 0.0, (0, 2, 0)),
    "std": (lambda x: taken(x, np.std(np.stack([x, 0 * x]))), 0.0, (0, 2, 0)),
    "prod": (lambda x: taken(x, np.prod(log(np.stack([x, x])))), 0.0, (0, 2, None)),
    "var": (lambda x: taken(x, np.var(1 / np.stack([x, x]))), 0.0, (0, 2, None)),
    "sum": (lambda x: taken(x, np.sum(sqrt(np.stack([x, x])) ** 3)), 0.0, (0, 2, 0)),
    "nested": (
        lambda x: taken(x, where(x > 1, log(x - 1), sqrt(x) * x)),
        0.0,
        (0, 2, 0),
    ),
    "two": (lambda x: where(x > 0, log(x), where(x > -1, x * x, 0.0)), 0.0, (0, 2, 0)),
    "select": (lambda x: np.select([x > 0, x > -1], [log(x), x * x], 0.0), 0.0, (0, 2, 0)),
    "clip": (lambda x: np.clip(x, 1, 2) ** 3 + sqrt(np.clip(x, 0, 1)), -1.0, (0, 0, 0)),
    "minimum": (lambda x: np.minimum(sqrt(np.maximum(x, 0)), 5.0), -1.0, (0, 0, 0)),
    "maximum": (lambda x: np.maximum(x, 0.0) ** 2, 2.0, (4, 2, 0)),
    "index": (lambda x: sqrt(np.stack([x, x + 1]))[1] ** 2, 0.0, (1, 0, 0)),
}

SMOOTH = {
    "abs ** 2": (lambda x: np.abs(x) ** 2, 0.0, (0, 2, 0)),
    "abs ** 4": (lambda x: np.abs(x) ** 4.0, 0.0, (0, 0, 0)),
    "abs ** 3": (lambda x: np.abs(x) ** 3, 0.0, (0, 0, None)),
    "abs * abs": (lambda x: np.abs(x) * np.abs(x), 0.0, (0, 2, 0)),
    "square(fabs)": (lambda x: np.square(np.fabs(x)), 0.0, (0, 2, 0)),
    "abs(x) of Python": (lambda x: abs(x) ** 2, 0.0, (0, 2, 0)),
    "abs of complex": (lambda x: np.abs(x + 1j * x) ** 2, 0.0, (0, 4, 0)),
    "sqrt ** 2": (lambda x: sqrt(x) ** 2, 0.0, (1, 0, 0)),
    "sqrt ** 4": (lambda x: sqrt(x) ** 4, 0.0, (0, 2, 0)),
    "sqrt * sqrt": (lambda x: sqrt(x) * sqrt(x), 0.0, (1, 0, 0)),
    "sqrt(x * x) ** 2": (lambda x: sqrt(x * x) ** 2, 0.0, (0, 2, 0)),
    "hypot ** 2": (lambda x: np.hypot(x, 2 * x) ** 2, 0.0, (0, 10, 0)),
    "norm ** 2": (lambda x: np.linalg.norm(np.stack([x, 2 * x])) ** 2, 0.0, (0, 10, 0)),
    "square(norm)": (
        lambda x: np.square(np.linalg.norm(np.stack([x, 2 * x]))),
        0.0,
        (0, 10, 0),
    ),
    "norm of a matrix": (lambda x: np.linalg.norm(x * np.eye(2), "fro") ** 2, 0.0, (0, 4, 0)),
    "norms of rows": (
        lambda x: np.sum(np.linalg.norm(x * np.ones((2, 3)), axis=1) ** 2),
        0.0,
        (0, 12, 0),
    ),
    "vector_norm": (lambda x: np.linalg.vector_norm(x * np.ones(2)) ** 2, 0.0, (0, 4, 0)),
    "std ** 2": (lambda x: np.std(np.stack([x, 0 * x])) ** 2, 0.0, (0, 0.5, 0)),
    "x ** 2": (lambda x: x**2, 0.0, (0, 2, 0)),
    "x ** 3.0": (lambda x: x**3.0, 0.0, (0, 0, 6)),
    "x ** an array": (lambda x: np.sum(x ** np.array([2.0, 3.0])), 0.0, (0, 2, 6)),
    "prod": (lambda x: np.prod(np.stack([x, x, x])), 0.0, (0, 0, 6)),
    "cumprod": (lambda x: np.sum(np.cumprod(np.stack([x, x, x]))), 0.0, (1, 2, 6)),
    "sinc": (lambda x: np.sinc(x), 0.0, (0, -(np.pi**2) / 3, 0)),
    "logaddexp": (lambda x: np.logaddexp(x, 0.0), 0.0, (0.5, 0.25, 0)),
}


def differentiated(fn, modes):
    """The derivative of a function of one number, the first of the modes innermost."""
    for mode in modes:
        fn = rt.grad(fn) if mode == "r" else in_forward_mode(fn)
    return rt.function(fn)


def in_forward_mode(fn):
    return lambda x: rt.jvp(fn, (x,), (np.float64(1.0),))[1]


def compared(row):
    fn, point, expected = row
    for modes in ORDERS:
        wanted = expected[len(modes) - 1]
        if wanted is not None:
            found = differentiated(fn, modes)(np.float64(point))
            assert np.isclose(found, wanted, rtol=1e-9, atol=1e-12), (modes, found, wanted)


@pytest.mark.parametrize("name", MASKED)
def test_the_side_that_is_not_taken_contributes_nothing(name):
    compared(MASKED[name])


@pytest.mark.parametrize("name", SMOOTH)
def test_a_smooth_function_of_a_length_or_a_root(name):
    compared(SMOOTH[name])


def test_the_hessian_of_a_squared_norm_is_twice_the_identity():
    def energy(x):
        return np.linalg.norm(x) ** 2

    for point in (np.zeros(3), np.array([1.0, -2.0, 0.5])):
        np.testing.assert_allclose(rt.hessian(energy)(point), 2 * np.eye(3), atol=1e-12)
        np.testing.assert_allclose(
            rt.vmap(rt.hessian(energy))(np.stack([point, point])),
            np.stack([2 * np.eye(3)] * 2),
            atol=1e-12,
        )


def test_lengths_in_staged_loops_and_branches():
    def total(x, n):
        found = 0.0
        for i in range(n):
            r = np.abs(x - i)
            if i < 2:
                found = found + r**2
            else:
                found = found + r * r * r
        return found

    n, h = np.int64(4), 1e-5
    first = rt.grad(total)
    for x in (0.0, 1.0, 2.0, 2.5):
        difference = (first(np.float64(x + h), n) - first(np.float64(x - h), n)) / (2 * h)
        assert np.isclose(rt.grad(first)(np.float64(x), n), difference, rtol=1e-3)


def test_a_batch_of_masked_second_derivatives():
    def f(x):
        return np.where(x > 0, x * x * np.log(x), -x * x)

    x = np.array([0.0, 1.0, 2.0, -1.0])
    expected = [-2.0, 3.0, 2 * np.log(2.0) + 3, -2.0]
    np.testing.assert_allclose(rt.vmap(rt.grad(rt.grad(f)))(x), expected, rtol=1e-12)
    found = rt.hessian(lambda x: np.sum(f(x)))(x)
    np.testing.assert_allclose(found, np.diag(expected), rtol=1e-12)


@pytest.mark.parametrize("singular", [[[0.0]], [[1.0, 2.0], [2.0, 4.0]], [[0.0, 0.0], [0.0, 0.0]]])
def test_the_gradient_of_the_determinant_of_a_small_matrix_is_its_matrix_of_cofactors(singular):
    x = np.array(singular)
    wanted = {1: lambda x: [[1.0]], 2: lambda x: [[x[1, 1], -x[1, 0]], [-x[0, 1], x[0, 0]]]}
    for dtype in (np.float64, np.float32):
        found = rt.grad(np.linalg.det)(x.astype(dtype))
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, wanted[len(x)](x))
