"""Linear algebra written with functions that have derivatives.

Each function computes the same values as the NumPy function of its name.
"""

import functools

import numpy as np

from runtime.ops.adjoints.products import conjugated
from runtime.ops.adjoints.sizes import count, unit


def cond(x, p=None):
    """The largest singular value over the smallest, or the norm of x times that of its inverse."""
    if p in (None, 2, -2):
        s = np.linalg.svd(x, compute_uv=False)
        return s[..., -1] / s[..., 0] if p == -2 else s[..., 0] / s[..., -1]
    return np.linalg.norm(x, p, axis=(-2, -1)) * np.linalg.norm(np.linalg.inv(x), p, axis=(-2, -1))


def cross(a, b, axisa=-1, axisb=-1, axisc=-1, axis=None):
    """Differences of products of pairs of components."""
    if axis is not None:
        axisa = axisb = axisc = axis
    a, b = _components(a, axisa), _components(b, axisb)
    if len(a) == len(b) == 2:
        return a[0] * b[1] - a[1] * b[0]
    a, b = (v if len(v) == 3 else [*v, 0 * v[0]] for v in (a, b))
    parts = [a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2] for i in range(3)]
    return np.stack(parts, axis=axisc)


def _components(x, axis):
    x = x if axis in (-1, np.ndim(x) - 1) else np.moveaxis(x, axis, -1)
    size = np.shape(x)[-1]
    return [x[..., i] for i in range(size if isinstance(size, int) else 3)]


def lstsq(a, b, rcond=None):
    """The solution by the pseudo-inverse; residuals only for overdetermined systems."""
    rows, columns = np.shape(a)
    a = a * 1.0
    x = np.linalg.pinv(a, rtol=rcond) @ b
    rest = b - a @ x
    squares = np.sum(np.real(rest * conjugated(rest)), axis=0, keepdims=np.ndim(b) == 1)
    has_residuals = not isinstance(rows, int) or not isinstance(columns, int) or rows > columns
    residuals = squares if has_residuals else squares[:0]
    return x, residuals, np.linalg.matrix_rank(a), np.linalg.svd(a, compute_uv=False)


def matrix_power(a, n):
    """Binary exponentiation, of the inverse for negative powers."""
    if n == 0:
        return 0 * a + unit(np.shape(a)[-1])
    factor, found = (np.linalg.inv(a) if n < 0 else a), None
    n = abs(n)
    while n:
        if n % 2:
            found = factor if found is None else found @ factor
        n //= 2
        factor = factor @ factor if n else factor
    return found


def multi_dot(arrays):
    """Products from left to right."""
    arrays = arrays if isinstance(arrays, tuple) else tuple(_rows(arrays))
    return functools.reduce(np.dot, arrays)


def _rows(x):
    return [x[i] for i in range(np.shape(x)[0])]


def tensordot(a, b, axes=2):
    """One matrix product: both operands become matrices of free axes by summed axes."""
    if isinstance(axes, int):
        axes = tuple(range(-axes, 0)), tuple(range(axes))
    left, right = (each if isinstance(each, (tuple, list)) else (each,) for each in axes)
    left = [axis % np.ndim(a) for axis in left]
    right = [axis % np.ndim(b) for axis in right]
    rows = [axis for axis in range(np.ndim(a)) if axis not in left]
    columns = [axis for axis in range(np.ndim(b)) if axis not in right]
    shape = [np.shape(a)[i] for i in rows] + [np.shape(b)[i] for i in columns]
    inner = count(a, tuple(left)) if left else 1
    row_count = count(a, tuple(rows)) if rows else 1
    column_count = count(b, tuple(columns)) if columns else 1
    a = np.reshape(np.transpose(a, (*rows, *left)), (row_count, inner))
    b = np.reshape(np.transpose(b, (*right, *columns)), (inner, column_count))
    return np.reshape(a @ b, tuple(shape))


