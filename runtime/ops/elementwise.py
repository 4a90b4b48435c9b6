"""Elementwise operations: arithmetic, roots and powers, exponentials, trigonometry, rounding, bits.

The arguments after the sentence about an operation are its partial derivatives with respect to the
operands (`ir/derivative.py`), then its traits (`ir/traits.py`).
"""

import numpy as np

from runtime.ir.broadcasting import broadcast
from runtime.ir.derivative import ZERO, Adjoint, Partials
from runtime.ir.op import Op
from runtime.ir.traits import Cost, Traits
from runtime.ir.types import BOOL, INT, PythonType, array_type, tensor_type
from runtime.ops.adjoints import roots, slopes
from runtime.ops.conditions import (
    divisor_is_positive,
    has_sign,
    power_errors,
    python_division,
    scalars_fit,
    shift_errors,
    wraps,
)
from runtime.ops.ufuncs import (
    as_scalar,
    at_least_float,
    binary,
    bits,
    comparison,
    operator,
    operator_rule,
    prefix,
    unary,
    whole,
    wider,
)

# Traits shared by sums, differences and products, and by integer quotients.
RING = {
    "speculatable": wraps,
    "takes_out": True,
    "recomputable": True,
    "integer_arithmetic": True,
}
QUOTIENT = {
    "speculatable": divisor_is_positive,
    "raises": python_division,
    "recomputable": True,
    "integer_arithmetic": True,
    "nanoseconds": 5.0,
}
SWITCH = {"speculatable": scalars_fit, "commutative": True}  # logic on bools and bits

# -- arithmetic ------------------------------------------------------------------------------------

add = operator("add", "Sum.", "+", "1", "1", commutative=True, **RING)
subtract = operator("subtract", "Difference.", "-", "1", "-1", **RING)
multiply = operator(
    "multiply",
    "Product.",
    "*",
    "y",
    "x",
    commutative=True,
    exponent=roots.exponent_of_product,
    **RING,
)
divide = operator(
    "divide",
    "Quotient; a float for integer operands.",
    "/",
    "1 / y",
    "-r / y",
    python=at_least_float,
    raises=python_division,
    takes_out=True,
    nanoseconds=5.0,
)
floor_divide = operator(
    "floor_divide", "Quotient, rounded towards minus infinity.", "//", ZERO, ZERO, **QUOTIENT
)
remainder = operator(
    "remainder",
    "Remainder of floor division; it has the sign of the divisor.",
    "%",
    "1",
    "-(x // y)",
    **QUOTIENT,
)
negative = prefix(
    "negative",
    "Negation.",
    "-",
    "-1",
    speculatable=has_sign,
    recomputable=True,
    integer_arithmetic=True,
)
positive = prefix(
    "positive", "The operand, unchanged.", "+", "1", speculatable=has_sign, integer_arithmetic=True
)
absolute = Op(
    "absolute",
    "Absolute value; the modulus of complex numbers.",
    operator_rule(np.absolute, as_scalar),
    "abs(x)",
    np.absolute,
    traits=Traits(elementwise=True, speculatable=has_sign, cost=Cost(1.0)),
    derivative=Partials(slopes.modulus),
    root=roots.absolute,
)
divmod_ = Op(
    "divmod",
    "Floor quotient and remainder.",
    operator_rule(np.divmod, lambda x, y: (wider(x, y),) * 2),
    "divmod(x, y)",
    np.divmod,
    arity=2,
    traits=Traits(elementwise=True, raises=python_division, cost=Cost(5.0)),
    derivative=Adjoint(slopes.divmod),
)
fmod = binary(
    "fmod",
    "Remainder of division rounded towards zero; it has the sign of the dividend.",
    "1",
    "-rint((x - r) / y)",
    nanoseconds=5.0,
)
fabs = unary("fabs", "Absolute value, as a float.", "sign(x)", root=roots.absolute)
sign = unary("sign", "-1, 0 or 1; x / abs(x) for complex x; nan for nan.", Adjoint(slopes.sign))
reciprocal = unary("reciprocal", "1 / x; for integers, rounded towards zero.", "-r * r")
heaviside = binary(
    "heaviside", "0 for negative x, 1 for positive x, y where x is 0.", ZERO, "x == 0"
)
copysign = binary(
    "copysign", "The first operand with the sign of the second.", "sign(x) * sign(r)", ZERO
)
conjugate = unary(
    "conjugate",
    "The complex conjugate.",
    Adjoint(lambda d, r, x: (np.conjugate(d),)),
    linear=(0,),
)
gcd = binary("gcd", "Greatest common divisor.", commutative=True)
lcm = binary("lcm", "Least common multiple.", commutative=True)

# -- powers and roots ------------------------------------------------------------------------------


def _power_of_numbers(base, exponent):
    if base in (INT, BOOL) and exponent is INT:
        raise TypeError("the power of two Python ints may be an int or a float")
    return wider(base, exponent)


