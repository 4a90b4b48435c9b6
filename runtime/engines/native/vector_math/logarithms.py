"""log, log1p, log2, log10, arcsinh, arccosh, arctanh.

All of them write a positive number as 2^k (1 + t) with 1 + t between sqrt(1/2) and sqrt(2), and
with s = t / (2 + t) find log(1 + t) = t - (t^2 / 2 - s (t^2 / 2 + R(s^2))), where R comes from
the series of the inverse hyperbolic tangent (the classical scheme of Cody and Waite, and of
fdlibm).  The number may be a pair: then log1p and the inverse hyperbolic functions lose nothing
near 0. Coefficients: `tools/minimax.py`.
"""

from runtime.engines.native.vector_math.accurate import (
    INFINITY,
    Pair,
    exact_product,
    exact_sum,
    invalid,
    ordered_sum,
    outside,
    pole,
    quieted,
    quotient,
    square_root,
)
from runtime.engines.native.vector_math.exponentials import (
    LN2_HIGH,
    LN2_LOW,
    coefficients,
)
from runtime.engines.native.vector_math.expressions import Formula, Operand, Value, bits_of

ROOT_HALF = bits_of(0.5**0.5)
LOG2_E = float.fromhex("0x1.71547652b82fep+0"), float.fromhex("0x1.777d0ffda0d24p-56")
LOG10_E = float.fromhex("0x1.bcb7b1526e50ep-2"), float.fromhex("0x1.95355baaafad3p-57")
LOG10_2 = float.fromhex("0x1.34413509f7p-2"), float.fromhex("0x1.3fde623e2566bp-43")
SMALLEST_NORMAL = 2.0**-1022
SCALE = 54  # numbers below the normal ones are multiplied by 2^54 first


def normalised(f: Formula, x: Value) -> tuple[Value, Value]:
    """k as a double, and 1 + t, for a positive normal x = 2^k (1 + t)."""
    shifted = f.bits(x) - ROOT_HALF + (1024 << 52)
    biased = shifted >> 52
    one_plus_t = f.from_bits(f.bits(x) - ((biased - 1024) << 52))
    return f.fence(f.from_bits(biased | bits_of(2.0**52))) - (2.0**52 + 1024), one_plus_t


def log_rest(f: Formula, t: Value, half_square: Value) -> Value:
    """log(1 + t) - t + t^2 / 2."""
    s = t / (t + 2.0)
    z = s * s
    return s * f.multiply_add(z, f.polynomial(z, coefficients(f, "log")), half_square)


def log_of(f: Formula, x: Value, x_low: Value | None = None, offset: Operand = 0.0) -> Value:
    """log(x + x_low) + offset log 2 for a positive normal x, rounded once or nearly so."""
    k, one_plus_t = normalised(f, x)
    t = one_plus_t - 1.0
    half_square = 0.5 * t * t
    rest = log_rest(f, t, half_square)
    if x_low is not None:
        low = x_low * _scale_of(f, x, one_plus_t)
        rest = rest + low * (1.0 - t * (1.0 - t))
    k = k + offset
    rest = f.multiply_add(LN2_LOW, k, rest)
    return f.multiply_add(LN2_HIGH, k, t - (half_square - rest))


def _scale_of(f: Formula, x: Value, part: Value) -> Value:
    """part / x, where it is a power of 2; 0 where it is below the normal numbers."""
    exponent = f.bits(part) - f.bits(x) + (1023 << 52)
    return f.from_bits(f.choose(exponent < (1 << 52), 0, exponent))


def log_to_base(f: Formula, x: Value, offset: Operand, base: int) -> Value:
    """log2 or log10 of a positive normal x times 2^offset.

    The logarithm of 1 + t is a pair, which is multiplied by log2(e) or log10(e) as a pair.
    """
    k, one_plus_t = normalised(f, x)
    t = one_plus_t - 1.0
    half_square = 0.5 * t * t
    high, low = ordered_sum(t, -half_square)
    low = low + log_rest(f, t, half_square)
    factor, factor_rest = LOG2_E if base == 2 else LOG10_E
    product, error = exact_product(f, high, factor)
    error = error + (high * factor_rest + low * factor)
    k = k + offset
    if base == 10:
        error = f.multiply_add(LOG10_2[1], k, error)
        k = k * LOG10_2[0]
    total, lost = exact_sum(k, product)
    return total + (lost + error)


def _logarithm(f: Formula, x: Value, base: int) -> Value:
    """A logarithm; for numbers that are not positive and normal, a second time or a constant."""

    def value(given: Value, offset: Operand) -> Value:
        if base:
            return log_to_base(f, given, offset, base)
        return log_of(f, given, offset=offset)

    def rare() -> tuple[Value]:
        small = f.is_below(x, SMALLEST_NORMAL) & ~f.is_negative(x) & ~x.equals(0.0)
        again = value(f.chosen(small, x, 1.0) * f.chosen(small, 2.0**SCALE, 1.0), -float(SCALE))
        zero = x.equals(0.0)
        y = f.choose(zero, -pole(f, zero), f.choose(small, again, INFINITY))
        return (_domain(f, x, y, f.is_negative(x) & ~zero & ~x.is_nan()),)

    bits = f.bits(x)
    special = ~(bits - bits_of(SMALLEST_NORMAL)).below(bits_of(INFINITY) - bits_of(SMALLEST_NORMAL))
    return f.where_any(special, (value(f.chosen(special, 1.0, x), 0.0),), rare)[0]


