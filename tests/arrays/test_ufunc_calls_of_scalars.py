"""Ufuncs that are called with scalars have the bits of NumPy, which computes them as arrays.

np.multiply(z, w)       fused products: other bits than z * w
np.absolute(z)          other bits than abs(z)
np.less(z, w)           another answer than z < w, if a part is nan
"""

import numpy as np
import pytest
from loading import load
from support.outcomes import quiet, result_or_error

import runtime as rt

# NumPy's loop for `square` of complex numbers chooses its instructions by the place in memory.
ONE = [np.absolute, np.negative, np.conjugate, np.reciprocal, np.sqrt, np.sign, np.positive]
TWO = [np.add, np.subtract, np.multiply, np.divide, np.power, np.maximum, np.less, np.greater_equal]
COMPLEX = [np.complex128, np.complex64]
DTYPES = [*COMPLEX, np.float64, np.float32, np.int32]


def call_of(ufunc):
    """A function that calls a ufunc."""

    def call(*values):
        return ufunc(*values)

    return call


SPECIAL = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 5e-324, 1e-310, 1e300, -1.7e308, 2.0, 0.5]


def values(dtype, count, special=0.0):
    """Pairs of numbers, of which a share has special parts."""
    chance = np.random.default_rng(3)
    if dtype is np.int32:
        return [(dtype(a), dtype(b)) for a, b in chance.integers(1, 40, (count, 2))]
    parts = chance.normal(size=(count, 2, 2)) * 10.0 ** chance.integers(-3, 4, (count, 2, 2))
    is_special = chance.random(parts.shape) < special
    parts[is_special] = chance.choice(SPECIAL, is_special.sum())
    if dtype not in COMPLEX:
        return [tuple(map(dtype, np.abs(one[0]))) for one in parts]
    numbers = np.empty((count, 2), complex)
    numbers.real, numbers.imag = parts[..., 0], parts[..., 1]
    return [tuple(one) for one in numbers.astype(dtype)]


def same(one, other):
    """Whether two scalars have one class, and one value: all nans are equal."""
    if type(one) is not type(other):
        return False
    pairs = ((one.real, other.real), (one.imag, other.imag))
    return all(a.tobytes() == b.tobytes() or a != a and b != b for a, b in pairs)


@pytest.mark.parametrize("engine", ["numpy", "native"])
@pytest.mark.parametrize("dtype", DTYPES, ids=lambda dtype: dtype.__name__)
@pytest.mark.parametrize("ufunc", [*ONE, *TWO], ids=lambda ufunc: ufunc.__name__)
def test_a_call_has_numpys_bits(ufunc, dtype, engine):
    call = call_of(ufunc)
    staged = rt.function(call, engine=engine)
    with quiet():
        for pair in values(dtype, 60, special=0.3):
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


OPERATORS = (
    "z * w; z / w; z + w; z < w; z >= w; abs(z); -z; z**2; z**-1; z**-2; w * 2.0; 1j * z; z // w"
)


@pytest.mark.parametrize("engine", ["numpy", "native"])
@pytest.mark.parametrize("dtype", COMPLEX, ids=lambda dtype: dtype.__name__)
def test_operators_have_the_bits_of_scalars(dtype, engine):
    for text in OPERATORS.split("; "):
        function = load(f"def f(z, w):\n    return {text}\n", f"<{text}>").f
        staged = rt.function(function, engine=engine)
        with quiet():
            for pair in values(dtype, 40, special=0.3):
                found, wanted = (result_or_error(one, pair) for one in (staged, function))
                if isinstance(wanted, Exception):
                    assert (type(found), str(found)) == (type(wanted), str(wanted)), text
                else:
                    assert same(found, wanted), (text, pair)


def test_the_gradient_of_the_modulus_of_zero_is_zero():
    assert rt.grad(lambda z: np.absolute(z))(np.complex128(0)) == 0
