"""pow, cbrt, hypot.

x^y = exp(y log x).  The logarithm is a pair of about 66 correct bits: with s = t / (2 + t) as a
pair, log(1 + t) = 2 s (1 + z/3 + z^2 T(z)), z = s^2, of which only T is in double precision.  The
cube root starts from an integer third of the bits, which is within 4 %; a polynomial of the error
gives 26 bits, whose square is exact, and one more step gives the rest.  Coefficients:
`tools/minimax.py`.
"""

from runtime.engines.native.vector_math.accurate import (
    INFINITY,
    Pair,
    exact_product,
    exact_sum,
    invalid,
    ordered_sum,
    outside,
    pair_product,
    pole,
    quieted,
    quotient,
)
from runtime.engines.native.vector_math.exponentials import (
    LN2,
    LN2_HIGH,
    LN2_LOW,
    coefficients,
    exp_tail,
    scaled,
)
from runtime.engines.native.vector_math.expressions import Formula, Operand, Value
from runtime.engines.native.vector_math.logarithms import (
    SCALE,
    SMALLEST_NORMAL,
    log_of,
    normalised,
)
from runtime.engines.native.vector_math.ratios import balanced

THIRD = 1 / 3, 2.0**-54 / 3  # 1/3 as a pair
EXPONENTS = 2.0**-66, 2.0**66  # other exponents give 1, 0 or inf, or nearly 1


def accurate_log(f: Formula, x: Value, offset: Operand) -> Pair:
    """log(x) + offset log 2 as a pair, for a positive normal x."""
    k, one_plus_t = normalised(f, x)
    t = one_plus_t - 1.0
    s = ordered_sum(*quotient(f, (t, f.value(0.0, "f64")), ordered_sum(2.0, t)))
    z = pair_product(f, s, s)
    high, low = ordered_sum(THIRD[0], z[0] * f.polynomial(z[0], coefficients(f, "power")))
    product = pair_product(f, z, (high, low + THIRD[1]))
    high, low = ordered_sum(1.0, product[0])
    near = pair_product(f, s, (high, low + product[1]))
    k = k + offset
    high, low = exact_sum(k * LN2_HIGH, 2.0 * near[0])
    return ordered_sum(high, low + f.multiply_add(LN2_LOW, k, 2.0 * near[1]))


def power_of(f: Formula, x: Value, y: Value, offset: Operand) -> Value:
    """(x 2^offset)^y for a positive normal x and 2^-66 <= |y| < 2^66."""
    if f.single:
        product, rest = y * log_of(f, x, offset=offset), f.value(0.0, "f64")
    else:
        log, log_low = accurate_log(f, x, offset)
        product, rest = exact_product(f, y, log)
        rest = f.multiply_add(y, log_low, rest)
    above, below = product > 800.0, product < -800.0
    product = f.choose(above, 800.0, f.choose(below, -800.0, product))
    rest = f.choose(above | below, 0.0, rest)
    whole, n = f.rounded(product * (1 / LN2))
    high = f.multiply_add(-LN2_HIGH, whole, product)
    low = f.multiply_add(LN2_LOW, whole, -rest)
    r = high - low
    return scaled(f, 1.0 + (r + exp_tail(f, r, (high - r) - low)), n, whole)


def pow(f: Formula, x: Value, y: Value) -> Value:
    """x^y, with the special cases of C's `pow`."""
    special = (
        outside(f, y, *EXPONENTS) | f.is_negative(x) | outside(f, x, SMALLEST_NORMAL, INFINITY)
    )
    base, exponent = f.chosen(special, 1.0, x), f.chosen(special, 1.0, y)

    def rare() -> tuple[Value]:
        return (_rare_power(f, x, y),)

    return f.where_any(special, (power_of(f, base, exponent, 0.0),), rare)[0]


def _is_whole(f: Formula, size: Value) -> Value:
    """Whether a number that is not negative is whole; large ones are, and infinities."""
    moderate = ~f.is_below(size, 1.0) & f.is_below(size, 2.0**52)
    given = f.chosen(moderate, size, 1.0)
    return given.equals(f.fence(given + 2.0**52) - 2.0**52) & ~f.is_below(size, 1.0)


