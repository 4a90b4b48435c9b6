"""Derivatives of plain functions by a step along the imaginary axis, to the last digits."""

import numpy as np

import runtime as rt

STEP = 1e-30


def complex_step(fn, x, *rest):
    """The gradient of a plain function with respect to its first argument."""
    found = np.zeros(np.shape(x))
    for place in np.ndindex(*np.shape(x)):
        moved = np.array(x, complex)
        moved[place] += 1j * STEP
        found[place] = np.imag(fn(moved[()], *rest)) / STEP
    return found[()]


def check(fn, x, *rest):
    """Compares a gradient with complex-step derivatives of the plain function."""
    copies = [r.copy() if isinstance(r, np.ndarray) else r for r in rest]
    wanted = complex_step(fn, x, *copies)
    np.testing.assert_allclose(rt.grad(fn)(x, *rest), wanted, rtol=1e-12, atol=1e-14)
