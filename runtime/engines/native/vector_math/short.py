"""Short formulas, for processors that multiply and add at once.

    rare, y = exp(f, x)         y is the result in the lanes where `rare` is false

In rare lanes, where an argument is nan, inf, far away or refused, or a result is below the normal
numbers, the longer formula of the same name computes, in double precision.  Errors are below 2
units in the last place (of all arguments in single precision: `tools/exhaustive_math.py`).
Coefficients: `tools/minimax.py`.
"""

from collections.abc import Callable
from dataclasses import dataclass

from runtime.engines.native.vector_math.accurate import INFINITY, Pair, exact_sum, ordered_sum
from runtime.engines.native.vector_math.coefficients import IN_SINGLE, POLYNOMIALS
from runtime.engines.native.vector_math.expressions import FORMATS, Formula, Value, bits_of

Found = tuple[Value, Value]
# Constants as two numbers: the nearest one, and the nearest of the rest.
LN2 = float.fromhex("0x1.62e43p-1"), float.fromhex("-0x1.05c610p-29")
LOG2_E = float.fromhex("0x1.715476p+0"), float.fromhex("0x1.4ae0cp-26")
LOG10_E = float.fromhex("0x1.bcb7b2p-2"), float.fromhex("-0x1.5b235ep-27")
LOG10_2 = float.fromhex("0x1.344136p-2"), float.fromhex("-0x1.ec10cp-27")
HALF_PI = (
    float.fromhex("0x1.921fb6p+0"),
    float.fromhex("-0x1.777a5cp-25"),
    float.fromhex("-0x1.ee59dap-50"),
)
TWO_OVER_PI = float.fromhex("0x1.45f306p-1")
ONE = bits_of(1.0, "f32")
ROOT_HALF = bits_of(0.5**0.5, "f32")
SMALLEST_NORMAL = bits_of(2.0**-126, "f32")
FRACTION = FORMATS["f32"][1]
EXPONENTS = 128 << FRACTION  # keeps a difference of bits from being negative


def not_below(f: Formula, x: Value, limit: float) -> Value:
    """Whether |x| is at least a limit, or nan."""
    return ~f.is_below(x, limit)


def vanishing(f: Formula, x: Value) -> Value:
    """Whether a number is below the normal ones, but not 0."""
    least = 1 << fraction(f)
    return (f.bits(f.magnitude(x)) - 1).below(least - 1)


def fraction(f: Formula) -> int:
    """The number of bits of a fraction."""
    return FORMATS[f.real][1]


# -- exponentials ----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Limits:
    """Constants of exponentials in one precision.

    ln2        two numbers: the nearest one, and the nearest of the rest
    far        below it, exp(|x|) and its inverse are normal numbers
    one        from it on, tanh is 1
    tiny       below it, tanh(x) and expm1(x) are x
    """

    ln2: tuple[float, float]
    exp: tuple[float, ...]
    far: float
    one: float
    tiny: float


LIMITS = {
    "f32": Limits(LN2, IN_SINGLE["exp"], 87.0, 10.0, 2.0**-30),
    "f64": Limits(
        (float.fromhex("0x1.62e42fefa39efp-1"), float.fromhex("0x1.abc9e3b39803fp-56")),
        POLYNOMIALS["exp"][0],
        708.0,
        20.0,
        2.0**-60,
    ),
}


def reduced(f: Formula, x: Value) -> tuple[Value, Value, Value, Value]:
    """x = n ln 2 + r + r_low: n as a float, n in the bits of an exponent, r, and x - n ln2[0]."""
    high, low = LIMITS[f.real].ln2
    shifted = f.fence(f.multiply_add(1 / high, x, f.magic))
    whole = shifted - f.magic
    near = f.multiply_add(-high, whole, x)
    return whole, f.bits(shifted) << fraction(f), f.multiply_add(-low, whole, near), near


def exponential(f: Formula, x: Value) -> Value:
    """exp(x) where it is normal.  No product of small numbers is computed: it would underflow."""
    _, power, r, _ = reduced(f, x)
    return f.from_bits(f.bits(f.in_turn(r, (1.0, 1.0, *LIMITS[f.real].exp))) + power)


