"""arcsin, arccos, arctan, arctan2.

The arctangent of t in [0, 1] is t + t^3 P(t^2); larger numbers have their inverse instead, and
arctan(x) = pi/2 - arctan(1/x).  The arcsine of t in [0, 1/2] is t + t^3 Q(t^2); larger ones are
pi/2 - 2 arcsin(sqrt((1 - x) / 2)).  Multiples of pi are pairs.  Coefficients: `tools/minimax.py`.
"""

from runtime.engines.native.vector_math.accurate import (
    Pair,
    invalid,
    ordered_sum,
    outside,
    quieted,
    quotient,
    square_root,
)
from runtime.engines.native.vector_math.exponentials import coefficients
from runtime.engines.native.vector_math.expressions import Formula, Value
from runtime.engines.native.vector_math.ratios import balanced

HALF_PI = float.fromhex("0x1.921fb54442d18p+0"), float.fromhex("0x1.1a62633145c07p-54")
PI = 2 * HALF_PI[0], 2 * HALF_PI[1]
TINY = 2.0**-27
LEAST = 2.0**-30  # of smaller numbers, high powers would be below the normal numbers
ORDINARY = 2.0**-450, 2.0**450


def _added(base: Pair, term: Value, rest: Value) -> Value:
    """base + term + rest, where the base is 0 or the largest."""
    high, low = ordered_sum(base[0], term)
    return high + (low + (base[1] + rest))


def _arctan_of(f: Formula, t: Pair, base: Pair, minus: Value) -> Value:
    """base + arctan(t), or base - arctan(t) where `minus` holds, for a pair t in [0, 1]."""
    t_high, t_low = f.choose(minus, -t[0], t[0]), f.choose(minus, -t[1], t[1])
    clamped = f.larger(t[0], LEAST)
    z = clamped * clamped
    tail = t_high * (z * f.polynomial(z, coefficients(f, "arctan")))
    if f.single:
        return _added(base, t_high, tail)
    return _added(base, t_high, tail + t_low / (1.0 + z))


def arctan(f: Formula, x: Value) -> Value:
    """The arctangent.  Where |x| is tiny it is x, and far away pi/2."""
    special = outside(f, x, TINY, 2.0**60)
    size = f.chosen(special, 1.0, f.magnitude(x))
    large = size > 1.0
    t = f.choose(large, 1.0, size) / f.choose(large, size, 1.0)
    base = f.choose(large, HALF_PI[0], 0.0), f.choose(large, HALF_PI[1], 0.0)
    term = f.choose(large, -t, t)
    clamped = f.larger(t, LEAST)
    z = clamped * clamped
    y = _added(base, term, term * (z * f.polynomial(z, coefficients(f, "arctan"))))

    def rare() -> tuple[Value]:
        far = f.choose(x.is_nan(), quieted(f, x), HALF_PI[0])
        return (f.choose(f.is_below(x, 1.0), f.magnitude(x), far),)

    return f.with_sign_of(f.where_any(special, (y,), rare)[0], x)


def arctan2(f: Formula, y: Value, x: Value) -> Value:
    """The angle of the point (x, y): the arctangent of the smaller over the larger coordinate.

    It is added to or subtracted from 0, pi/2 or pi.
    """
    special = outside(f, x, *ORDINARY) | outside(f, y, *ORDINARY)
    left = f.is_negative(x)
    x_size, y_size = f.magnitude(x), f.magnitude(y)
    steep = f.bits(y_size) > f.bits(x_size)

    def angle(top: Value, bottom: Value) -> Value:
        base = [
            f.choose(steep, half, f.choose(left, whole, 0.0))
            for half, whole in zip(HALF_PI, PI, strict=True)
        ]
        zero = f.value(0.0, "f64")
        pairs = (top, zero), (bottom, zero)
        t = (top / bottom, zero) if f.single else quotient(f, *pairs)
        return _arctan_of(f, t, (base[0], base[1]), steep ^ left)

    def rare() -> tuple[Value]:
        return (_rare_angle(f, (x, y), (steep, left), angle(*balanced(f, x, y)[:2])),)

    top, bottom = f.choose(steep, x_size, y_size), f.choose(steep, y_size, x_size)
    ordinary = angle(f.chosen(special, 1.0, top), f.chosen(special, 1.0, bottom))
    return f.with_sign_of(f.where_any(special, (ordinary,), rare)[0], y)


