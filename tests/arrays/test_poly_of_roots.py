"""np.poly of staged roots: the dtype is NumPy's, also where conjugate roots make it real."""

import numpy as np
import pytest

import runtime as rt

ROOTS = np.array([3.0, 1.0, 2.0, -3.0])
PAIR, APART = np.array([1 + 1j, 1 - 1j]), np.array([1 + 1j, 2 - 1j])
GIVEN = (ROOTS, ROOTS[:0], np.arange(3), ROOTS.astype(np.float32), PAIR, APART, ROOTS.reshape(2, 2))


def poly(z):
    return np.poly(z)


@pytest.mark.parametrize("z", GIVEN, ids=str)
def test_coefficients_have_the_bits_of_numpy(z):
    unknown = rt.TensorSpec((None,) * z.ndim, z.dtype)
    for staged in (rt.function(poly), rt.function(poly, input_signature=[unknown])):
        for _ in range(2):
            assert repr(staged(z)) == repr(np.poly(z))


def test_one_graph_serves_conjugate_and_other_roots():
    staged = rt.function(poly)
    for z in (PAIR, APART, PAIR):
        assert repr(staged(z)) == repr(np.poly(z))


def test_roots_of_a_polynomial_give_it_back():
    staged = rt.function(lambda p: np.poly(np.roots(p)))
    p = np.array([1.0, -6.0, 11.0, -6.0])
    assert repr(staged(p)) == repr(np.poly(np.roots(p)))


def test_the_gradient_is_that_of_the_product_of_factors():
    weights = np.array([0.0, 1.0, 0.0, 0.0, 2.0])
    found = rt.grad(lambda z: np.sum(np.poly(z) * weights))(ROOTS)
    others = np.array([np.prod(np.delete(ROOTS, i)) for i in range(4)])
    np.testing.assert_allclose(found, -1 + 2 * others)
