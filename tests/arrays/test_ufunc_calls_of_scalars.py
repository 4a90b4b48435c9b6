"""Ufuncs that are called with scalars have the bits of NumPy, which computes them as arrays.

np.multiply(z, w)       fused products: other bits than z * w
np.absolute(z)          other bits than abs(z)
"""

import numpy as np
import pytest
from support.outcomes import quiet

import runtime as rt

# NumPy's loop for `square` of complex numbers chooses its instructions by the place in memory.
ONE = [np.absolute, np.negative, np.conjugate, np.reciprocal, np.sqrt, np.sign, np.positive]
TWO = [np.add, np.subtract, np.multiply, np.divide, np.power, np.maximum]
COMPLEX = [np.complex128, np.complex64]
DTYPES = [*COMPLEX, np.float64, np.float32, np.int32]


def call_of(ufunc):
    """A function that calls a ufunc."""

    def call(*values):
        return ufunc(*values)

    return call


def values(dtype, count):
    chance = np.random.default_rng(3)
    if dtype is np.int32:
        return [(dtype(a), dtype(b)) for a, b in chance.integers(1, 40, (count, 2))]
    parts = chance.normal(size=(count, 2, 2))
    if dtype in COMPLEX:
        return [tuple(map(dtype, one)) for one in parts @ np.array([1, 1j])]
    return [tuple(map(dtype, np.abs(one[0]))) for one in parts]


def same(one, other):
    return type(one) is type(other) and one.tobytes() == other.tobytes()


@pytest.mark.parametrize("engine", ["numpy", "native"])
@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.__name__)
@pytest.mark.parametrize("ufunc", [*ONE, *TWO], ids=lambda ufunc: ufunc.__name__)
def test_a_call_has_numpys_bits(ufunc, dtype, engine):
    call = call_of(ufunc)
    staged = rt.function(call, engine=engine)
    with quiet():
        for pair in values(dtype, 30):
            given = pair[: ufunc.nin]
            assert same(staged(*given), call(*given)), given


KNOWN = np.complex128(0.3 - 1.7j)


def with_known_operand(z):
    product = KNOWN
    product *= z
    return KNOWN * z, np.multiply(KNOWN, z), z * KNOWN, np.multiply(z, KNOWN), product


@pytest.mark.parametrize("engine", ["numpy", "native"])
def test_operators_of_numpys_scalars_are_no_calls(engine):
    staged = rt.function(with_known_operand, engine=engine)
    for z, _ in values(np.complex128, 30):
        assert all(map(same, staged(z), with_known_operand(z)))


def escape(c, n):
    z, total = 0j, 0.0
    for i in range(n):
        if np.abs(z) > 2:
            return i, total
        z = np.multiply(z, z) + c
        total += abs(z) + np.abs(z * c)
    return -1, total


@pytest.mark.parametrize("engine", ["numpy", "native"])
def test_calls_in_a_loop_have_numpys_bits(engine):
    staged = rt.function(escape, engine=engine)
    for c, _ in values(np.complex128, 30):
        found, wanted = staged(c, np.int64(50)), escape(c, np.int64(50))
        assert found == wanted and same(np.float64(found[1]), np.float64(wanted[1]))


def test_a_loop_with_calls_is_machine_code():
    staged = rt.function(escape, engine="native")
    staged(np.complex128(0.1), np.int64(50))
    assert "not native" not in str(staged.native(np.complex128(0.1), np.int64(50)))


def test_calls_have_the_derivatives_of_operators():
    def called(z, w):
        return np.absolute(np.multiply(z, w))

    def written(z, w):
        return abs(z * w)

    z, w = np.complex128(1 + 2j), np.complex128(0.3 - 0.7j)
    for found, wanted in zip(
        (*rt.grad(called, argnums=(0, 1))(z, w), *rt.jvp(called, (z, w), (w, z))),
        (*rt.grad(written, argnums=(0, 1))(z, w), *rt.jvp(written, (z, w), (w, z))),
        strict=True,
    ):
        assert abs(found - wanted) <= 1e-15 * abs(wanted)
    batch = np.array([z, w, z * w])
    assert np.array_equal(rt.vmap(called)(batch, batch), np.absolute(np.multiply(batch, batch)))
