"""exp, exp2, expm1, sinh, cosh, tanh, sigmoid.

All of them write x = n ln 2 + r with a whole n and |r| <= ln 2 / 2 (Cody and Waite: ln 2 is a sum
of two numbers, of which n times the first is exact), find exp(r) or its even and odd parts from
polynomials, and multiply by 2^n in two steps, so that results below the normal numbers are
rounded once, and overflow where they should.  Coefficients: `tools/minimax.py`.
"""

from runtime.engines.native.vector_math.accurate import (
    INFINITY,
    Pair,
    exact_product,
    exact_sum,
    ordered_sum,
    outside,
    overflow,
    quieted,
    quotient,
    underflow,
)
from runtime.engines.native.vector_math.coefficients import POLYNOMIALS
from runtime.engines.native.vector_math.expressions import Formula, Value

LN2_HIGH = float.fromhex("0x1.62e42fefa38p-1")  # 42 bits: exact times numbers of 11 bits
LN2_LOW = float.fromhex("0x1.ef35793c76730p-45")
LN2 = float.fromhex("0x1.62e42fefa39efp-1")
LN2_REST = float.fromhex("0x1.abc9e3b39803fp-56")  # ln 2 - LN2
TINY = 2.0**-60


def coefficients(f: Formula, name: str) -> tuple[float, ...]:
    """The coefficients of a polynomial for the precision of a formula."""
    return POLYNOMIALS[name][f.single]


def reduced(f: Formula, x: Value) -> tuple[Value, Value, Value, Value]:
    """n as a double and as an integer, and the pair r = x - n ln 2."""
    whole, n = f.rounded(x * (1 / LN2))
    high = f.multiply_add(-LN2_HIGH, whole, x)
    low = whole * LN2_LOW
    r = high - low
    return whole, n, r, (high - r) - low


def scaled(f: Formula, y: Value, n: Value, whole: Value) -> Value:
    """y 2^n for |n| < 2044, rounded once."""
    _, half = f.rounded(whole * 0.5)
    return y * f.power_of_two(half) * f.power_of_two(n - half)


def exp_tail(f: Formula, r: Value, r_low: Value) -> Value:
    """exp(r + r_low) - 1 - r for |r| <= ln 2 / 2."""
    return f.multiply_add(r * r, f.polynomial(r, coefficients(f, "exp")), r_low)


def limits(f: Formula, x: Value, below: float | Value, above: float | Value) -> Value:
    """What an exponential is far from 0: `below` and `above`, nan for nan."""
    return f.choose(x.is_nan(), quieted(f, x), f.choose(f.is_negative(x), below, above))


def overflown(f: Formula, x: Value, end: float) -> Value:
    """inf, with the flag `overflow` where x is from `end` on and finite."""
    far = f.is_below(x, INFINITY) & ~f.is_below(x, end) & ~f.is_negative(x)
    return f.choose(far, overflow(f, far), INFINITY)


def vanished(f: Formula, x: Value, end: float) -> Value:
    """0, with the flag `underflow` where x is up to `-end` and finite."""
    far = f.is_below(x, INFINITY) & ~f.is_below(x, end) & f.is_negative(x)
    return f.choose(far, underflow(f, far), 0.0)


def _exponential(f: Formula, x: Value, base_2: bool) -> Value:
    """exp(x) or 2^x.  Where |x| is tiny the result is 1; far away it is 0 or inf."""
    end = 1080.0 if base_2 else 746.0
    special = outside(f, x, TINY, end)
    ordinary = f.chosen(special, 1.0, x)
    if base_2:
        whole, n = f.rounded(ordinary)
        part = ordinary - whole
        r, low = exact_product(f, part, LN2)
        r_low = f.multiply_add(LN2_REST, part, low)
    else:
        whole, n, r, r_low = reduced(f, ordinary)
    y = scaled(f, 1.0 + (r + exp_tail(f, r, r_low)), n, whole)

    def rare() -> tuple[Value]:
        far = limits(f, x, vanished(f, x, end), overflown(f, x, end))
        return (f.choose(f.is_below(x, 1.0), 1.0, far),)

    return f.where_any(special, (y,), rare)[0]


def exp(f: Formula, x: Value) -> Value:
    """exp(x) = 2^n (1 + (r + tail(r)))."""
    return _exponential(f, x, base_2=False)


def exp2(f: Formula, x: Value) -> Value:
    """2^x: n is the nearest whole number, and r = (x - n) ln 2."""
    return _exponential(f, x, base_2=True)


def expm1(f: Formula, x: Value) -> Value:
    """exp(x) - 1 = 2^n ((1 - 2^-n) + r + tail), or (2^n - 1) + 2^n (r + tail) for negative n.

    The two large terms are added as a pair, so that nothing is lost where they nearly cancel.
    """
    special = outside(f, x, TINY, 746.0)
    whole, n, r, r_low = reduced(f, f.chosen(special, 1.0, x))
    tail = exp_tail(f, r, r_low)
    negative = whole < 0.0
    _, steps = f.rounded(-f.smaller(f.magnitude(whole), 60.0))
    small = f.power_of_two(steps)  # 2^-|n|
    start = f.choose(negative, small - 1.0, 1.0 - small)
    factor = f.choose(negative, small, 1.0)
    total, error = exact_sum(start, factor * r)
    y = total + f.multiply_add(factor, tail, error)
    positive_whole = f.choose(negative, 0.0, whole)
    y = scaled(f, y, f.choose(negative, 0, n), positive_whole)

    def rare() -> tuple[Value]:
        far = limits(f, x, -1.0, overflown(f, x, 746.0))
        return (f.choose(f.is_below(x, 1.0), x, far),)

    return f.where_any(special, (y,), rare)[0]


