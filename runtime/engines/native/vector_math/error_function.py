"""erf.

Up to 1, erf(x) = x + x P(x^2).  From 1 to 6, erf(x) = 1 - exp(-x^2) G(t), where G is the scaled
complement exp(x^2) erfc(x), smooth in t = (x - 2.5) / (x + 2.5).  Beyond, it is 1.
Coefficients: `tools/minimax.py`.
"""

from runtime.engines.native.vector_math.accurate import outside, quieted
from runtime.engines.native.vector_math.exponentials import (
    coefficients,
    exp_tail,
    reduced,
    scaled,
)
from runtime.engines.native.vector_math.expressions import Formula, Value

TWO_OVER_ROOT_PI = 1.1283791670955126


def erf(f: Formula, x: Value) -> Value:
    """The error function, odd.  Where |x| is tiny it is 2 x / sqrt(pi)."""
    end = 4.0 if f.single else 6.0
    special = outside(f, x, 2.0**-28, end)
    size = f.chosen(special, 0.5, f.magnitude(x))
    z = size * size
    near = f.multiply_add(size, f.polynomial(z, coefficients(f, "erf")), size)
    t = (size - 2.5) / (size + 2.5)
    whole, n, r, r_low = reduced(f, -z)
    decay = scaled(f, 1.0 + (r + exp_tail(f, r, r_low)), n, whole)
    far = 1.0 - decay * f.polynomial(t, coefficients(f, "erfc"))
    y = f.choose(size < 1.0, near, far)

    def rare() -> tuple[Value]:
        tiny = f.is_below(x, 1.0)
        product = f.chosen(tiny, f.magnitude(x), 0.0) * TWO_OVER_ROOT_PI
        limit = f.choose(x.is_nan(), quieted(f, x), 1.0)
        return (f.choose(tiny, product, limit),)

    return f.with_sign_of(f.where_any(special, (y,), rare)[0], x)
