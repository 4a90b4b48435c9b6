"""Gradients of einsums: products of matrices where these are large enough, einsums elsewhere."""

import itertools

import numpy as np
import pytest

import runtime as rt

SIZES = {"i": 5, "j": 12, "k": 11, "m": 13, "n": 4}
SUBSCRIPTS = [
    "ijk,mik->mij", "ij,jk->ik", "ij,kj->ik", "ji,jk->ki", "ijk,ikm->ijm", "mij,mik->ijk",
    "ij,ij->i", "ij,jk->k", "ij,j->i", "i,j->ij", "ijk,kjm->im", "nijk,inkm->nijm", "ij,jk",
    "...jk,...km->...jm", "jj,jk->k", "ij,jk->", "i,ij,jk->k",
]  # fmt: skip


def arrays_of(subscripts, dtype):
    data = np.random.default_rng(0)
    found = []
    for part in subscripts.split("->")[0].split(","):
        shape = tuple(SIZES[c] for c in part.replace("...", "i"))
        found.append(data.normal(size=shape).astype(dtype))
        if np.dtype(dtype).kind == "c":
            found[-1] = found[-1] + 1j * data.normal(size=shape).astype(dtype)
    return found


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.complex128])
@pytest.mark.parametrize("subscripts", SUBSCRIPTS)
def test_cotangents_are_those_of_einsum(subscripts, dtype):
    """`optimize=True` keeps the einsums of the cotangents."""
    arrays = arrays_of(subscripts, dtype)
    weights = np.random.default_rng(1).normal(size=np.einsum(subscripts, *arrays).shape)

    def total(optimize):
        def of(*arrays):
            found = np.einsum(subscripts, *arrays, optimize=optimize)
            return np.sum(np.abs(found * weights.astype(dtype)) ** 2)

        return rt.function(rt.grad(of, argnums=tuple(range(len(arrays)))), engine="numpy")

    limit = 1e-4 if dtype == np.float32 else 1e-11
    for found, expected in zip(total(False)(*arrays), total(True)(*arrays), strict=True):
        assert found.dtype == expected.dtype and found.shape == expected.shape
        np.testing.assert_allclose(found, expected, rtol=limit, atol=limit * np.abs(expected).max())


@pytest.mark.parametrize(
    ("subscripts", "size", "expected"),
    [("ij,jk->ik", 12, True), ("ij,jk->ik", 3, False), ("nij,njk->nik", 12, True)],
)
def test_large_products_are_products_of_matrices(subscripts, size, expected):
    x, y = (np.ones((size,) * len(part)) for part in subscripts.split("->")[0].split(","))
    slope = rt.grad(lambda x, y: np.sum(np.einsum(subscripts, x, y) ** 2), argnums=(0, 1))
    source = rt.function(slope, engine="numpy").source(x, y)
    assert ("@" in source) is expected
    assert (source.count("einsum") == 1) is expected


def test_second_derivatives_of_products():
    x, y = (np.random.default_rng(n).normal(size=(11, 11)) for n in (0, 1))

    def slope(x, y):
        return np.sum(rt.grad(lambda x: np.sum(np.einsum("ij,jk->ik", x, y) ** 3))(x) * y)

    found = rt.function(rt.grad(slope, argnums=(0, 1)))(x, y)
    step = 1e-6
    for place, (i, j) in itertools.product((0, 1), ((0, 0), (3, 7))):
        ends = []
        for sign in (1, -1):
            moved = [x.copy(), y.copy()]
            moved[place][i, j] += sign * step
            ends.append(float(rt.function(slope)(*moved)))
        np.testing.assert_allclose((ends[0] - ends[1]) / (2 * step), found[place][i, j], rtol=1e-4)