def _rare_angle(f: Formula, point: Pair, signs: Pair, angle: Value) -> Value:
    """The angle of a point with coordinates that are 0, inf, nan, or very different ones."""
    x, y = point
    steep, left = signs
    _, _, _, apart = balanced(f, x, y)
    divides = apart & ~steep & ~left & ~x.equals(0.0) & ~x.is_nan() & ~y.is_nan()
    ratio = f.chosen(divides, f.magnitude(y), 1.0) / f.chosen(divides, f.magnitude(x), 1.0)
    at_zero = x.equals(0.0) & y.equals(0.0) & ~left
    result = f.choose(at_zero, 0.0, f.choose(divides, ratio, angle))
    return f.choose(x.is_nan() | y.is_nan(), quieted(f, x) + quieted(f, y), result)


def _half_angle(f: Formula, size: Value, large: Value) -> tuple[Pair, Value]:
    """For arcsin: t as a pair, and t^2, where t is |x| or sqrt((1 - |x|) / 2)."""
    z = f.choose(large, 0.5 - 0.5 * size, size * size)
    if f.single:
        return (f.choose(large, f.square_root(z), size), f.value(0.0, "f64")), z
    root, root_low = square_root(f, (z, f.value(0.0, "f64")))
    return (f.choose(large, root, size), f.choose(large, root_low, 0.0)), z


def _inside(f: Formula, x: Value, at_end: Value, near: Value) -> Value:
    """Rare results of arcsin and arccos: near 0, at 1 and -1, and outside of [-1, 1]."""
    end = f.magnitude(x).equals(1.0)
    refused = ~f.is_below(x, 1.0) & ~end & ~x.is_nan()
    result = f.choose(end, at_end, f.choose(refused, invalid(f, refused), near))
    return f.choose(x.is_nan(), quieted(f, x), result)


def arcsin(f: Formula, x: Value) -> Value:
    """The arcsine.  Where |x| is tiny it is x."""
    special = outside(f, x, TINY, 1.0)
    size = f.chosen(special, 0.25, f.magnitude(x))
    large = size > 0.5
    (t, t_low), z = _half_angle(f, size, large)
    tail = t * (z * f.polynomial(z, coefficients(f, "arcsin"))) + t_low
    base = f.choose(large, HALF_PI[0], 0.0), f.choose(large, HALF_PI[1], 0.0)
    factor = f.choose(large, -2.0, 1.0)
    y = _added(base, factor * t, factor * tail)

    def rare() -> tuple[Value]:
        return (_inside(f, x, f.value(HALF_PI[0], "f64"), f.magnitude(x)),)

    return f.with_sign_of(f.where_any(special, (y,), rare)[0], x)


def arccos(f: Formula, x: Value) -> Value:
    """The arccosine: pi/2 - arcsin(x), 2 arcsin(t) or pi - 2 arcsin(t)."""
    special = outside(f, x, 2.0**-60, 1.0)
    ordinary = f.chosen(special, 0.25, x)
    size = f.magnitude(ordinary)
    large, negative = size > 0.5, f.is_negative(ordinary)
    (t, t_low), z = _half_angle(f, size, large)
    tail = t * (z * f.polynomial(z, coefficients(f, "arcsin"))) + t_low
    base = [
        f.choose(large, f.choose(negative, whole, 0.0), half)
        for half, whole in zip(HALF_PI, PI, strict=True)
    ]
    factor = f.choose(large, f.choose(negative, -2.0, 2.0), f.choose(negative, 1.0, -1.0))
    y = _added((base[0], base[1]), factor * t, factor * tail)

    def rare() -> tuple[Value]:
        at_end = f.choose(f.is_negative(x), PI[0], 0.0)
        return (_inside(f, x, at_end, f.value(HALF_PI[0], "f64")),)

    return f.where_any(special, (y,), rare)[0]
