"""Derivatives of `scipy.linalg`.

The formulas are those of Giles (2008), "Collected matrix derivative results", and of Al-Mohy and
Higham (2009) for the exponential.
"""

import numpy as np

from runtime.ops.cotangents import scaled
from runtime.transforms.libraries.table import WITHOUT_EFFECT, call, stands_for
from runtime.transforms.markers import custom_gradient


def _h(x):
    """The conjugate transpose of a matrix."""
    return np.conj(np.swapaxes(x, -1, -2))


def _of_triangle(a, lower, is_hermitian=True):
    """The symmetric matrix that one triangle of a matrix defines; the other one is not read."""
    part, strict = (np.tril(a), np.tril(a, -1)) if lower else (np.triu(a), np.triu(a, 1))
    return part + (_h(strict) if is_hermitian else np.swapaxes(strict, -1, -2))


@stands_for("scipy.linalg.cholesky")
def cholesky(a, lower=False, overwrite_a=False, check_finite=True):
    """L or its conjugate transpose, with a = L L^H."""
    return np.linalg.cholesky(a) if lower else _h(np.linalg.cholesky(_h(a)))


@stands_for("scipy.linalg.cho_factor")
def cho_factor(a, lower=False, overwrite_a=False, check_finite=True):
    """The factor beside the other triangle of a, and whether it is the lower one."""
    other = np.triu(a, 1) if lower else np.tril(a, -1)
    return cholesky(a, lower) + other, lower


@stands_for("scipy.linalg.cho_solve")
def cho_solve(c_and_lower, b, overwrite_b=False, check_finite=True):
    """The solution x of a x = b, for the factor of a."""
    c, lower = c_and_lower
    below, above = np.tril(c), np.triu(c)
    return np.linalg.solve(np.where(lower, below @ _h(below), _h(above) @ above), b)


# The structures that `solve` and `inv` may assume: the matrix that they read.
STRUCTURES = {
    "general": lambda a, lower: a,
    "diagonal": lambda a, lower: a * np.eye(np.shape(a)[-1]),
    "tridiagonal": lambda a, lower: np.triu(np.tril(a, 1), -1),
    "upper triangular": lambda a, lower: np.triu(a),
    "lower triangular": lambda a, lower: np.tril(a),
    "symmetric": lambda a, lower: _of_triangle(a, lower, False),
    "hermitian": _of_triangle,
    "positive definite": _of_triangle,
}
SHORT = {"gen": "general", "sym": "symmetric", "her": "hermitian", "pos": "positive definite"}


def _assumed(a, structure, lower):
    """The matrix that is read; without an assumption, SciPy looks at all elements."""
    structure = SHORT.get(structure, structure) or "general"
    if structure not in STRUCTURES:
        raise NotImplementedError(f"a linear system that is assumed to be {structure}")
    return STRUCTURES[structure](a, lower)


@stands_for("scipy.linalg.solve")
def solve(
    a,
    b,
    lower=False,
    overwrite_a=False,
    overwrite_b=False,
    check_finite=True,
    assume_a=None,
    transposed=False,
):
    """The solution x of a x = b."""
    a = _assumed(a, assume_a, lower)
    return np.linalg.solve(np.swapaxes(a, -1, -2) if transposed else a, b)


@stands_for("scipy.linalg.solve_triangular")
def solve_triangular(a, b, trans=0, lower=False, unit_diagonal=False, overwrite_b=False):
    """The solution x of a x = b, for a triangular a."""
    part = np.tril(a) if lower else np.triu(a)
    if unit_diagonal:
        part = part * (1 - np.eye(np.shape(a)[-1])) + np.eye(np.shape(a)[-1])
    if trans in (2, "C"):
        part = np.conj(part)
    return np.linalg.solve(part if trans in (0, "N") else np.swapaxes(part, -1, -2), b)


@stands_for("scipy.linalg.inv")
def inv(a, overwrite_a=False, check_finite=True, *, assume_a=None, lower=False):
    """The inverse."""
    return np.linalg.inv(_assumed(a, assume_a, lower))


@stands_for("scipy.linalg.det")
def det(a, overwrite_a=False, check_finite=True):
    """The determinant."""
    return np.linalg.det(a)


@stands_for("scipy.linalg.pinv")
def pinv(a, *, atol=None, rtol=None, return_rank=False, check_finite=True):
    """The pseudo-inverse of a matrix of full rank."""
    if return_rank or atol is not None or rtol is not None:
        raise NotImplementedError("scipy.linalg.pinv with a cutoff or with the rank")
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
def eigvalsh(a, b=None, *, lower=True, **options):
    """The eigenvalues of a symmetric matrix, or of a pair."""
    return eigh(a, b, lower=lower, eigvals_only=True, **options)


@stands_for("scipy.linalg.eigh")
def eigh(a, b=None, *, lower=True, eigvals_only=False, **options):
    """The eigenvalues and eigenvectors of a symmetric matrix, or of a pair."""
    chosen = {key: value for key, value in options.items() if value is not None}
    if not set(chosen) <= WITHOUT_EFFECT | {"type"} or chosen.get("type", 1) != 1:
        raise NotImplementedError("eigh of a subset, or of a pair of another type")
    # The same call as in the program: another one may find vectors of other signs.
    chosen["lower"] = lower
    found = _eigh(chosen)(a) if b is None else _eigh_of_pair(chosen)(a, b)
    return found[0] if eigvals_only else found


def _eigh(options):
    @custom_gradient
    def decomposed(a):
        w, v = call("linalg.eigh", a, **options)

        def gradient(d_w, d_v):
            inner = scaled(_h(v) @ d_v, _over_gaps(w)) + _along(d_w)
            return _triangle(v @ inner @ _h(v), options["lower"])

        return (w, v), gradient

    return decomposed


def _eigh_of_pair(options):
    """a v = b v w, with v^H b v = 1."""

    @custom_gradient
    def decomposed(a, b):
        w, v = call("linalg.eigh", a, b, **options)

        def gradient(d_w, d_v):
            turned = _h(v) @ d_v
            inner = scaled(turned, _over_gaps(w))
            halves = turned * np.eye(np.shape(w)[-1]) / 2
            of_a = inner + _along(d_w)
            of_b = -(inner * w[..., None, :] + _along(d_w * w) + halves)
            return tuple(_triangle(v @ one @ _h(v), options["lower"]) for one in (of_a, of_b))

        return (w, v), gradient

    return decomposed


def _over_gaps(w):
    """1 / (w[j] - w[i]), infinite for equal eigenvalues, and 0 on the diagonal."""
    same = np.eye(np.shape(w)[-1])
    return (1 - same) / (w[..., None, :] - w[..., :, None] + same)


def _along(values):
    """A diagonal matrix of each vector."""
    return values[..., None] * np.eye(np.shape(values)[-1])


def _triangle(x, lower):
    """The cotangent of the triangle that is read, from that of the whole Hermitian matrix."""
    both = x + _h(x)
    both = both - both * np.eye(np.shape(x)[-1]) / 2
    return np.tril(both) if lower else np.triu(both)


@stands_for("scipy.linalg.expm")
@custom_gradient
def expm(a):
    """The exponential of a matrix."""

    def gradient(d):
        size = np.shape(a)[-1]
        adjoint = _h(a)
        upper = np.concatenate((adjoint, d), axis=-1)
        below = np.concatenate((np.zeros_like(adjoint), adjoint), axis=-1)
        whole = call("linalg.expm", np.concatenate((upper, below), axis=-2))
        return whole[..., :size, size:]

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
