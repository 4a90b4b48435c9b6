"""Norms of vectors whose elements lie apart have NumPy's bits in machine code.

`np.linalg.norm` multiplies a copy, whose elements lie next to each other, and BLAS adds those in
another order than elements of a column.
"""

import numpy as np
import pytest

import runtime as rt
from runtime.engines import native

pytestmark = pytest.mark.skipif(
    native.unusable() is not None, reason=f"no machine code: {native.unusable()}"
)


def of_a_column(x, j):
    return np.linalg.norm(x[:, j])


def of_columns(x, j):
    return np.array([np.linalg.norm(x[:, k]) for k in range(x.shape[1])])


def of_part_of_a_column(x, j):
    total = 0.0
    for k in range(j):
        total += np.linalg.norm(x[k:, k]) + np.linalg.norm(x[::2, k])
    return total


def of_a_plane(x, j):
    cube = x.reshape(4, 3, -1)
    return np.linalg.norm(cube[:, 1, 0]), np.linalg.norm(cube[1, :, 0])


def of_a_turned_row(x, j):
    return np.linalg.norm(x.T[j]), np.linalg.norm(x[j])


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize(
    "function",
    [of_a_column, of_columns, of_part_of_a_column, of_a_plane, of_a_turned_row],
    ids=lambda function: function.__name__,
)
def test_a_norm_has_numpys_bits(function, dtype):
    compiled = rt.function(function, engine="native")
    rng = np.random.default_rng(5)
    for _ in range(20):
        x = rng.standard_normal((12, 4)).astype(dtype)
        found, wanted = compiled(x, np.int64(3)), function(x, np.int64(3))
        assert np.asarray(found).tobytes() == np.asarray(wanted).tobytes()
