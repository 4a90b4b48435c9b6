"""Adjoints of linear algebra on matrices in the last two axes.

    inv             -r^H d r^H
    solve           b gets a^-H d, a gets minus that times x^H
    eigh, svd       vectors rotate into each other at rates over the gaps between their values
    cholesky, eigh  read one triangle of a matrix, so the gradient is in that triangle only

Where eigenvalues or singular values are equal, their vectors are arbitrary up to a rotation and
have no derivative: a gap of zero counts as infinite.  The phases of complex vectors are arbitrary
too; gradients are correct for results that do not depend on them.  Sources: Giles, Collected
matrix derivative results (2008); Golub and Pereyra (1973) for pinv.
"""

import numpy as np

from runtime.ir.derivative import NoDerivative
from runtime.ir.op import find
from runtime.ops.adjoints import products, reductions
from runtime.ops.adjoints.products import adjoint, conjugated
from runtime.ops.adjoints.sizes import kept, unit

# -- triangles and diagonals -----------------------------------------------------------------------


def diagonal_matrix(values):
    """Matrices with the values on their diagonals."""
    return values[..., None] * unit(np.shape(values)[-1])


def _half_triangle(x):
    """The lower triangle, with the diagonal halved."""
    return np.tril(x) - 0.5 * (x * unit(np.shape(x)[-1]))


def _of_triangle(x, upper=False):
    """The cotangent of the triangle that defines a Hermitian matrix with cotangent x."""
    both = x + adjoint(x)
    both = both - 0.5 * (both * unit(np.shape(x)[-1]))
    return np.triu(both) if upper else np.tril(both)


# -- inverses and determinants ---------------------------------------------------------------------


def inv(d, r, a):
    """Minus d, multiplied by r^H on both sides."""
    return {"a": -(adjoint(r) @ d @ adjoint(r))}


def solve(d, r, a, b):
    """b gets the solution of the adjoint equation."""
    if np.ndim(b) == 1:
        of_b = np.linalg.solve(adjoint(a), d[..., None])
        return {"a": -(of_b @ adjoint(r[..., None])), "b": of_b[..., 0]}
    of_b = np.linalg.solve(adjoint(a), d)
    return {"a": -(of_b @ adjoint(r)), "b": of_b}


def det(d, r, a):
    """d times the cofactors, which exist for singular matrices too."""
    return {"a": d[..., None, None] * conjugated(find("cofactors")(a))}


def slogdet(d, r, a):
    """The inverse, for the logarithm; the phase, for the sign of a complex determinant."""
    of_sign, of_log = d
    total = 0.0 if of_log is None else of_log
    if np.iscomplexobj(a) and of_sign is not None:
        total = total - 1j * np.imag(np.conjugate(of_sign) * r[0])
    elif of_log is None:
        return {}
    return {"a": total[..., None, None] * adjoint(np.linalg.inv(a))}


def pinv(d, r, a, rcond=None, hermitian=False, *, rtol=None):
    """The derivative for matrices of constant rank (Golub and Pereyra)."""
    for cutoff in (rcond, rtol):
        if cutoff is not None and not (isinstance(cutoff, (int, float)) and cutoff < 1e-3):
            return NoDerivative(
                "With this cutoff np.linalg.pinv is not a continuous function.",
                "Leave rcond and rtol out, or add a small multiple of the identity.",
            )
    back, p = adjoint(d), adjoint(r)
    rows, columns = unit(np.shape(a)[-2]), unit(np.shape(a)[-1])
    found = -(p @ d @ p) + (rows - a @ r) @ back @ r @ p + p @ r @ back @ (columns - r @ a)
    return {"a": _of_triangle(found) if hermitian else found}


# -- decompositions --------------------------------------------------------------------------------


def cholesky(d, r, a, *, upper=False):
    """The halved triangle of L^H d, with L^-H and L^-1 on its sides."""
    lower, back = (adjoint(r), adjoint(d)) if upper else (r, d)
    middle = _half_triangle(adjoint(lower) @ np.tril(back))
    right = adjoint(np.linalg.solve(adjoint(lower), adjoint(middle)))  # middle lower^-1
    return {"a": _of_triangle(np.linalg.solve(adjoint(lower), right), upper)}


