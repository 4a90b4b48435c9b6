"""Derivatives of elementwise operations that need more than a formula.

    x ** y          dx:  y * x ** (y - 1), and 0 where y is 0, for any x
                    dy:  r * log(x), and 0 where x is 0
    |x|             the sign of x: 0 at 0
    hypot, arctan2  0 at the origin, where there is no derivative
    maximum         1 for the larger operand; equal operands get half each
    nextafter(x)    1: the adjacent float moves along with x

Python scalars stay weakly typed, so that gradients in single precision stay in single precision.
"""

import cmath
import math

import numpy as np

from runtime.ir.graph import PYTHON_SCALARS

# -- powers ----------------------------------------------------------------------------------------


def power_by_base(x, y, z, r):
    """The derivative of x ** y with respect to x."""
    if type(y) in PYTHON_SCALARS:
        return _by_base_of_number(x, y)
    return y * x ** np.where(y == 0, 0, y - 1)


def _by_base_of_number(x, y):
    if y == 0 or y == 1:
        return int(y.real)
    if y == 2:
        return 2 * x
    is_pole = not isinstance(y, complex) and y < 1  # a Python float x = 0 would raise
    return y * (np.power(x, y - 1) if is_pole else x ** (y - 1))


def power_by_exponent(x, y, z, r):
    """The derivative of x ** y with respect to y."""
    if type(x) not in PYTHON_SCALARS:
        base = np.where(x == 0, 1, x)
        return r * np.log(base + 0j if np.iscomplexobj(r) else base)
    if isinstance(x, complex) or np.iscomplexobj(r):
        return r * cmath.log(x or 1)
    return r * (math.log(x or 1) if x >= 0 else math.nan)


def float_power_by_base(x, y, z, r):
    """The derivative of np.float_power(x, y) with respect to x, in double precision."""
    return y * np.float_power(x, np.where(y == 0, 0, y - 1))


# -- exponentials and lengths ----------------------------------------------------------------------


def share(exponential, place):
    """The derivative of log(exp(x) + exp(y)) with respect to an operand: its share of the sum."""

    def slope(x, y, z, r):
        operand = y if place else x
        is_all = operand == r  # also where both are infinite
        return exponential(np.where(is_all, 0, operand) - np.where(is_all, 0, r))

    return slope


def _length(x, y):
    length = np.hypot(x, y)
    return np.where(length == 0, 1, length)


def angle_by_height(x, y, z, r):
    """The derivative of arctan2(x, y) with respect to x."""
    length = _length(x, y)
    return y / length / length


def angle_by_width(x, y, z, r):
    """The derivative of arctan2(x, y) with respect to y."""
    length = _length(x, y)
    return -(x / length / length)


def arcsinh(x, y, z, r):
    """The derivative of arcsinh(x), without overflow for real x."""
    return 1 / (np.sqrt(1 + x * x) if np.iscomplexobj(x) else np.hypot(1, x))


def modulus(x, y, z, r):
    """The derivative of |x|."""
    return np.conjugate(np.sign(x)) if np.iscomplexobj(x) else np.sign(x)


# -- rules -----------------------------------------------------------------------------------------


def sign(d, r, x):
    """Zero for real x; for complex x, r = x / |x| changes only with the phase of x."""
    if not np.iscomplexobj(x):
        return (None,)
    length = np.abs(x)
    turning = d - r * np.real(np.conjugate(r) * d)
    return (np.where(length == 0, 0, turning) / np.where(length == 0, 1, length),)


def extreme(d, r, x, y):
    """The operand that equals the result gets d; equal operands get half each."""
    of_x, of_y = x == r, y == r
    return (
        np.where(of_x, np.where(of_y, d / 2, d), 0),
        np.where(of_y, np.where(of_x, d / 2, d), 0),
    )


def divmod(d, r, x, y):
    """The quotient is piecewise constant; the remainder is x - y * quotient."""
    _, d_rest = d
    if d_rest is None:
        return None, None
    return d_rest, -d_rest * r[0]


def frexp(d, r, x):
    """The mantissa is x over a power of two; the exponent is an integer."""
    return (None if d[0] is None else np.ldexp(d[0], -r[1]),)
