"""Derivatives of `scipy.linalg`.

The formulas are those of Giles (2008), "Collected matrix derivative results", and of Al-Mohy and
Higham (2009) for the exponential.
"""

import numpy as np

from runtime.transforms.libraries.table import call, stands_for
from runtime.transforms.markers import custom_gradient


def _h(x):
    """The conjugate transpose of a matrix."""
    return np.conj(np.swapaxes(x, -1, -2))


@stands_for("scipy.linalg.cholesky")
def cholesky(a, lower=False, overwrite_a=False, check_finite=True):
    """L or its conjugate transpose, with a = L L^H."""
    factor = np.linalg.cholesky(a)
    return factor if lower else _h(factor)


@stands_for("scipy.linalg.cho_factor")
def cho_factor(a, lower=False, overwrite_a=False, check_finite=True):
    """The factor, and whether it is the lower one."""
    return cholesky(a, lower), lower


@stands_for("scipy.linalg.cho_solve")
def cho_solve(c_and_lower, b, overwrite_b=False, check_finite=True):
    """The solution x of a x = b, for the factor of a."""
    c, lower = c_and_lower
    below, above = np.tril(c), np.triu(c)
    return np.linalg.solve(np.where(lower, below @ _h(below), _h(above) @ above), b)


@stands_for("scipy.linalg.solve")
def solve(a, b, lower=False, overwrite_a=False, overwrite_b=False, **options):
    """The solution x of a x = b."""
    transposed = options.get("transposed", False)
    return np.linalg.solve(np.swapaxes(a, -1, -2) if transposed else a, b)


@stands_for("scipy.linalg.solve_triangular")
def solve_triangular(a, b, trans=0, lower=False, unit_diagonal=False, **options):
    """The solution x of a x = b, for a triangular a."""
    part = np.tril(a) if lower else np.triu(a)
    if unit_diagonal:
        part = part * (1 - np.eye(np.shape(a)[-1])) + np.eye(np.shape(a)[-1])
    if trans in (2, "C"):
        part = np.conj(part)
    return np.linalg.solve(part if trans in (0, "N") else np.swapaxes(part, -1, -2), b)


@stands_for("scipy.linalg.inv")
def inv(a, overwrite_a=False, check_finite=True, **options):
    """The inverse."""
    return np.linalg.inv(a)


@stands_for("scipy.linalg.det")
def det(a, overwrite_a=False, check_finite=True):
    """The determinant."""
    return np.linalg.det(a)


@stands_for("scipy.linalg.pinv")
def pinv(a, **options):
    """The pseudo-inverse."""
    return np.linalg.pinv(a)


@stands_for("scipy.linalg.norm")
def norm(a, ord=None, axis=None, keepdims=False, check_finite=True):
    """The norm of a vector or matrix."""
    return np.linalg.norm(a, ord, axis, keepdims)


@stands_for("scipy.linalg.svdvals")
def svdvals(a, overwrite_a=False, check_finite=True):
    """The singular values."""
    return np.linalg.svd(a, compute_uv=False)


@stands_for("scipy.linalg.eigvalsh")
def eigvalsh(a, b=None, **options):
    """The eigenvalues of a symmetric matrix."""
    return eigh(a, b, eigvals_only=True, **options)


@stands_for("scipy.linalg.eigh")
def eigh(a, b=None, *, lower=True, eigvals_only=False, **options):
    """The eigenvalues and eigenvectors of a symmetric matrix."""
    chosen = {key: value for key, value in options.items() if value is not None}
    found = _eigh(a, lower) if b is None and set(chosen) <= HARMLESS else None
    if found is None:
        raise NotImplementedError("eigh of a pair of matrices, or of a subset")
    return found[0] if eigvals_only else found


HARMLESS = {"overwrite_a", "overwrite_b", "check_finite", "driver", "type"}


