"""A matrix product is a NumPy ufunc with a core signature, so it is not an elementwise op."""

import numpy as np

import runtime as rt

X = np.arange(9.0).reshape(3, 3)


def test_the_gradient_of_a_product_of_square_matrices():
    found = rt.grad(lambda w: np.sum(X @ w) ** 2)(np.eye(3))
    np.testing.assert_allclose(found, 72.0 * X.sum(0)[:, None] * np.ones(3))


def test_a_product_with_a_broadcast_matrix_keeps_its_shape():
    row = np.array([1.0, -2.0, 0.5])
    found = rt.function(lambda a: np.matmul(a, np.broadcast_to(row, (3, 3))))(X)
    np.testing.assert_array_equal(found, np.outer(X.sum(1), row))
