"""sin, cos, tan.

The argument is n quadrants and a rest r in [-pi/4, pi/4], a pair (`quadrants.py`).  Then
sin(r) = r + r^3 S(r^2) and cos(r) = 1 - r^2 / 2 + r^4 C(r^2), of which n chooses one and its sign.
Coefficients: `tools/minimax.py`.
"""

from collections.abc import Callable

from runtime.engines.native.vector_math.accurate import (
    INFINITY,
    Pair,
    invalid,
    ordered_sum,
    outside,
    quieted,
    quotient,
)
from runtime.engines.native.vector_math.exponentials import coefficients
from runtime.engines.native.vector_math.expressions import Formula, Value
from runtime.engines.native.vector_math.quadrants import reduced, reduced_far

TINY = 2.0**-27
FAR = 2.0**20


def sine_and_cosine(f: Formula, rest: Pair) -> tuple[Pair, Pair]:
    """sin and cos of a pair in [-pi/4, pi/4], as pairs that have not been added."""
    r, r_low = rest
    z = r * r
    half = 0.5 * z
    sin_tail = r * z * f.polynomial(z, coefficients(f, "sin"))
    cos_tail = z * z * f.polynomial(z, coefficients(f, "cos"))
    if not f.single:
        sin_tail = f.multiply_add(r_low, 1.0 - half, sin_tail)
        cos_tail = cos_tail - r * r_low
    one_less, lost = ordered_sum(1.0, -half)
    return (r, sin_tail), (one_less, lost + cos_tail)


def _either(f: Formula, condition: Value, x: Pair, y: Pair) -> Pair:
    return f.choose(condition, x[0], y[0]), f.choose(condition, x[1], y[1])


def _flipped(f: Formula, y: Value, n: Value) -> Value:
    """y, with its sign changed where bit 1 of n is set."""
    return f.from_bits(f.bits(y) ^ ((n & 2) << 62))


def sine_of(f: Formula, n: Value, rest: Pair) -> Value:
    """The sine of n quadrants and a rest."""
    sin, cos = sine_and_cosine(f, rest)
    high, low = _either(f, (n & 1).equals(1), cos, sin)
    return _flipped(f, high + low, n)


def cosine_of(f: Formula, n: Value, rest: Pair) -> Value:
    """The cosine: the sine of one quadrant more."""
    return sine_of(f, n + 1, rest)


def tangent_of(f: Formula, n: Value, rest: Pair) -> Value:
    """sin / cos, or -cos / sin where n is odd."""
    sin, cos = sine_and_cosine(f, rest)
    odd = (n & 1).equals(1)
    top, bottom = _either(f, odd, cos, sin), _either(f, odd, sin, cos)
    if f.single:
        y = (top[0] + top[1]) / (bottom[0] + bottom[1])
    else:
        high, low = quotient(f, ordered_sum(*top), ordered_sum(*bottom))
        y = high + low
    return f.from_bits(f.bits(y) ^ ((n & 1) << 63))


def _periodic(
    f: Formula, x: Value, at_quadrant: Callable[[Formula, Value, Pair], Value], odd: bool
) -> Value:
    """A function of the quadrants and the rest; near 0 it is x or 1; infinities are refused."""
    special = outside(f, x, TINY, FAR)

    def rare() -> tuple[Value]:
        near = f.choose(f.is_below(x, 1.0), x if odd else 1.0, quieted(f, x))
        infinite = f.magnitude(x).equals(INFINITY)
        near = f.choose(infinite, invalid(f, infinite), near)
        far = ~f.is_below(x, FAR) & f.is_below(x, INFINITY)

        def rarest() -> tuple[Value]:
            return (at_quadrant(f, *reduced_far(f, f.chosen(far, x, FAR))),)

        return (f.where_any(far, (near,), rarest)[0],)

    ordinary = at_quadrant(f, *reduced(f, f.chosen(special, 1.0, x)))
    return f.where_any(special, (ordinary,), rare)[0]


def sin(f: Formula, x: Value) -> Value:
    """The sine."""
    return _periodic(f, x, sine_of, odd=True)


def cos(f: Formula, x: Value) -> Value:
    """The cosine."""
    return _periodic(f, x, cosine_of, odd=False)


def tan(f: Formula, x: Value) -> Value:
    """The tangent."""
    return _periodic(f, x, tangent_of, odd=True)
