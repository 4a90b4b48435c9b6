"""Systems of linear equations."""

import numpy as np

import autograph
from runtime.export.library.definitions.table import defines, is_float


def _is_matrix(a):
    return getattr(a, "ndim", 0) == 2 and is_float(a)


@autograph.convert
def _check_square(a):
    if a.shape[0] != a.shape[1]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square")


@autograph.convert
def _eliminated(a, b):
    """Solves a @ x = b in place, by Gauss's elimination with rows exchanged; returns the
    determinant, which is 0 for a singular matrix."""
    count, determinant = len(a), a.dtype.type(1)
    for k in range(count):
        pivot = k
        for i in range(k + 1, count):
            if abs(a[i, k]) > abs(a[pivot, k]):
                pivot = i
        if a[pivot, k] == 0:
            determinant = a.dtype.type(0)
            break
        if pivot != k:
            determinant = -determinant
            for j in range(count):
                a[k, j], a[pivot, j] = a[pivot, j], a[k, j]
            for j in range(b.shape[1]):
                b[k, j], b[pivot, j] = b[pivot, j], b[k, j]
        determinant = determinant * a[k, k]
        for i in range(k + 1, count):
            factor = a[i, k] / a[k, k]
            for j in range(k + 1, count):
                a[i, j] = a[i, j] - factor * a[k, j]
            for j in range(b.shape[1]):
                b[i, j] = b[i, j] - factor * b[k, j]
    if determinant != 0:
        for step in range(count):
            i = count - 1 - step
            for j in range(b.shape[1]):
                total = b[i, j]
                for k in range(i + 1, count):
                    total = total - a[i, k] * b[k, j]
                b[i, j] = total / a[i, i]
    return determinant


@defines("linalg_solve")
def solved(a, b):
    """The x of a @ x = b."""
    if not _is_matrix(a) or getattr(b, "dtype", None) != a.dtype or b.ndim not in (1, 2):
        return NotImplemented
    _check_square(a)
    found = b.copy() if b.ndim == 2 else b.reshape(-1, 1).copy()
    if _eliminated(a.copy(), found) == 0:
        raise np.linalg.LinAlgError("Singular matrix")
    return found if b.ndim == 2 else found[:, 0]


@defines("linalg_inv")
def inverse(a):
    """The matrix whose product with a is the identity."""
    if not _is_matrix(a):
        return NotImplemented
    _check_square(a)
    found = np.zeros(a.shape, a.dtype)
    for i in range(len(a)):
        found[i, i] = 1
    if _eliminated(a.copy(), found) == 0:
        raise np.linalg.LinAlgError("Singular matrix")
    return found


@defines("linalg_det")
def determinant_of(a):
    """The determinant."""
    if not _is_matrix(a):
        return NotImplemented
    _check_square(a)
    return _eliminated(a.copy(), np.zeros((len(a), 1), a.dtype))
