"""Complex scalars as machine code: the bits, warnings and exceptions of the NumPy engine."""

import itertools
import struct

import numpy as np
import pytest

pytest.importorskip("llvmlite", reason="the native engine needs the extra `native`")

from warning_records import recorded_warnings  # noqa: E402

import runtime as rt  # noqa: E402

EDGES = (0.0, -0.0, 1.0, -2.5, 5e-324, 1e-200, 1e200, 1.7e308, np.inf, -np.inf, np.nan)
CLASSES = (complex, np.complex128, np.complex64)


def bits(value):
    """A result with its type, in every bit but those of nan."""
    if isinstance(value, tuple):
        return tuple(map(bits, value))
    if isinstance(value, complex | np.complexfloating):
        return type(value), bits(float(value.real)), bits(float(value.imag))
    if isinstance(value, float | np.floating):
        return type(value), "nan" if value != value else struct.pack("d", value)
    return type(value), value


def seen(function, arguments):
    with recorded_warnings() as found:
        try:
            result = bits(function(*arguments))
        except (ArithmeticError, ValueError) as error:
            result = type(error), str(error)
    return result, sorted((one.category, str(one.message)) for one in found)


def numbers(of, seed, count):
    """Complex numbers: some usual ones, some with random bits, some with edge values."""
    random = np.random.default_rng(seed)
    usual = random.normal(size=(count, 2)) * 10.0 ** random.integers(-4, 5, (count, 1))
    wild = random.integers(0, 2**64, (count, 2), np.uint64).view(float)
    edges = random.choice(EDGES, (count, 2))
    with np.errstate(all="ignore"):
        return [of(complex(*two)) for two in random.permutation([*usual, *wild, *edges]).tolist()]


def arithmetic(x, y):
    return x + y, x - y, x * y, -x, x == y, x != y, x.real, y.imag, x.conjugate()


def quotients(x, y):
    return x / y


def with_floats(x, y):
    a = y.real
    return x + 1.5, a * x, x - 2, 3 * x, x / 0.75, 2 / x, x == 1, a - x


def moduli(x, y):
    return abs(x), abs(x - y), bool(x), not y


def low_powers(x, y):
    return x**2, x**3, x**1


def high_powers(x, y):
    return x**5, x**10.0


def negative_powers(x, y):
    return x**-1, y**-2, x**-5


PROGRAMS = (
    arithmetic,
    quotients,
    with_floats,
    moduli,
    low_powers,
    high_powers,
    negative_powers,
)


def of_python(program):
    """The program for Python's complex numbers.  As arguments, they would be constants."""

    def converted(x, y):
        return program(complex(x), complex(y))

    return converted


def check(program, of, calls, fewest):
    """Compares calls with Python's own; so many of them must be usual: no warning, no exception."""
    if of is complex:
        program, calls = of_python(program), [tuple(map(np.complex128, call)) for call in calls]
    native = rt.function(program, engine="native")
    for call in calls:
        assert seen(native, call) == seen(program, call), call
    assert "not native" not in native.native(*calls[0]), native.native(*calls[0])
    inside = [call for call in calls if not seen(program, call)[1]]
    assert len(inside) >= fewest


@pytest.mark.parametrize("of", CLASSES)
@pytest.mark.parametrize("program", PROGRAMS)
def test_bits_of_operators(program, of):
    if of is np.complex64 and program in (low_powers, high_powers, negative_powers):
        pytest.skip("powers of complex64 stay in NumPy")
    calls = list(zip(numbers(of, 1, 60), numbers(of, 2, 60), strict=True))
    check(program, of, calls, 20)


@pytest.mark.thorough
@pytest.mark.parametrize("of", CLASSES[:2])
@pytest.mark.parametrize("program", PROGRAMS)
def test_bits_of_operators_at_all_edges(program, of):
    edges = [of(complex(*two)) for two in itertools.product(EDGES, repeat=2)]
    random = zip(numbers(of, 3, 3000), numbers(of, 4, 3000), strict=True)
    check(program, of, [*random, *itertools.product(edges, edges[::7])], 20)


def mandelbrot(width, height, most):
    out = np.zeros((height, width), int)
    for i in range(height):
        for j in range(width):
            c, z = complex(-2 + 3 * j / width, -1.5 + 3 * i / height), 0j
            for k in range(most):  # noqa: B007
                if abs(z) > 2:
                    break
                z = z * z + c
            else:
                k = most
            out[i, j] = k
    return out


def julia(z, c, most):
    count = 0
    while abs(z) <= 2 and count < most:
        z, count = z * z + c, count + 1
    return z, count


def newton(z, c, most):
    for _ in range(most):
        step = (z**3 - 1) / (3 * z**2)
        if abs(step) < 1e-9:
            break
        z = z - step
    return z, z.real > 0


def either(z, c, most):
    found = 0j  # Python's, until the loop begins
    for k in range(most):
        found = complex(k, 0.5) if z.real > k else found * c
    return found, found == z


def ladder(z, most):
    return z if most <= 0 else z * ladder(z - 0.5j, most - 1)


def recursive(z, c, most):
    return ladder(z, most) + c


