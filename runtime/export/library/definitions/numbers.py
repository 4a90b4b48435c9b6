"""Functions of `math`, of numbers of Python."""

import math

import numpy as np

from runtime.export.library.definitions.table import defines


def _defines_math(name, function):
    """Defines a function of `math` by the one of NumPy, with the errors of Python."""

    @defines(f"math_{name}")
    def defined(x):
        if type(x) is int:
            x = float(x)
        found = float(function(x))
        if found != found and x == x:
            raise ValueError("math domain error")
        if found - found != 0 and x - x == 0:
            raise OverflowError("math range error")
        return found


# op names: the functions of `math` that NumPy has, too
for _name, _function in {
    "sin": np.sin, "cos": np.cos, "tan": np.tan, "asin": np.arcsin, "acos": np.arccos,
    "atan": np.arctan, "sinh": np.sinh, "cosh": np.cosh, "tanh": np.tanh, "exp": np.exp,
    "expm1": np.expm1, "sqrt": np.sqrt, "cbrt": np.cbrt,
}.items():  # fmt: skip
    _defines_math(_name, _function)


def _defines_logarithm(name, function, least):
    @defines(f"math_{name}")
    def defined(x):
        if type(x) is int:
            x = float(x)
        if x <= least:
            raise ValueError("math domain error")
        return float(function(x))


for _name, _function, _least in (
    ("log", np.log, 0.0), ("log2", np.log2, 0.0), ("log10", np.log10, 0.0),
    ("log1p", np.log1p, -1.0),
):  # fmt: skip
    _defines_logarithm(_name, _function, _least)


@defines("math_floor")
def floor(x):
    """The largest integer that is not above x."""
    return x if type(x) is int else int(np.floor(x))


@defines("math_ceil")
def ceil(x):
    """The smallest integer that is not below x."""
    return x if type(x) is int else int(np.ceil(x))


@defines("math_trunc")
def trunc(x):
    """The integer between 0 and x that is next to x."""
    return int(x)


@defines("math_fabs")
def fabs(x):
    """The distance from 0, a float."""
    return abs(float(x))


@defines("math_isnan")
def isnan(x):
    """Whether x is nan."""
    return x != x


@defines("math_isinf")
def isinf(x):
    """Whether x is infinite."""
    return x == math.inf or x == -math.inf


@defines("math_isfinite")
def isfinite(x):
    """Whether x is neither infinite nor nan."""
    return x - x == 0


@defines("math_hypot")
def hypot(x, y):
    """The length of the vector (x, y)."""
    found = float(np.hypot(float(x), float(y)))
    if found - found != 0 and x - x == 0 and y - y == 0:
        raise OverflowError("math range error")
    return found


@defines("math_atan2")
def atan2(y, x):
    """The angle of the vector (x, y)."""
    return float(np.arctan2(float(y), float(x)))


@defines("math_copysign")
def copysign(x, y):
    """The absolute value of x with the sign of y."""
    return float(np.copysign(float(x), float(y)))


@defines("math_degrees")
def degrees(x):
    """An angle in degrees."""
    return x * (180.0 / math.pi)


@defines("math_radians")
def radians(x):
    """An angle in radians."""
    return x * (math.pi / 180.0)


@defines("math_gcd")
def gcd(x, y):
    """The greatest common divisor."""
    x, y = abs(x), abs(y)
    while y != 0:
        x, y = y, x % y
    return x


@defines("math_factorial")
def factorial(x):
    """The product of the integers up to x."""
    if x < 0:
        raise ValueError("factorial() not defined for negative values")
    found = 1
    for i in range(2, x + 1):
        found *= i
    return found
