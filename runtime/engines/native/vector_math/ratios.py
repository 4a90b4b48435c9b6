"""Two numbers of any size, brought to where their squares and their quotient are harmless."""

from runtime.engines.native.vector_math.accurate import INFINITY
from runtime.engines.native.vector_math.expressions import Formula, Value

APART = 100  # powers of 2, from which on the smaller number hardly matters


def balanced(f: Formula, x: Value, y: Value) -> tuple[Value, Value, Value, Value]:
    """The smaller and the larger of |x| and |y| times a power of 2, its inverse, and `apart`.

    Where one is 0, inf, nan or much larger than the other, they are apart, and stand for 2^-100 and
    1.  Two infinities are 1 and 1.
    """
    x_size, y_size = f.magnitude(x), f.magnitude(y)
    steep = f.bits(y_size) > f.bits(x_size)
    small, large = f.choose(steep, x_size, y_size), f.choose(steep, y_size, x_size)
    distance = f.bits(large) - f.bits(small)
    apart = (distance > (APART << 52)) | small.equals(0.0) | large.is_nan()
    apart = apart | (~f.is_below(large, INFINITY) & f.is_below(small, INFINITY))
    infinite = small.equals(INFINITY) & large.equals(INFINITY)
    tiny, huge = f.is_below(large, 2.0**-400), ~f.is_below(large, 2.0**400)
    harmless = apart | infinite
    scale = f.chosen(harmless, 1.0, f.choose(tiny, 2.0**600, f.choose(huge, 2.0**-600, 1.0)))
    back = f.chosen(harmless, 1.0, f.choose(tiny, 2.0**-600, f.choose(huge, 2.0**600, 1.0)))
    top = f.chosen(apart, 2.0**-APART, f.choose(infinite, 1.0, small)) * scale
    bottom = f.chosen(harmless, 1.0, large) * scale
    return top, bottom, back, apart