def hyperbolic_parts(f: Formula, r: Value, r_low: Value) -> Pair:
    """sinh(r) - r and cosh(r) - 1 for |r| <= ln 2 / 2."""
    z = r * r
    odd = f.multiply_add(r * z, f.polynomial(z, coefficients(f, "sinh")), r_low)
    return odd, z * f.polynomial(z, coefficients(f, "cosh"))


def hyperbolic(f: Formula, x: Value) -> tuple[Pair, Pair, Value, Value]:
    """sinh(x) 2^-n and cosh(x) 2^-n as pairs, and n, for x >= 0.

    With u = 4^-n, a = (1 - u) / 2, b = (1 + u) / 2, s = sinh(r), c = cosh(r) - 1:
    sinh(x) 2^-n = a + a c + b s and cosh(x) 2^-n = b + b c + a s.
    """
    whole, n, r, r_low = reduced(f, x)
    odd, even = hyperbolic_parts(f, r, r_low)
    _, steps = f.rounded(-2.0 * f.smaller(whole, 30.0))
    half_u = 0.5 * f.power_of_two(steps)
    a, a_low = ordered_sum(0.5, -half_u)
    b, b_low = ordered_sum(0.5, half_u)
    sinh = _combined(f, (a, a_low), (b, b_low), r, (a * even, odd))
    cosh = _combined(f, (b, b_low), (a, a_low), r, (b * even, odd))
    return sinh, cosh, n, whole


def _combined(f: Formula, x: Pair, y: Pair, r: Value, rest: Pair) -> Pair:
    """x + y (r + rest[1]) + rest[0] as a pair that is accurate to the last bit of a double."""
    product, error = exact_product(f, r, y[0])
    high, low = exact_sum(product, x[0])
    return ordered_sum(high, low + (f.multiply_add(y[0], rest[1], rest[0]) + (error + x[1])))


def _sinh_or_cosh(f: Formula, x: Value, odd: bool) -> Value:
    special = outside(f, x, 2.0**-30, 712.0)
    ordinary = f.chosen(special, 1.0, f.magnitude(x))
    sinh, cosh, n, whole = hyperbolic(f, ordinary)
    y = scaled(f, (sinh if odd else cosh)[0], n, whole)

    def rare() -> tuple[Value]:
        size = f.magnitude(x)
        far = f.choose(x.is_nan(), quieted(f, x), overflown(f, size, 712.0))
        return (f.choose(f.is_below(x, 1.0), size if odd else 1.0, far),)

    y = f.where_any(special, (y,), rare)[0]
    return f.with_sign_of(y, x) if odd else y


def sinh(f: Formula, x: Value) -> Value:
    """sinh(x), odd: computed for |x|.  Where |x| is tiny the result is x."""
    return _sinh_or_cosh(f, x, odd=True)


def cosh(f: Formula, x: Value) -> Value:
    """cosh(x), even.  Where |x| is tiny the result is 1."""
    return _sinh_or_cosh(f, x, odd=False)


def tanh(f: Formula, x: Value) -> Value:
    """tanh(x) = sinh(|x|) / cosh(|x|) with the sign of x; from 22 on it is 1."""
    special = outside(f, x, 2.0**-30, 22.0)
    sinh, cosh, _, _ = hyperbolic(f, f.chosen(special, 1.0, f.magnitude(x)))
    if f.single:
        y = sinh[0] / cosh[0]
    else:
        high, low = quotient(f, sinh, cosh)
        y = high + low

    def rare() -> tuple[Value]:
        size = f.magnitude(x)
        far = f.choose(x.is_nan(), quieted(f, x), 1.0)
        return (f.choose(f.is_below(x, 1.0), size, far),)

    return f.with_sign_of(f.where_any(special, (y,), rare)[0], x)


def sigmoid(f: Formula, x: Value) -> Value:
    """1 / (1 + exp(-x)) = 1 / (1 + e) for x >= 0 and e / (1 + e) for x < 0, where e = exp(-|x|).

    e is a pair times 2^n, and 2^n comes last, so that results below the normal numbers are rounded
    once.
    """
    special = outside(f, x, TINY, 746.0)
    ordinary = f.chosen(special, 1.0, x)
    whole, n, r, r_low = reduced(f, -f.magnitude(ordinary))
    e = ordered_sum(1.0, r + exp_tail(f, r, r_low))
    _, steps = f.rounded(f.larger(whole, -100.0))
    small = f.power_of_two(steps)
    negative = ordinary < 0.0
    high, low = ordered_sum(1.0, small * e[0])
    top = f.choose(negative, e[0], 1.0), f.choose(negative, e[1], 0.0)
    y, rest = quotient(f, top, (high, f.multiply_add(small, e[1], low)))
    y = scaled(f, y + rest, f.choose(negative, n, 0), f.choose(negative, whole, 0.0))

    def rare() -> tuple[Value]:
        far = limits(f, x, vanished(f, x, 746.0), 1.0)
        return (f.choose(f.is_below(x, 1.0), 0.5, far),)

    return f.where_any(special, (y,), rare)[0]