@custom_gradient
def _eigh(a, lower):
    w, v = call("linalg.eigh", a, lower=lower)

    def gradient(d_w, d_v):
        size = np.shape(a)[-1]
        gaps = w[None, :] - w[:, None] + np.eye(size)
        inner = (_h(v) @ d_v) * ((1 - np.eye(size)) / gaps) + np.diag(d_w)
        whole = v @ inner @ _h(v)
        return (whole + _h(whole)) / 2, None

    return (w, v), gradient


@stands_for("scipy.linalg.expm")
@custom_gradient
def expm(a):
    """The exponential of a matrix."""

    def gradient(d):
        if len(np.shape(a)) != 2:
            raise NotImplementedError("expm of a stack of matrices")
        size = np.shape(a)[-1]
        adjoint = _h(a)
        upper = np.concatenate((adjoint, d), axis=1)
        below = np.concatenate((np.zeros_like(adjoint), adjoint), axis=1)
        return call("linalg.expm", np.concatenate((upper, below), axis=0))[:size, size:]

    return call("linalg.expm", a), gradient


@stands_for("scipy.linalg.sqrtm")
@custom_gradient
def sqrtm(a):
    """The square root of a matrix."""
    root = call("linalg.sqrtm", a)

    def gradient(d):
        return solve_sylvester(_h(root), _h(root), d)

    return root, gradient


@stands_for("scipy.linalg.solve_sylvester")
def solve_sylvester(a, b, q):
    """The solution x of a x + x b = q."""
    rows, columns = np.shape(q)
    system = np.kron(a, np.eye(columns)) + np.kron(np.eye(rows), np.swapaxes(b, -1, -2))
    return np.reshape(np.linalg.solve(system, np.reshape(q, (-1,))), (rows, columns))


@stands_for("scipy.linalg.lu_factor")
def lu_factor(a, overwrite_a=False, check_finite=True):
    """The factors L and U in one matrix, and the exchanges of rows."""
    return _lu_factor(a)


@custom_gradient
def _lu_factor(a):
    lu, pivots = call("linalg.lu_factor", a)

    def gradient(d, _):
        size = np.shape(a)[-1]
        lower, upper = np.tril(lu, -1) + np.eye(size), np.triu(lu)
        inner = np.tril(_h(lower) @ np.tril(d, -1), -1) + np.triu(np.triu(d) @ _h(upper))
        moved = np.linalg.solve(_h(lower), _h(np.linalg.solve(upper, _h(inner))))
        return np.swapaxes(_permutation(pivots, size), -1, -2) @ moved

    return (lu, pivots), gradient


def _permutation(pivots, size):
    """The matrix that exchanges rows as the pivots say."""
    order = np.eye(size)
    for i in range(size):
        step = np.eye(size)[i] - np.equal(np.arange(size), pivots[i])
        order = (np.eye(size) - np.outer(step, step)) @ order
    return order


@stands_for("scipy.linalg.lu_solve")
def lu_solve(lu_and_piv, b, trans=0, overwrite_b=False, check_finite=True):
    """The solution x of a x = b, for the factors of a."""
    lu, pivots = lu_and_piv
    size = np.shape(lu)[-1]
    lower, upper = np.tril(lu, -1) + np.eye(size), np.triu(lu)
    whole = np.swapaxes(_permutation(pivots, size), -1, -2) @ (lower @ upper)
    if trans:
        whole = np.swapaxes(whole, -1, -2) if trans == 1 else _h(whole)
    return np.linalg.solve(whole, b)


@stands_for("scipy.linalg.block_diag")
def block_diag(*arrays):
    """The matrix with the arrays along its diagonal."""
    blocks = [np.reshape(one, (1, -1)) if len(np.shape(one)) < 2 else one for one in arrays]
    width = sum(np.shape(one)[1] for one in blocks)
    rows, before = [], 0
    for one in blocks:
        count, size = np.shape(one)
        left = np.zeros((count, before))
        right = np.zeros((count, width - before - size))
        rows.append(np.concatenate((left, one, right), axis=1))
        before += size
    return np.concatenate(rows, axis=0)