def qr(d, r, a, mode="reduced"):
    """For tall matrices, and for wide ones, whose first columns determine q."""
    if mode == "r":
        return qr((None, d), np.linalg.qr(a), a)
    (of_q, of_r), (q, upper) = d, r
    rows, columns = np.shape(a)[-2:]
    is_known = isinstance(rows, int) and isinstance(columns, int)
    if (
        mode not in ("reduced", "complete")
        or mode == "complete"
        and not (is_known and rows <= columns)
    ):
        return NoDerivative(
            f"Some columns of the result of np.linalg.qr(mode={mode!r}) are arbitrary.",
            "Use mode='reduced'.",
        )
    of_q = 0 * q if of_q is None else of_q
    of_r = 0 * upper if of_r is None else np.triu(of_r)
    if is_known and rows >= columns:
        return {"a": _of_tall(of_q, of_r, q, upper)}
    size = np.shape(q)[-1]
    left, right = upper[..., :size], a[..., size:]  # a = q (left, q^H right)
    of_right = q @ of_r[..., size:]
    of_q = of_q + right @ adjoint(of_r[..., size:])
    of_left = _of_tall(of_q, of_r[..., :size], q, left)
    return {"a": np.concatenate([of_left, of_right], axis=-1)}


def _of_tall(of_q, of_r, q, upper):
    middle = upper @ adjoint(of_r) - adjoint(of_q) @ q
    lower = np.tril(middle, -1)
    symmetric = lower + adjoint(lower) + np.real(middle * unit(np.shape(middle)[-1]))
    return adjoint(np.linalg.solve(upper, adjoint(of_q + q @ symmetric)))


def _over_gaps(values):
    """The reciprocals of the differences of all pairs of values, 0 where they are equal."""
    gaps = values[..., None, :] - values[..., :, None]
    return np.where(gaps == 0, 0, 1 / np.where(gaps == 0, 1, gaps))


def eigh(d, r, a, UPLO="L"):
    """Cotangents of the values on the diagonal, of the vectors over the gaps."""
    (of_values, of_vectors), (values, vectors) = d, r
    inner = 0.0
    if of_values is not None:
        inner = diagonal_matrix(of_values)
    if of_vectors is not None:
        inner = inner + _over_gaps(values) * (adjoint(vectors) @ of_vectors)
    if isinstance(inner, float):
        return {}
    found = vectors @ inner @ adjoint(vectors)
    return {"a": _of_triangle(found, UPLO.upper() == "U")}


def eigvalsh(d, r, a, UPLO="L"):
    """Like `eigh`, which computes the vectors that the rule needs."""
    return eigh((d, None), np.linalg.eigh(a, UPLO), a, UPLO)


def svd(d, r, a, full_matrices=True, compute_uv=True, hermitian=False):
    """For the thin SVD: cotangents of the values on the diagonal, of the vectors over the gaps."""
    if hermitian:
        return NoDerivative("np.linalg.svd has hermitian=True.", "Leave `hermitian` out.")
    if not compute_uv:
        return {"a": _of_singular_values(d, a)}
    of_u, of_s, of_vh = d
    if of_u is None and of_vh is None:
        return {"a": _of_singular_values(of_s, a)}
    rows, columns = np.shape(a)[-2:]
    if full_matrices and (rows is not columns and not isinstance(rows, int) or rows != columns):
        return NoDerivative(
            "The vectors that complete a basis are arbitrary.", "Use full_matrices=False."
        )
    return {"a": _of_vectors(of_u, of_s, of_vh, *r)}


def _of_singular_values(of_s, a):
    u, _, vh = np.linalg.svd(a, full_matrices=False)
    return (u * of_s[..., None, :]) @ vh


def svdvals(d, r, x):
    """Like `svd`, which computes the vectors that the rule needs."""
    return {"x": _of_singular_values(d, x)}


def _of_vectors(of_u, of_s, of_vh, u, s, vh):
    v, row, column = adjoint(vh), s[..., None, :], s[..., :, None]
    over_gaps = _over_gaps(s * s)
    inner = 0.0 if of_s is None else diagonal_matrix(of_s)
    outside = 0.0
    if of_u is not None:
        turn = adjoint(u) @ of_u
        inner = inner + over_gaps * (turn - adjoint(turn)) * row
        outside = outside + ((of_u - u @ turn) / row) @ vh
    if of_vh is not None:
        of_v = adjoint(of_vh)
        turn = adjoint(v) @ of_v
        inner = inner + column * (over_gaps * (turn - adjoint(turn)))
        if np.iscomplexobj(u):  # a common phase of a pair of vectors
            phase = turn * unit(np.shape(s)[-1])
            inner = inner + (adjoint(phase) - phase) / (2 * row)
        outside = outside + (u / row) @ adjoint(of_v - v @ turn)
    return u @ inner @ vh + outside


