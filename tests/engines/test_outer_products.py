"""Outer products that the gradient of a loop accumulates become one product after the loop."""

import numpy as np

import runtime as rt

TURNS = np.int64(6)


def recurrent(w, u, xs, n):
    h = np.zeros(40)
    for i in range(n):
        h = np.tanh(w @ h + u @ xs[i])
    return np.sum(h * np.arange(40))


def batches(w, xs, n):
    h = xs
    for _ in range(n):
        h = np.tanh(h @ w)
    return np.sum(h)


def arrays(*shapes):
    rng = np.random.default_rng(0)
    return [rng.normal(size=shape) / 8 for shape in shapes]


def test_the_gradient_of_a_matrix_multiplied_with_vectors_is_one_product():
    w, u, xs = arrays((40, 40), (40, 60), (6, 60))
    gradient = rt.grad(recurrent, (0, 1))
    got = gradient(w, u, xs, TURNS)
    turn = gradient.source().partition("while True:")[2].partition("has_no_nan")[0]
    assert "outer" not in turn and "dot" not in turn and "+=" not in turn
    unrolled = rt.grad(lambda w, u, xs: recurrent(w, u, xs, int(TURNS)), (0, 1))(w, u, xs)
    for one, other in zip(got, unrolled, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-14)


def test_without_iterations_the_sum_is_zero():
    w, u, xs = arrays((40, 40), (40, 60), (6, 60))
    for one in rt.grad(recurrent, (0, 1))(w, u, xs, np.int64(0)):
        assert not one.any()


def test_gradients_of_matrices_multiplied_with_batches_accumulate_by_iteration():
    w, xs = arrays((12, 12), (9, 12))
    gradient = rt.grad(batches)
    gradient(w, xs, TURNS)
    assert " += " in gradient.source()


def test_second_derivatives_with_postponed_products_are_correct():
    w, u, xs = arrays((40, 40), (40, 60), (6, 60))

    def slope(fn):
        def along(w, u, xs, *n):
            return np.sum(rt.grad(fn)(w, u, xs, *n) * w)

        return rt.grad(along)

    unrolled = slope(lambda w, u, xs: recurrent(w, u, xs, int(TURNS)))
    np.testing.assert_allclose(
        slope(recurrent)(w, u, xs, TURNS), unrolled(w, u, xs), rtol=1e-11, atol=1e-13
    )
