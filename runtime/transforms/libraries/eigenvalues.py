"""Derivatives of eigenvalues, eigenvectors and roots of polynomials, where they are real.

The formulas are those of Giles (2008), "Collected matrix derivative results", and of Boeddeker,
Hanebrink, Drude, Heymann and Haeb-Umbach (2017), "On the computation of complex-valued gradients",
for eigenvectors of length 1.  Equal eigenvalues have no derivative: the result is not finite.
"""

import numpy as np

from runtime.staging.calls.eigenvalues import call_by_value
from runtime.tracing.tensor import is_staged
from runtime.transforms.libraries.table import stands_for
from runtime.transforms.markers import custom_gradient

RESULT = type(np.linalg.eig(np.eye(1)))  # a named tuple


def _call(function, given):
    found = call_by_value(function, given) if is_staged(given) else function(given)
    first = found[0] if isinstance(found, tuple) else found
    if first.dtype.kind == "c":
        raise NotImplementedError(f"np.{function.__name__} with complex results")
    return found


def _t(x):
    return np.swapaxes(x, -1, -2)


def _along(values):
    """A diagonal matrix of each vector."""
    return values[..., None] * np.eye(values.shape[-1])


@stands_for("numpy.linalg.eigvals")
@custom_gradient
def eigvals(a):
    """The eigenvalues: their derivatives are v^-T diag(d) v^T."""
    w, v = _call(np.linalg.eig, a)

    def gradient(d):
        return np.linalg.solve(_t(v), d[..., None] * _t(v))

    return w, gradient


@stands_for("numpy.linalg.eig")
def eig(a):
    """The eigenvalues and eigenvectors."""
    return RESULT(*_eig(a))


@custom_gradient
def _eig(a):
    w, v = _call(np.linalg.eig, a)

    def gradient(d_w, d_v):
        same = np.eye(w.shape[-1])
        apart = 1 / (w[..., None, :] - w[..., :, None] + same) * (1 - same)
        turned = _t(v) @ d_v
        inner = turned - (_t(v) @ v) * np.sum(same * turned, -1)[..., None, :]
        return np.linalg.solve(_t(v), (_along(d_w) + apart * inner) @ _t(v))

    return (w, v), gradient


@stands_for("numpy.roots")
@custom_gradient
def roots(p):
    """The roots r: the derivative with respect to the coefficient of x^k is -r^k / p'(r)."""
    found = _call(np.roots, p)

    def gradient(d):
        powers = np.arange(p.shape[0])[::-1]
        slopes = np.polyval(np.polyder(p), found)
        return -np.sum((d / slopes)[:, None] * found[:, None] ** powers, 0)

    return found, gradient


@stands_for("numpy.poly")
def poly(seq_of_zeros):
    """The coefficients of the polynomial with these roots: products of its linear factors."""
    z = seq_of_zeros
    if np.iscomplexobj(z) or len(np.shape(z)) != 1 or not isinstance(np.shape(z)[0], int):
        raise NotImplementedError("np.poly of a matrix, of complex or of any number of roots")
    found = np.ones(1)
    for i in range(np.shape(z)[0]):
        found = np.append(found, 0.0) - z[i] * np.append(0.0, found)
    return found
