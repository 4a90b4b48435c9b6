"""Numbers as sums of two doubles, and flags that are set on purpose.

An accurate number is a pair: `high`, and a `low` below half of its last place.  Sums and products
of two doubles are exact as pairs (Knuth's sum; Dekker's product, or one FMA).  See Muller et al.,
Handbook of Floating-Point Arithmetic, chapter 4.
"""

from runtime.engines.native.vector_math.expressions import Formula, Operand, Value, bits_of

Pair = tuple[Value, Value]
SPLITTER = 2.0**27 + 1
INFINITY = float("inf")
NAN = float("nan")


def exact_sum(x: Operand, y: Value) -> Pair:
    """x + y as a pair, for any two numbers."""
    total = y + x
    part = total - x
    return total, (x - (total - part)) + (y - part)


def ordered_sum(x: Operand, y: Value) -> Pair:
    """x + y as a pair, where |x| >= |y| or x is 0."""
    total = y + x
    return total, y - (total - x)


def exact_product(f: Formula, x: Value, y: Operand) -> Pair:
    """x y as a pair.  Without FMA, for factors below 2^995."""
    product = x * y
    if f.fma:
        return product, f.intrinsic("fma", x, f.value(y, "f64"), -product)
    x_high, x_low = _halves(f, x)
    y_high, y_low = _halves(f, f.value(y, "f64"))
    error = ((x_high * y_high - product) + x_high * y_low + x_low * y_high) + x_low * y_low
    return product, error


def _halves(f: Formula, x: Value) -> Pair:
    """A double as a sum of two numbers of 26 bits (Veltkamp)."""
    scaled = x * SPLITTER
    high = scaled - (scaled - x)
    return high, x - high


def pair_product(f: Formula, x: Pair, y: Pair) -> Pair:
    """The product of two pairs, to about 100 bits."""
    high, low = exact_product(f, x[0], y[0])
    return ordered_sum(high, low + (x[0] * y[1] + x[1] * y[0]))


def quotient(f: Formula, x: Pair, y: Pair) -> Pair:
    """The quotient of two pairs, to about 100 bits of which the last few may be wrong."""
    inverse = 1.0 / y[0]
    high = x[0] * inverse
    product, error = exact_product(f, high, y[0])
    rest = ((x[0] - product) - error) + (x[1] - high * y[1])
    return high, rest * inverse


def square_root(f: Formula, x: Pair) -> Pair:
    """The square root of a positive pair."""
    high = f.square_root(x[0])
    product, error = exact_product(f, high, high)
    return high, (((x[0] - product) - error) + x[1]) / (high + high)


# -- ordinary arguments, and flags -----------------------------------------------------------------


def outside(f: Formula, x: Value, low: float, high: float) -> Value:
    """Whether |x| is not in [low, high); 0 and nan are outside, and inf if `high` is finite."""
    return ~(f.bits(f.magnitude(x)) - bits_of(low)).below(bits_of(high) - bits_of(low))


def quieted(f: Formula, x: Value) -> Value:
    """A quiet nan where x is nan."""
    given = f.chosen(x.is_nan(), x, 1.0)
    return given + given


def invalid(f: Formula, condition: Value) -> Value:
    """A nan and the flag `invalid` where a condition holds; elsewhere 1 and no flag."""
    given = f.chosen(condition, 0.0, 1.0)
    return given / given


def pole(f: Formula, condition: Value) -> Value:
    """An infinity and the flag `divide by zero` where a condition holds; elsewhere 1, no flag."""
    return 1.0 / f.chosen(condition, 0.0, 1.0)


def overflow(f: Formula, condition: Value) -> Value:
    """An infinity and the flag `overflow` where a condition holds; elsewhere 1 and no flag."""
    given = f.chosen(condition, 2.0**1000, 1.0)
    return given * given


def underflow(f: Formula, condition: Value) -> Value:
    """A zero and the flag `underflow` where a condition holds; elsewhere 1 and no flag."""
    given = f.chosen(condition, 2.0**-1000, 1.0)
    return given * given