def _rare_power(f: Formula, x: Value, y: Value) -> Value:
    """x^y where x is negative, 0, tiny, inf or nan, or y is 0, tiny, huge, inf or nan."""
    x_size, y_size = f.magnitude(x), f.magnitude(y)
    finite = f.is_below(x, INFINITY) & f.is_below(y, INFINITY)
    whole, half = _is_whole(f, y_size), f.chosen(f.is_below(y, 2.0), 1.0, y_size) * 0.5
    odd = whole & ~_is_whole(f, half) & f.is_below(y, 2.0**53)
    nonzero = finite & ~x.equals(0.0) & ~y.equals(0.0)
    refused = nonzero & f.is_negative(x) & ~whole
    plain = nonzero & ~refused
    value = _scaled_power(f, x_size, y, plain)
    down = f.is_negative(y)
    zero = x.equals(0.0)
    end = f.choose(down, pole(f, zero & down & f.is_below(y, INFINITY) & ~y.equals(0.0)), 0.0)
    at_zero = f.choose(down & ~f.is_below(y, INFINITY), INFINITY, end)
    grows = ~f.is_below(x, 1.0) ^ down
    far = f.choose(x_size.equals(1.0), 1.0, f.choose(grows, INFINITY, 0.0))
    result = f.choose(plain, value, f.choose(zero, at_zero, far))
    result = f.choose(f.is_negative(x) & odd, -result, result)
    result = f.choose(refused, invalid(f, refused), result)
    result = f.choose(x.is_nan() | y.is_nan(), quieted(f, x) + quieted(f, y), result)
    return f.choose(y.equals(0.0) | x.equals(1.0), 1.0, result)


def _scaled_power(f: Formula, x: Value, y: Value, plain: Value) -> Value:
    """x^y where `plain` holds: there, x is positive, x and y are finite, and y is not 0."""
    tiny = plain & f.is_below(x, SMALLEST_NORMAL)
    base = f.chosen(plain, x, 1.0) * f.chosen(tiny, 2.0**SCALE, 1.0)
    size = f.choose(f.is_below(y, EXPONENTS[0]), EXPONENTS[0], f.magnitude(y))
    size = f.choose(f.is_below(y, EXPONENTS[1]), size, EXPONENTS[1])
    exponent = f.chosen(plain, f.with_sign_of(size, y), 1.0)
    return power_of(f, base, exponent, f.choose(tiny, -float(SCALE), 0.0))


def cube_root_of(f: Formula, x: Value) -> Value:
    """The cube root of a number in [2^-900, 2^900]."""
    third = f.from_integer(f.bits(x) >> 20) * (1 / 3) + (682 - 0.0336) * 2.0**32
    guess = f.from_bits(f.rounded(third)[1] << 20)
    inverse = 1.0 / x
    error = 1.0 - guess * guess * guess * inverse
    guess = f.multiply_add(guess * error, f.polynomial(error, coefficients(f, "cbrt")), guess)
    guess = f.from_bits(f.bits(guess) & -(1 << 27))
    square = guess * guess
    step = x / square - guess
    return f.multiply_add(step * (1 / 3), 1.0 - step * square * inverse * (1 / 3), guess)


def cbrt(f: Formula, x: Value) -> Value:
    """The cube root, odd; numbers near the ends of the range are scaled."""
    special = outside(f, x, 2.0**-900, 2.0**900)
    size = f.magnitude(x)

    def rare() -> tuple[Value]:
        plain = f.is_below(x, INFINITY) & ~x.equals(0.0)
        huge = plain & ~f.is_below(x, 1.0)
        scale = f.chosen(plain, f.choose(huge, 2.0**-300, 2.0**300), 1.0)
        back = f.chosen(plain, f.choose(huge, 2.0**100, 2.0**-100), 1.0)
        value = cube_root_of(f, f.chosen(plain, size, 1.0) * scale) * back
        return (f.choose(plain, value, f.choose(x.is_nan(), quieted(f, x), size)),)

    y = cube_root_of(f, f.chosen(special, 1.0, size))
    return f.with_sign_of(f.where_any(special, (y,), rare)[0], x)


def hypot(f: Formula, x: Value, y: Value) -> Value:
    """sqrt(x^2 + y^2); numbers whose squares would leave the range are scaled."""
    special = outside(f, x, 2.0**-500, 2.0**500) | outside(f, y, 2.0**-500, 2.0**500)

    def length(left: Value, right: Value) -> Value:
        return f.square_root(f.multiply_add(left, left, right * right))

    def rare() -> tuple[Value]:
        small, large, back, apart = balanced(f, x, y)
        x_size, y_size = f.magnitude(x), f.magnitude(y)
        larger = f.choose(f.bits(y_size) > f.bits(x_size), y_size, x_size)
        result = f.choose(apart, larger, length(large, small) * back)
        result = f.choose(x.is_nan() | y.is_nan(), quieted(f, x) + quieted(f, y), result)
        infinite = x_size.equals(INFINITY) | y_size.equals(INFINITY)
        return (f.choose(infinite, INFINITY, result),)

    ordinary = length(f.chosen(special, 1.0, x), f.chosen(special, 1.0, y))
    return f.where_any(special, (ordinary,), rare)[0]