def less_one(f: Formula, x: Value) -> Pair:
    """exp(x) - 1 as a pair: (2^n - 1) + 2^n r + 2^n (exp(r) - 1 - r), for an x that is not tiny."""
    whole, power, r, near = reduced(f, x)
    limits = LIMITS[f.real]
    r_low = f.multiply_add(-limits.ln2[1], whole, near - r)
    tail = f.multiply_add(r * r, f.polynomial(r, limits.exp), r_low)
    scale = f.from_bits(power + bits_of(1.0, f.real))
    high = f.multiply_add(scale, r, scale - 1.0)
    y = f.multiply_add(scale, tail, high)
    return y, f.multiply_add(scale, tail, high - y)


def exp(f: Formula, x: Value) -> Found:
    """2^n exp(r)."""
    rare = not_below(f, x, LIMITS[f.real].far)
    return rare, exponential(f, f.chosen(rare, 1.0, x))


def exp2(f: Formula, x: Value) -> Found:
    """2^n 2^p for the nearest whole number n and p = x - n."""
    rare = not_below(f, x, 126.0)
    given = f.chosen(rare, 1.0, x)
    shifted = f.fence(given + f.magic)
    part = given - (shifted - f.magic)
    y = f.in_turn(part, (1.0, LN2[0], *IN_SINGLE["exp2"]))
    return rare, f.from_bits(f.bits(y) + (f.bits(shifted) << fraction(f)))


def expm1(f: Formula, x: Value) -> Found:
    """exp(x) - 1; x where |x| is tiny."""
    limits = LIMITS[f.real]
    rare, tiny = not_below(f, x, limits.far) | vanishing(f, x), f.is_below(x, limits.tiny)
    return rare, f.choose(tiny, x, less_one(f, f.chosen(rare | tiny, 1.0, x))[0])


def tanh(f: Formula, x: Value) -> Found:
    """t / (t + 2) with t = exp(2 |x|) - 1 and the sign of x; x where |x| is tiny.

    In single precision a polynomial up to 0.625, and 1 - 2 / (exp(2 |x|) + 1) from there on.
    """
    limits = LIMITS[f.real]
    rare, tiny = x.is_nan() | vanishing(f, x), f.is_below(x, limits.tiny)
    given = f.magnitude(f.chosen(rare | tiny, 1.0, x))
    size = f.choose(f.is_below(given, limits.one), given, limits.one)
    if f.real == "f64":
        t, t_low = less_one(f, size + size)
        total, low = exact_sum(2.0, t)
        y = t / total
        rest = f.multiply_add(-y, low + t_low, t_low)  # of the division
        y = f.multiply_add(rest, 0.5 - 0.5 * y, y)
    else:
        z = size * size
        near = f.multiply_add(size * z, f.in_turn(z, IN_SINGLE["tanh"]), size)
        far = 1.0 - 2.0 / (exponential(f, size + size) + 1.0)
        y = f.choose(f.is_below(size, 0.625), near, far)
    return rare, f.choose(tiny, x, f.with_sign_of(y, x))


def sigmoid(f: Formula, x: Value) -> Found:
    """1 / (1 + e), or e / (1 + e) for negative numbers, with e = exp(-|x|).

    The sum is a pair, of which the second number changes the quotient y by y low / (1 + e).
    """
    rare = not_below(f, x, LIMITS[f.real].far)
    given = f.chosen(rare, 1.0, x)
    e = exponential(f, -f.magnitude(given))
    negative = f.is_negative(given)
    total, low = ordered_sum(1.0, e)
    y = f.choose(negative, e, 1.0) / total
    inverse = f.choose(negative, 1.0 - y, y)
    return rare, f.multiply_add(-low * inverse, y, y)


# -- logarithms ------------------------------------------------------------------------------------


def normalised(f: Formula, x: Value) -> tuple[Value, Value]:
    """k and t, for a positive normal x = 2^k (1 + t) with 1 + t between sqrt(1/2) and sqrt(2)."""
    k = ((f.bits(x) - ROOT_HALF + EXPONENTS) >> FRACTION) - 128
    one_plus_t = f.from_bits(f.bits(x) - (k << FRACTION))
    return f.converted("sitofp", k, f.real), one_plus_t - 1.0


def rest_of_log(f: Formula, t: Value) -> Value:
    """log(1 + t) - t."""
    z = t * t
    return f.multiply_add(z * t, f.in_turn(t, IN_SINGLE["log"]), -0.5 * z)


def _not_normal(f: Formula, x: Value) -> Value:
    """Whether a number is not positive and normal."""
    range = bits_of(INFINITY, "f32") - SMALLEST_NORMAL
    return ~(f.bits(x) - SMALLEST_NORMAL).below(range)


