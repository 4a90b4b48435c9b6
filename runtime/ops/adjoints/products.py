"""Adjoints of matrix and vector products.

They follow IEEE arithmetic: 0 times infinity is nan.
"""

import numpy as np

from runtime.ir.derivative import OuterProduct
from runtime.ops.adjoints.sizes import count


def conjugated(x):
    """The complex conjugate; real arrays are returned unchanged."""
    return np.conjugate(x) if np.iscomplexobj(x) else x


def adjoint(x):
    """The conjugate transpose of the matrices in the last two axes."""
    return conjugated(np.swapaxes(x, -1, -2))


def matmul(d, r, x, y):
    """d y^H for the left operand, x^H d for the right; vectors count as rows or columns."""
    if np.ndim(x) == 1 and np.ndim(y) == 1:
        return d * conjugated(y), d * conjugated(x)
    if np.ndim(x) == 2 and np.ndim(y) == 1:
        return _all_products(d, conjugated(y)), adjoint(x) @ d
    if np.ndim(x) == 1 and np.ndim(y) == 2:
        return conjugated(y) @ d, _all_products(conjugated(x), d)
    if np.ndim(x) == 1:
        of_x = (conjugated(y) @ d[..., None])[..., 0]
        return of_x, conjugated(x)[:, None] * d[..., None, :]
    if np.ndim(y) == 1:
        return d[..., None] * conjugated(y), adjoint(_rows(x)) @ np.reshape(d, (-1,))
    of_x = d @ adjoint(y)
    if np.ndim(y) == 2:
        return of_x, adjoint(_rows(x)) @ _rows(d)
    return of_x, adjoint(x) @ d


def _all_products(column, row):
    """The outer product of two vectors, as a cotangent that loops can accumulate."""

    def added(total):
        return total + np.dot(column[:, None], row[None, :])

    return OuterProduct(added, column, row)


def _rows(x):
    """A stack of matrices as one matrix that has all their rows."""
    if np.ndim(x) == 2:
        return x
    leading = tuple(range(np.ndim(x) - 1))
    return np.reshape(x, (count(x, leading), np.shape(x)[-1]))


def dot(d, r, x, y):
    """Like `matmul`; with more dimensions, all rows of x times all columns of y."""
    if np.ndim(x) == 0 or np.ndim(y) == 0:
        return d * conjugated(y), d * conjugated(x)
    if np.ndim(y) <= 2:
        return matmul(d, r, x, y)
    rows, rank = np.ndim(x) - 1, np.ndim(y)
    rest = [axis for axis in range(rank) if axis != rank - 2]
    of_x = np.tensordot(d, conjugated(y), (list(range(rows, rows + rank - 1)), rest))
    leading = list(range(rows))
    of_y = np.tensordot(conjugated(x), d, (leading, leading))
    return of_x, np.moveaxis(of_y, 0, -2)


def outer(d, r, x, y):
    """The rows or columns of d, multiplied by the other operand and summed."""
    of_x = d @ conjugated(np.reshape(y, (-1,)))
    of_y = conjugated(np.reshape(x, (-1,))) @ d
    return np.reshape(of_x, np.shape(x)), np.reshape(of_y, np.shape(y))