def linalg_tensordot(x1, x2, /, *, axes=2):
    """Like `np.tensordot`."""
    return tensordot(x1, x2, axes)


def tensorinv(a, ind=2):
    """The inverse of the tensor, reshaped to a matrix."""
    shape = np.shape(a)
    rows = count(a, tuple(range(ind)))
    found = np.linalg.inv(np.reshape(a, (rows, rows)))
    return np.reshape(found, (*shape[ind:], *shape[:ind]))


def tensorsolve(a, b, axes=None):
    """The solution of the tensor equation, reshaped to a matrix equation."""
    if axes is not None:
        order = [axis for axis in range(np.ndim(a)) if axis not in axes]
        a = np.transpose(a, (*order, *axes))
    shape, size = np.shape(a)[np.ndim(b) :], np.size(b)
    found = np.linalg.solve(np.reshape(a, (size, size)), np.reshape(b, (size,)))
    return np.reshape(found, shape)


def trace(a, offset=0, axis1=0, axis2=1, dtype=None):
    """The sum of a diagonal."""
    return np.sum(np.diagonal(a, offset, axis1, axis2), axis=-1, dtype=dtype)


def linalg_trace(x, /, *, offset=0, dtype=None):
    """The sums of the diagonals of matrices."""
    return trace(x, offset, -2, -1, dtype)


def vecdot(x1, x2, /, *, axis=-1):
    """The sum of products along an axis, with the first operand conjugated."""
    return np.sum(conjugated(x1) * x2, axis=axis)


def matvec(x1, x2):
    """Matrices times vectors."""
    return (x1 @ x2[..., None])[..., 0]


def vecmat(x1, x2):
    """Conjugated vectors times matrices."""
    return (conjugated(x1)[..., None, :] @ x2)[..., 0, :]


def vdot(a, b):
    """The sum of all elementwise products, with the first operand conjugated."""
    return np.sum(conjugated(np.reshape(a, (-1,))) * np.reshape(b, (-1,)))


def inner(a, b):
    """The sums of products along the last axes."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return a * b
    return tensordot(a, b, ((-1,), (-1,)))


def kron(a, b):
    """The Kronecker product: one block of products for each element of a."""
    rank = max(np.ndim(a), np.ndim(b))
    a, b = (np.reshape(x, (1,) * (rank - np.ndim(x)) + np.shape(x)) for x in (a, b))
    outer = [size for n in np.shape(a) for size in (n, 1)]
    inside = [size for n in np.shape(b) for size in (1, n)]
    shape = tuple(n * m for n, m in zip(np.shape(a), np.shape(b), strict=True))
    return np.reshape(np.reshape(a, tuple(outer)) * np.reshape(b, tuple(inside)), shape)


def cofactors(x):
    """The matrix of cofactors of a regular matrix: det(x) times the transposed inverse."""
    return np.linalg.det(x)[..., None, None] * np.swapaxes(np.linalg.inv(x), -1, -2)


COMPOSITIONS = {
    np.cross: cross,
    np.inner: inner,
    np.kron: kron,
    np.linalg.cond: cond,
    np.linalg.cross: lambda x1, x2, /, *, axis=-1: cross(x1, x2, axis=axis),
    np.linalg.lstsq: lstsq,
    np.linalg.matrix_power: matrix_power,
    np.linalg.multi_dot: multi_dot,
    np.linalg.tensordot: linalg_tensordot,
    np.linalg.tensorinv: tensorinv,
    np.linalg.tensorsolve: tensorsolve,
    np.linalg.trace: linalg_trace,
    np.linalg.vecdot: vecdot,
    np.tensordot: tensordot,
    np.trace: trace,
    np.vdot: vdot,
    np.vecdot: vecdot,
    **{
        getattr(np, name): function
        for name, function in (("matvec", matvec), ("vecmat", vecmat))
        if hasattr(np, name)
    },
}