def log(f: Formula, x: Value) -> Found:
    """k ln 2 + log(1 + t)."""
    rare = _not_normal(f, x)
    k, t = normalised(f, f.chosen(rare, 1.0, x))
    rest = f.multiply_add(LN2[1], k, rest_of_log(f, t))
    return rare, f.multiply_add(LN2[0], k, t + rest)


def log2(f: Formula, x: Value) -> Found:
    """k + log(1 + t) / ln 2; exact for powers of 2."""
    rare = _not_normal(f, x)
    k, t = normalised(f, f.chosen(rare, 1.0, x))
    rest = f.multiply_add(LOG2_E[1], t, rest_of_log(f, t) * LOG2_E[0])
    return rare, k + f.multiply_add(LOG2_E[0], t, rest)


def log10(f: Formula, x: Value) -> Found:
    """k log10(2) + log(1 + t) / ln 10."""
    rare = _not_normal(f, x)
    k, t = normalised(f, f.chosen(rare, 1.0, x))
    rest = f.multiply_add(LOG10_E[1], t, rest_of_log(f, t) * LOG10_E[0])
    rest = f.multiply_add(LOG10_2[1], k, rest)
    return rare, f.multiply_add(LOG10_2[0], k, f.multiply_add(LOG10_E[0], t, rest))


def log1p(f: Formula, x: Value) -> Found:
    """log(high) + low / high, where 1 + x = high + low."""
    below = f.is_negative(x) & not_below(f, x, 1.0)
    rare = below | not_below(f, x, 2.0**100) | vanishing(f, x)
    given = f.chosen(rare, 1.0, x)
    high, low = exact_sum(1.0, given)
    k, t = normalised(f, high)
    part = f.from_bits(f.bits(t + 1.0) - f.bits(high) + ONE)  # 2^-k
    low = low * part * f.multiply_add(-t, 1.0 - t, 1.0)
    rest = f.multiply_add(LN2[1], k, rest_of_log(f, t) + low)
    return rare, f.with_sign_of(f.multiply_add(LN2[0], k, t + rest), x)


# -- trigonometry ----------------------------------------------------------------------------------


def sine(f: Formula, x: Value, quadrants: int) -> Found:
    """The sine of x and some quadrants: n quadrants and a rest r + r_low in [-pi/4, pi/4]."""
    rare, tiny = not_below(f, x, 2.0**16), f.is_below(x, 2.0**-13)
    rare = rare if quadrants else rare | vanishing(f, x)
    given = f.chosen(rare | tiny, 1.0, x)
    shifted = f.fence(f.multiply_add(TWO_OVER_PI, given, f.magic))
    whole = shifted - f.magic
    near = f.multiply_add(-HALF_PI[0], whole, given)
    product = whole * HALF_PI[1]
    r = near - product
    r_low = (near - r) - product - f.multiply_add(whole, f.value(HALF_PI[1], f.real), -product)
    r_low = f.multiply_add(-HALF_PI[2], whole, r_low)
    z = r * r
    sin = r + f.multiply_add(r * z, f.in_turn(z, IN_SINGLE["sin"]), r_low)
    less = f.multiply_add(-0.5, z, 1.0)
    cos = f.multiply_add(z * z, f.in_turn(z, IN_SINGLE["cos"]), less)
    n = f.bits(shifted) + quadrants
    y = f.choose((n & 1).equals(1), cos, sin)
    y = f.from_bits(f.bits(y) ^ ((n & 2) << 30))
    return rare, f.choose(tiny, 1.0 if quadrants else x, y)


def sin(f: Formula, x: Value) -> Found:
    """The sine; x where |x| is tiny."""
    return sine(f, x, 0)


def cos(f: Formula, x: Value) -> Found:
    """The cosine: the sine of one quadrant more; 1 where |x| is tiny."""
    return sine(f, x, 1)


# The formulas for each kind of floats.
SHORT: dict[str, dict[str, Callable[[Formula, Value], Found]]] = {
    # op names: their formulas in single precision
    "f32": {
        "exp": exp,
        "exp2": exp2,
        "expm1": expm1,
        "tanh": tanh,
        "sigmoid": sigmoid,
        "log": log,
        "log1p": log1p,
        "log2": log2,
        "log10": log10,
        "sin": sin,
        "cos": cos,
    },
    # op names: their formulas in double precision
    "f64": {"exp": exp, "expm1": expm1, "tanh": tanh, "sigmoid": sigmoid},
}