@pytest.mark.parametrize("program", [julia, newton, either, recursive])
def test_loops_branches_and_calls(program):
    points = numbers(np.complex128, 5, 5) + [np.complex128(0.1 + 0.2j), np.complex128(-0.5 + 1j)]
    counts = [np.int64(n) for n in (0, 1, 7)]
    calls = list(itertools.product(points, points[-3:], counts))
    native = rt.function(program, engine="native")
    for call in calls:
        assert seen(native, call) == seen(program, call), call
    assert "not native" not in native.native(*calls[-1]), native.native(*calls[-1])


def test_a_mandelbrot_set_is_one_piece():
    native = rt.function(mandelbrot, engine="native")
    assert native(17, 13, 30).tolist() == mandelbrot(17, 13, 30).tolist()
    assert "not native" not in native.native(17, 13, 30)


def third_type(x, y):
    return x + y, y - x, x * y, y * x, x / y, y / x


def third_type_of_python(x, y):
    return third_type(x, complex(y))


@pytest.mark.parametrize("real", [np.float64, np.float32, np.int64])
@pytest.mark.parametrize("program", [third_type, third_type_of_python])
def test_scalars_that_make_a_third_type(program, real):
    """NumPy computes them as arrays, by loops that contract: it shows in zeros that underflow."""
    of = np.complex64 if program is third_type else np.complex128
    reals = [1, -2, 0, 3, 2**40] if real is np.int64 else [*EDGES, -5e-324, 1e-3, 0.3]
    with np.errstate(all="ignore"):
        pairs = [(real(x), z) for x, z in itertools.product(reals, numbers(of, 6, 12))]
        if real is not np.int64:
            small = itertools.product(EDGES[:6], repeat=2)
            pairs += [(real(-0.4), of(complex(*two))) for two in small]
    native = rt.function(program, engine="native")
    for pair in pairs:
        assert seen(native, pair) == seen(program, pair), pair
    assert "not native" not in native.native(*pairs[0]), native.native(*pairs[0])


def plane(width, height, most):
    xs, ys = np.linspace(-2.0, 1.0, width), np.linspace(-1.5, 1.5, height)
    out = np.zeros((height, width), int)
    for i in range(height):
        for j in range(width):
            c, z = xs[j] + ys[i] * 1j, 0j
            while out[i, j] < most and abs(z) <= 2:
                z = z * z + c
                out[i, j] += 1
    return out


def test_a_point_of_two_floats_in_the_loop_of_a_set():
    native, sizes = rt.function(plane, engine="native"), [np.int64(n) for n in (17, 13, 30)]
    assert native(*sizes).tolist() == plane(*sizes).tolist()
    assert native.native(*sizes).count("native_") and "loop (" not in native.native(*sizes)


def transform(x):
    """The discrete Fourier transform, as its definition says."""
    n = len(x)
    out = np.zeros(n, complex)
    for k in range(n):
        total = 0j
        for i in range(n):
            total += x[i] * np.exp(-2j * np.pi * k * i / n)
        out[k] = total
    return out


def horner(x):
    """Values of a polynomial; its coefficients are a constant array."""
    coefficients, out = np.array([1j, 0.5, 2 - 1j]), np.full(x.shape, 2 + 1j, x.dtype)
    for i in range(len(x)):
        value = np.complex128(0)
        for k in range(3):
            value = value * x[i] + coefficients[k]
        out[i] = value
    return out, coefficients


def sums_so_far(x):
    before = x.copy()
    for i in range(1, len(x)):
        x[i] += x[i - 1]
    return x, before, x[-1]


def of_columns(x):
    total = np.complex128(0)
    pairs = x.reshape(2, -1)
    for j in range(pairs.shape[1]):
        total = total + pairs[:, j][1] * pairs[0, -j]
    return total, x[::2][1]


@pytest.mark.parametrize("of", [np.complex64, np.complex128])
@pytest.mark.parametrize("program", [transform, horner, sums_so_far, of_columns])
def test_elements_of_arrays(program, of):
    native = rt.function(program, engine="native")
    for seed in range(4):
        x = np.array(numbers(of, seed, 2)) if seed % 2 else np.arange(6).astype(of) + of(1j)
        found, wanted = x.copy(), x.copy()
        one, other = seen_arrays(native, found), seen_arrays(program, wanted)
        assert one == other, x
        assert bits_of_array(found) == bits_of_array(wanted)
    assert "native_1(" in native.native(x)
    if program is not of_columns and of is np.complex128:
        assert "    loop (" not in native.native(x), native.native(x)


def bits_of_array(x):
    if isinstance(x, tuple):
        return tuple(map(bits_of_array, x))
    return x.dtype, x.shape, [bits(one) for one in np.ravel(x)]


def seen_arrays(function, x):
    with recorded_warnings() as found:
        result = bits_of_array(function(x))
    return result, sorted((one.category, str(one.message)) for one in found)


def functions(x, y):
    return np.exp(x), np.sqrt(y), np.log(x), np.sin(x * 1e-3), np.square(y), np.isnan(x)


@pytest.mark.parametrize("of", [np.complex64, np.complex128])
def test_functions_of_scalars(of):
    calls = zip(numbers(of, 6, 60), numbers(of, 7, 60), strict=True)
    check(functions, of, list(calls), 10)