pow_ = Op(
    "pow",
    "x ** y; the exponents 2 and 0.5 compute a square and a square root.",
    operator_rule(np.power, _power_of_numbers),
    "x ** y",
    arity=2,
    traits=Traits(elementwise=True, raises=power_errors, cost=Cost(5.0)),
    derivative=Partials(slopes.power_by_base, slopes.power_by_exponent, takes_numbers=True),
    exponent=roots.exponent_of_power,
    called="pow",
)
power = binary(
    "power",
    "Power, computed by `np.power`.",
    slopes.power_by_base,
    slopes.power_by_exponent,
    exponent=roots.exponent_of_power,
    takes_numbers=True,
    raises=power_errors,
    nanoseconds=5.0,
)
float_power = binary(
    "float_power",
    "Power in double precision.",
    slopes.float_power_by_base,
    slopes.power_by_exponent,
    exponent=roots.exponent_of_power,
    nanoseconds=5.0,
)
square = unary("square", "x * x.", "2 * x", exponent=roots.exponent_of_square)
sqrt = unary("sqrt", "Square root; nan for negative floats.", "0.5 / r", root=roots.sqrt)
cbrt = unary("cbrt", "Cube root.", "1 / (3 * r * r)", nanoseconds=8.0)
hypot = binary(
    "hypot",
    "sqrt(x**2 + y**2), without undue overflow.",
    "x / where(r == 0, 1, r)",
    "y / where(r == 0, 1, r)",
    root=roots.hypot,
    commutative=True,
    nanoseconds=20.0,
)

# -- exponentials ----------------------------------------------------------------------------------

exp = unary("exp", "Exponential: e to the power x.", "r", nanoseconds=8.0)
exp2 = unary("exp2", "2 to the power x.", "r * 0.6931471805599453", nanoseconds=8.0)
expm1 = unary("expm1", "exp(x) - 1, accurate near zero.", "exp(x)", nanoseconds=8.0)
log = unary(
    "log", "Natural logarithm; nan for negative floats, -inf for zero.", "1 / x", nanoseconds=8.0
)
log2 = unary("log2", "Logarithm to base 2.", "1.4426950408889634 / x", nanoseconds=8.0)
log10 = unary("log10", "Logarithm to base 10.", "0.4342944819032518 / x", nanoseconds=8.0)
log1p = unary("log1p", "log(1 + x), accurate near zero.", "1 / (1 + x)", nanoseconds=8.0)
logaddexp = binary(
    "logaddexp",
    "log(exp(x) + exp(y)), without undue overflow.",
    slopes.share(np.exp, 0),
    slopes.share(np.exp, 1),
    nanoseconds=20.0,
)
logaddexp2 = binary(
    "logaddexp2",
    "log2(2**x + 2**y), without undue overflow.",
    slopes.share(np.exp2, 0),
    slopes.share(np.exp2, 1),
    nanoseconds=20.0,
)

# -- trigonometry; angles in radians ---------------------------------------------------------------

sin = unary("sin", "Sine.", "cos(x)", nanoseconds=8.0)
cos = unary("cos", "Cosine.", "-sin(x)", nanoseconds=8.0)
tan = unary("tan", "Tangent.", "1 + r * r", nanoseconds=8.0)
arcsin = unary(
    "arcsin", "Inverse sine, from -pi/2 to pi/2.", "1 / sqrt((1 - x) * (1 + x))", nanoseconds=20.0
)
arccos = unary(
    "arccos", "Inverse cosine, from 0 to pi.", "-1 / sqrt((1 - x) * (1 + x))", nanoseconds=20.0
)
arctan = unary("arctan", "Inverse tangent, from -pi/2 to pi/2.", "1 / (1 + x * x)", nanoseconds=8.0)
arctan2 = binary(
    "arctan2",
    "Angle of the point with ordinate x and abscissa y, from -pi to pi.",
    slopes.angle_by_height,
    slopes.angle_by_width,
    nanoseconds=20.0,
)
sinh = unary("sinh", "Hyperbolic sine.", "cosh(x)", nanoseconds=8.0)
cosh = unary("cosh", "Hyperbolic cosine.", "sinh(x)", nanoseconds=8.0)
tanh = unary("tanh", "Hyperbolic tangent.", "1 - r * r", nanoseconds=8.0)
arcsinh = unary("arcsinh", "Inverse hyperbolic sine.", slopes.arcsinh, nanoseconds=20.0)
arccosh = unary(
    "arccosh", "Inverse hyperbolic cosine.", "1 / (sqrt(x - 1) * sqrt(x + 1))", nanoseconds=20.0
)
arctanh = unary(
    "arctanh", "Inverse hyperbolic tangent.", "1 / ((1 - x) * (1 + x))", nanoseconds=20.0
)
degrees = unary("degrees", "Radians to degrees.", "180 / pi")
radians = unary("radians", "Degrees to radians.", "pi / 180")
deg2rad = unary("deg2rad", "Degrees to radians.", "pi / 180")
rad2deg = unary("rad2deg", "Radians to degrees.", "180 / pi")

