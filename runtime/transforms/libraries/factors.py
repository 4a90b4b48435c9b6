"""Derivatives of the factors of `scipy.linalg`, and of matrices that vectors define.

The formulas for the singular value decomposition are those of Townsend (2016), "Differentiating the
singular value decomposition"; for the QR decomposition those of Walter and Lehmann (2012),
"Algorithmic differentiation of linear algebra functions".  Matrices are real.
"""

import numpy as np

from runtime.ops.cotangents import scaled
from runtime.transforms.libraries.table import call, stands_for
from runtime.transforms.markers import custom_gradient


def _t(x):
    return np.swapaxes(x, -1, -2)


def _check(name, a, is_known):
    """Raises `NotImplementedError` for complex matrices, and for shapes without a formula."""
    if np.result_type(a).kind == "c" or not is_known:
        raise NotImplementedError(f"{name} of a complex matrix, or with factors of another shape")


@stands_for("scipy.linalg.svd")
def svd(a, full_matrices=True, compute_uv=True, overwrite_a=False, check_finite=True):
    """The singular vectors and values."""
    if not compute_uv:
        return np.linalg.svd(a, compute_uv=False)
    rows, columns = np.shape(a)[-2:]
    _check("scipy.linalg.svd", a, not full_matrices or rows == columns)
    return _svd(a)


@custom_gradient
def _svd(a):
    u, s, vh = call("linalg.svd", a, full_matrices=False)

    def gradient(d_u, d_s, d_vh):
        v, d_v = _t(vh), _t(d_vh)
        same = np.eye(np.shape(s)[-1])
        over_gaps = (1 - same) / (s[..., None, :] ** 2 - s[..., :, None] ** 2 + same)
        of_u, of_v = scaled(_t(u) @ d_u, over_gaps), scaled(vh @ d_v, over_gaps)
        inner = (of_u + _t(of_u)) * s[..., None, :] + s[..., :, None] * (of_v + _t(of_v))
        inner = inner + d_s[..., None] * same
        beside_u = (d_u - u @ (_t(u) @ d_u)) / s[..., None, :]
        beside_v = (d_v - v @ (vh @ d_v)) / s[..., None, :]
        return u @ inner @ vh + beside_u @ vh + u @ _t(beside_v)

    return (u, s, vh), gradient


@stands_for("scipy.linalg.qr")
def qr(a, overwrite_a=False, lwork=None, mode="full", pivoting=False, check_finite=True):
    """The orthogonal and the upper triangular factor of a matrix of full rank."""
    rows, columns = np.shape(a)[-2:]
    is_known = mode == "economic" and rows >= columns or mode == "full" and rows == columns
    _check("scipy.linalg.qr", a, is_known and not pivoting)
    return _qr(a)


@custom_gradient
def _qr(a):
    q, r = call("linalg.qr", a, mode="economic")

    def gradient(d_q, d_r):
        inner = r @ _t(d_r) - _t(d_q) @ q
        both = np.tril(inner) + _t(np.tril(inner, -1))
        return _t(np.linalg.solve(r, _t(d_q + q @ both)))

    return (q, r), gradient


@stands_for("scipy.linalg.lu")
def lu(a, permute_l=False, overwrite_a=False, check_finite=True, p_indices=False):
    """The permutation, which is piecewise constant, and the triangular factors."""
    rows, columns = np.shape(a)[-2:]
    _check("scipy.linalg.lu", a, rows == columns and not permute_l and not p_indices)
    return _lu(a)


@custom_gradient
def _lu(a):
    p, lower, upper = call("linalg.lu", a)

    def gradient(_, d_lower, d_upper):
        inner = np.tril(_t(lower) @ d_lower, -1) + np.triu(d_upper @ _t(upper))
        return p @ np.linalg.solve(_t(lower), _t(np.linalg.solve(upper, _t(inner))))

    return (p, lower, upper), gradient


# -- matrices that vectors define ------------------------------------------------------------------


def _vectors(name, *vectors):
    if any(np.ndim(one) != 1 for one in vectors):
        raise NotImplementedError(f"{name} of arrays that are no vectors")


@stands_for("scipy.linalg.toeplitz")
def toeplitz(c, r=None):
    """The matrix with constant diagonals, of its first column and row."""
    r = np.conj(c) if r is None else r
    _vectors("scipy.linalg.toeplitz", c, r)
    rows, columns = np.arange(np.shape(c)[0]), np.arange(np.shape(r)[0])
    along = np.concatenate((np.flip(c), r[1:]))
    return along[np.shape(c)[0] - 1 - rows[:, None] + columns]


@stands_for("scipy.linalg.hankel")
def hankel(c, r=None):
    """The matrix with constant anti-diagonals, of its first column and last row."""
    r = np.zeros_like(c) if r is None else r
    _vectors("scipy.linalg.hankel", c, r)
    rows, columns = np.arange(np.shape(c)[0]), np.arange(np.shape(r)[0])
    return np.concatenate((c, r[1:]))[rows[:, None] + columns]


@stands_for("scipy.linalg.circulant")
def circulant(c):
    """The matrix whose columns are those before, turned by one."""
    _vectors("scipy.linalg.circulant", c)
    places = np.arange(np.shape(c)[0])
    return c[(places[:, None] - places) % np.shape(c)[0]]


@stands_for("scipy.linalg.solve_toeplitz")
def solve_toeplitz(c_or_cr, b, check_finite=True):
    """The solution x of t x = b, for a Toeplitz matrix t."""
    c, r = c_or_cr if isinstance(c_or_cr, tuple) else (c_or_cr, None)
    return np.linalg.solve(toeplitz(c, r), b)