# -- norms -----------------------------------------------------------------------------------------


def vector_norm(d, r, x, /, *, axis=None, keepdims=False, ord=2):
    """The derivative of a vector norm, 0 where the vector is zero."""
    return {"x": _of_length(d, r, x, ord, axis, keepdims)}


def _of_length(d, r, x, order, axis, keepdims):
    d, r = kept(d, x, axis, keepdims), kept(r, x, axis, keepdims)
    if order == 0:
        return None
    if order == 1:
        return d * np.sign(x)
    safe = np.where(r == 0, 1, r)
    if order in (np.inf, -np.inf):
        (share,) = reductions.extreme(d, r, np.abs(x), axis, True)
        return share * np.sign(x)
    if order == 2:
        return find("scaled")(d / safe, x)
    return d * np.sign(x) * (np.abs(x) / safe) ** (order - 1)


def matrix_norm(d, r, x, /, *, keepdims=False, ord="fro"):
    """The derivative of a matrix norm."""
    return {"x": _of_matrix(d, r, x, ord, (-2, -1), keepdims)}


def norm(d, r, x, ord=None, axis=None, keepdims=False):
    """Of a vector or a matrix, as NumPy tells them apart."""
    rank = np.ndim(x)
    axes = (axis,) if isinstance(axis, int) else axis
    if ord is None or (ord == 2 and rank == 1 and axis is None):
        return {"x": _of_length(d, r, x, 2, axes, keepdims)}
    axes = tuple(range(rank)) if axes is None else axes
    if len(axes) == 1:
        return {"x": _of_length(d, r, x, ord, axes, keepdims)}
    return {"x": _of_matrix(d, r, x, ord, axes, keepdims)}


def _of_matrix(d, r, x, order, axes, keepdims):
    if order in ("fro", "f", None):
        return _of_length(d, r, x, 2, axes, keepdims)
    d = kept(d, x, axes, keepdims)
    rows, columns = axes
    if order in (1, -1, np.inf, -np.inf):
        summed, others = (rows, columns) if order in (1, -1) else (columns, rows)
        sums = np.sum(np.abs(x), axis=summed, keepdims=True)
        extreme = np.max if order in (1, np.inf) else np.min
        (share,) = reductions.extreme(d, extreme(sums, others, keepdims=True), sums, others, True)
        return share * np.sign(x)
    moved, d = (np.moveaxis(each, axes, (-2, -1)) for each in (x, d))
    u, s, vh = np.linalg.svd(moved, full_matrices=False)
    if order == "nuc":
        found = d * (u @ vh)
    else:
        extreme = np.max if order == 2 else np.min
        (share,) = reductions.extreme(d[..., 0], extreme(s, -1, keepdims=True), s, -1, True)
        found = (u * share[..., None, :]) @ vh
    return np.moveaxis(found, (-2, -1), axes)


# -- products --------------------------------------------------------------------------------------


LINALG_PRODUCTS = {
    np.linalg.matmul: lambda d, r, x1, x2: dict(
        zip(("x1", "x2"), products.matmul(d, r, x1, x2), strict=True)
    ),
    np.linalg.outer: lambda d, r, x1, x2: dict(
        zip(("x1", "x2"), products.outer(d, r, x1, x2), strict=True)
    ),
}
ADJOINTS = {
    np.linalg.cholesky: cholesky,
    np.linalg.det: det,
    np.linalg.eigh: eigh,
    np.linalg.eigvalsh: eigvalsh,
    np.linalg.inv: inv,
    np.linalg.matrix_norm: matrix_norm,
    np.linalg.norm: norm,
    np.linalg.pinv: pinv,
    np.linalg.qr: qr,
    np.linalg.slogdet: slogdet,
    np.linalg.solve: solve,
    np.linalg.svd: svd,
    np.linalg.svdvals: svdvals,
    np.linalg.vector_norm: vector_norm,
    **LINALG_PRODUCTS,
}