# -- rounding and the parts of floats --------------------------------------------------------------

floor = unary("floor", "The largest integer not above x.", ZERO)
ceil = unary("ceil", "The smallest integer not below x.", ZERO)
trunc = unary("trunc", "x, rounded towards zero to an integer.", ZERO)
rint = unary("rint", "The nearest integer; ties round to the even one.", ZERO)
signbit = unary("signbit", "Whether the sign bit is set, as it is for -0.0.", speculatable=has_sign)
isfinite = unary("isfinite", "Whether x is neither infinite nor nan.", speculatable=has_sign)
isinf = unary("isinf", "Whether x is infinite.", speculatable=has_sign)
isnan = unary("isnan", "Whether x is nan.", speculatable=has_sign)
spacing = unary("spacing", "The distance to the adjacent float.", ZERO)
nextafter = binary("nextafter", "The next float after x towards y.", "1", ZERO)
ldexp = binary(
    "ldexp", "x times 2 to the power y.", Adjoint(lambda d, r, x, y: (np.ldexp(d, y), None))
)
frexp = unary("frexp", "Mantissa and base-2 exponent.", Adjoint(slopes.frexp))
modf = unary("modf", "Fractional and integral part.", Adjoint(lambda d, r, x: (d[0],)))

# -- maximum and minimum ---------------------------------------------------------------------------

maximum = binary(
    "maximum",
    "The larger operand; nan if either is nan.",
    Adjoint(slopes.extreme),
    speculatable=scalars_fit,
)
minimum = binary(
    "minimum",
    "The smaller operand; nan if either is nan.",
    Adjoint(slopes.extreme),
    speculatable=scalars_fit,
)
fmax = binary("fmax", "The larger operand; if one is nan, the other.", Adjoint(slopes.extreme))
fmin = binary("fmin", "The smaller operand; if one is nan, the other.", Adjoint(slopes.extreme))

# -- bits ------------------------------------------------------------------------------------------

bitwise_and = operator("bitwise_and", "Bitwise and.", "&", python=bits, **SWITCH)
bitwise_or = operator("bitwise_or", "Bitwise or.", "|", python=bits, **SWITCH)
bitwise_xor = operator("bitwise_xor", "Bitwise exclusive or.", "^", python=bits, **SWITCH)
invert = prefix(
    "invert",
    "Every bit inverted; for bools, the negation.",
    "~",
    python=whole,
    speculatable=scalars_fit,
)
left_shift = operator(
    "left_shift", "Bits shifted left, filled with zeros.", "<<", python=whole, raises=shift_errors
)
right_shift = operator(
    "right_shift", "Bits shifted right, sign preserved.", ">>", python=whole, raises=shift_errors
)
bitwise_count = unary("bitwise_count", "The number of bits that are set.")

# -- comparisons and logic -------------------------------------------------------------------------

equal = comparison(
    "equal", "Whether x == y; nan equals nothing.", "==", swapped="equal", negated="not_equal"
)
not_equal = comparison("not_equal", "Whether x != y.", "!=", swapped="not_equal", negated="equal")
less = comparison("less", "Whether x < y.", "<", swapped="greater", negated="greater_equal")
less_equal = comparison(
    "less_equal", "Whether x <= y.", "<=", swapped="greater_equal", negated="greater"
)
greater = comparison("greater", "Whether x > y.", ">", swapped="less", negated="less_equal")
greater_equal = comparison(
    "greater_equal", "Whether x >= y.", ">=", swapped="less_equal", negated="less"
)
logical_and = binary("logical_and", "Whether both operands are true.", **SWITCH)
logical_or = binary("logical_or", "Whether at least one operand is true.", **SWITCH)
logical_xor = binary("logical_xor", "Whether exactly one operand is true.", **SWITCH)
logical_not = unary("logical_not", "Whether the operand is false.", speculatable=scalars_fit)


where = Op(
    "where",
    "Elements of the second operand where the first is true, of the third elsewhere.",
    lambda c, x, y: array_type(
        tensor_type(np.result_type(*map(_example, (x, y)))).dtype,
        broadcast(c.shape, x.shape, y.shape),
    ),
    "xp.where(x, y, z)",
    np.where,
    arity=3,
    traits=Traits(elementwise=True, linear=(1, 2), speculatable=scalars_fit, cost=Cost(2.0)),
    derivative=Adjoint(lambda d, r, c, x, y: (None, np.where(c, d, 0), np.where(c, 0, d))),
)


def _example(operand):
    return operand.kind(0) if isinstance(operand, PythonType) else operand.dtype