def _domain(f: Formula, x: Value, y: Operand, refused: Value) -> Value:
    """y, but nan and `invalid` where an argument is refused, and nan where it is nan."""
    result = f.choose(refused, invalid(f, refused), y)
    return f.choose(x.is_nan(), quieted(f, x), result)


def log(f: Formula, x: Value) -> Value:
    """The natural logarithm."""
    return _logarithm(f, x, 0)


def log2(f: Formula, x: Value) -> Value:
    """The logarithm to base 2; exact for powers of 2."""
    return _logarithm(f, x, 2)


def log10(f: Formula, x: Value) -> Value:
    """The logarithm to base 10."""
    return _logarithm(f, x, 10)


def log1p(f: Formula, x: Value) -> Value:
    """log(1 + x), of 1 + x as a pair.  Where |x| is tiny the result is x."""
    special = outside(f, x, 2.0**-54, 2.0**1000) | (f.is_negative(x) & ~f.is_below(x, 1.0))
    high, low = exact_sum(1.0, f.chosen(special, 1.0, x))

    def rare() -> tuple[Value]:
        tiny, huge = f.is_below(x, 2.0**-54), ~f.is_below(x, 1.0) & f.is_below(x, INFINITY)
        huge = huge & ~f.is_negative(x)
        far = f.choose(huge, log_of(f, f.chosen(huge, x, 1.0)), INFINITY)
        end = x.equals(-1.0)
        y = f.choose(tiny, x, f.choose(end, -pole(f, end), far))
        below = f.is_negative(x) & ~f.is_below(x, 1.0)
        return (_domain(f, x, y, below & ~end & ~x.is_nan()),)

    return f.where_any(special, (log_of(f, high, low),), rare)[0]


def arcsinh(f: Formula, x: Value) -> Value:
    """log(|x| + sqrt(x^2 + 1)) of a pair, with the sign of x; far away log(|x|) + log(2)."""
    special = outside(f, x, 2.0**-28, 2.0**28)
    size = f.chosen(special, 1.0, f.magnitude(x))
    square, error = exact_product(f, size, size)
    total, lost = exact_sum(1.0, square)
    root = square_root(f, (total, lost + error))
    y = log_of(f, *_sum_of(size, root))

    def rare() -> tuple[Value]:
        absolute = f.magnitude(x)
        huge = f.is_below(x, INFINITY) & ~f.is_below(x, 1.0)
        far = log_of(f, f.chosen(huge, absolute, 1.0), offset=1.0)
        far = f.choose(x.is_nan(), quieted(f, x), f.choose(huge, far, INFINITY))
        return (f.choose(f.is_below(x, 1.0), absolute, far),)

    return f.with_sign_of(f.where_any(special, (y,), rare)[0], x)


def _sum_of(x: Value, y: Pair) -> Pair:
    """x + y as a pair."""
    high, low = exact_sum(x, y[0])
    return ordered_sum(high, low + y[1])


def arccosh(f: Formula, x: Value) -> Value:
    """log(x + sqrt(x^2 - 1)) of a pair; far away log(x) + log(2)."""
    bits = f.bits(x)
    special = ~(bits - bits_of(1.0) - 1).below(bits_of(2.0**28) - bits_of(1.0))
    given = f.chosen(special, 2.0, x)
    square, error = exact_product(f, given, given)
    total, lost = exact_sum(-1.0, square)
    root = square_root(f, ordered_sum(total, lost + error))
    y = log_of(f, *_sum_of(given, root))

    def rare() -> tuple[Value]:
        huge = f.is_below(x, INFINITY) & ~f.is_below(x, 2.0) & ~f.is_negative(x)
        far = log_of(f, f.chosen(huge, x, 1.0), offset=1.0)
        one = x.equals(1.0)
        result = f.choose(one, 0.0, f.choose(huge, far, INFINITY))
        refused = (f.is_negative(x) | f.is_below(x, 1.0)) & ~x.is_nan()
        return (_domain(f, x, result, refused),)

    return f.where_any(special, (y,), rare)[0]


def arctanh(f: Formula, x: Value) -> Value:
    """log((1 + |x|) / (1 - |x|)) / 2 of a pair, with the sign of x.  Where |x| is tiny it is x."""
    special = outside(f, x, 2.0**-28, 1.0)
    size = f.chosen(special, 0.5, f.magnitude(x))
    ratio = quotient(f, exact_sum(1.0, size), exact_sum(1.0, -size))
    y = 0.5 * log_of(f, *ordered_sum(*ratio))

    def rare() -> tuple[Value]:
        absolute = f.magnitude(x)
        end = absolute.equals(1.0)
        result = f.choose(f.is_below(x, 0.5), absolute, f.choose(end, pole(f, end), 1.0))
        refused = ~f.is_below(x, 1.0) & ~end & ~x.is_nan()
        return (_domain(f, x, result, refused),)

    return f.with_sign_of(f.where_any(special, (y,), rare)[0], x)
