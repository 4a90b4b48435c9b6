"""Elementwise operations: arithmetic, roots and powers, exponentials, trigonometry, rounding, bits.

Behind the sentence about an operation stand its derivatives by its operands (`ir/derivative.py`).

Where all operands are numbers of Python's, an operator has Python's meaning and its result is a
number of Python's; else dtypes follow NumPy (NEP 50) and shapes broadcast.
"""

from functools import cache

import numpy as np

from runtime.ir.derivative import ZERO, Adjoint, Partials
from runtime.ir.op import Op
from runtime.ir.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    PythonType,
    TensorType,
    array_type,
    broadcast,
    tensor_type,
)
from runtime.ops.adjoints import slopes


@cache
def _result_dtypes(ufunc, operands):
    """The dtypes of a ufunc's results; an operand is a dtype or a type of Python's numbers."""
    return ufunc.resolve_dtypes((*operands, *[None] * ufunc.nout))[ufunc.nin :]


def _dtype_or_kind(operand):
    if not isinstance(operand, PythonType):
        return operand.dtype
    return operand.dtype if operand is BOOL else operand.kind


def ufunc_rule(ufunc):
    """The type rule of a NumPy ufunc without a core signature."""

    def infer(*operands):
        if all(isinstance(operand, PythonType) for operand in operands):
            kinds = tuple(operand.dtype for operand in operands)
        else:
            kinds = tuple(map(_dtype_or_kind, operands))
        dtypes = _result_dtypes(ufunc, kinds)
        shape = broadcast(*(operand.shape for operand in operands))
        results = tuple(TensorType(dtype, shape) for dtype in dtypes)
        return results if ufunc.nout > 1 else results[0]

    return infer


def operator_rule(ufunc, python):
    """The type rule of an operator: `python` for numbers of Python's, else that of the ufunc."""
    general = ufunc_rule(ufunc)

    def infer(*operands):
        if all(isinstance(operand, PythonType) for operand in operands):
            return python(*operands)
        if operands == COMPLEX_AND_F64 and ufunc in TAKES_F64:
            return python(COMPLEX, FLOAT)
        return general(*operands)

    return infer


# `np.float64` is a class of floats, so Python's complex numbers add one as they add a float.
COMPLEX_AND_F64 = (COMPLEX, tensor_type("f8"))
TAKES_F64 = {np.add, np.subtract, np.multiply, np.divide, np.power, np.equal, np.not_equal}


def _wider(*operands):
    """int + float -> float; bools count as ints."""
    return max((INT, *operands), key=(BOOL, INT, FLOAT, COMPLEX).index)


def _at_least_float(*operands):
    return max((FLOAT, *operands), key=(BOOL, INT, FLOAT, COMPLEX).index)


def _whole(*operands):
    if not all(operand in (BOOL, INT) for operand in operands):
        raise TypeError("only integers have bits")
    return INT


def _bits(*operands):
    _whole(*operands)
    return BOOL if all(operand is BOOL for operand in operands) else INT


def _truth(*operands):
    return BOOL


def _as_number(operand):
    return FLOAT if operand is COMPLEX else _wider(operand)


def operator(name, doc, symbol, *partials, python=_wider):
    """A binary operator of Python's."""
    ufunc = getattr(np, name)
    rule, derivative = operator_rule(ufunc, python), _derivative(partials)
    return Op(name, doc, rule, f"x {symbol} y", ufunc, arity=2, derivative=derivative)


def prefix(name, doc, symbol, *partials, python=_wider):
    """A unary operator of Python's."""
    ufunc = getattr(np, name)
    rule, derivative = operator_rule(ufunc, python), _derivative(partials)
    return Op(name, doc, rule, f"{symbol}x", ufunc, derivative=derivative)


def unary(name, doc, *partials):
    """A ufunc of one operand."""
    ufunc, derivative = getattr(np, name), _derivative(partials)
    return Op(name, doc, ufunc_rule(ufunc), f"xp.{name}(x)", ufunc, derivative=derivative)


def binary(name, doc, *partials):
    """A ufunc of two operands."""
    ufunc, derivative = getattr(np, name), _derivative(partials)
    rule, text = ufunc_rule(ufunc), f"xp.{name}(x, y)"
    return Op(name, doc, rule, text, ufunc, arity=2, derivative=derivative)


def _derivative(partials):
    """A rule as it is, formulas as one; none where the results are never floats."""
    if not partials or isinstance(partials[0], Adjoint):
        return partials[0] if partials else None
    return Partials(*partials)


# -- arithmetic ------------------------------------------------------------------------------------

add = operator("add", "Sum.", "+", "1", "1")
subtract = operator("subtract", "Difference.", "-", "1", "-1")
multiply = operator("multiply", "Product.", "*", "y", "x")
divide = operator(
    "divide", "Quotient; of integers a float.", "/", "1 / y", "-r / y", python=_at_least_float
)
floor_divide = operator(
    "floor_divide", "Quotient, rounded towards minus infinity.", "//", ZERO, ZERO
)
remainder = operator(
    "remainder", "What floor division leaves; has the sign of the divisor.", "%", "1", "-(x // y)"
)
negative = prefix("negative", "The number with its sign changed.", "-", "-1")
positive = prefix("positive", "The number as it is.", "+", "1")
absolute = Op(
    "absolute",
    "Absolute value; of complex numbers the modulus.",
    operator_rule(np.absolute, _as_number),
    "abs(x)",
    np.absolute,
    derivative=Partials(slopes.modulus),
)
divmod_ = Op(
    "divmod",
    "Floor quotient and remainder.",
    operator_rule(np.divmod, lambda x, y: (_wider(x, y),) * 2),
    "divmod(x, y)",
    np.divmod,
    arity=2,
    derivative=Adjoint(slopes.divmod),
)
fmod = binary(
    "fmod",
    "What division rounded towards zero leaves; has the sign of the dividend.",
    "1",
    "-rint((x - r) / y)",
)
fabs = unary("fabs", "Absolute value, as a float.", "sign(x)")
sign = unary("sign", "-1, 0 or 1; nan for nan.", Adjoint(slopes.sign))
reciprocal = unary("reciprocal", "One over the number; of integers zero, mostly.", "-r * r")
heaviside = binary(
    "heaviside", "0 below zero, 1 above, the second operand at zero.", ZERO, "x == 0"
)
copysign = binary(
    "copysign", "The first operand with the sign of the second.", "sign(x) * sign(r)", ZERO
)
conjugate = unary(
    "conjugate", "The complex conjugate.", Adjoint(lambda d, r, x: (np.conjugate(d),))
)
gcd = binary("gcd", "Greatest common divisor.")
lcm = binary("lcm", "Least common multiple.")

# -- powers and roots ------------------------------------------------------------------------------


def _power_of_numbers(base, exponent):
    if base in (INT, BOOL) and exponent is INT:
        raise TypeError("the power of two integers of Python's may be an int or a float")
    return _wider(base, exponent)


pow_ = Op(
    "pow",
    "Power, as `**` takes it: the exponents 2 and 0.5 are a square and a square root.",
    operator_rule(np.power, _power_of_numbers),
    "x ** y",
    arity=2,
    derivative=Partials(slopes.power_by_base, slopes.power_by_exponent),
)
power = binary(
    "power", "Power, as `np.power` takes it.", slopes.power_by_base, slopes.power_by_exponent
)
float_power = binary(
    "float_power",
    "Power in double precision.",
    slopes.float_power_by_base,
    slopes.power_by_exponent,
)
square = unary("square", "The number times itself.", "2 * x")
sqrt = unary("sqrt", "Square root; nan for negative floats.", "0.5 / r")
cbrt = unary("cbrt", "Cube root.", "1 / (3 * r * r)")
hypot = binary(
    "hypot",
    "Length of the hypotenuse, without undue overflow.",
    "x / where(r == 0, 1, r)",
    "y / where(r == 0, 1, r)",
)

# -- exponentials ----------------------------------------------------------------------------------

exp = unary("exp", "e to the power of x.", "r")
exp2 = unary("exp2", "2 to the power of x.", "r * 0.6931471805599453")
expm1 = unary("expm1", "exp(x) - 1, accurate near zero.", "exp(x)")
log = unary("log", "Natural logarithm; nan for negative floats, -inf for zero.", "1 / x")
log2 = unary("log2", "Logarithm to base 2.", "1.4426950408889634 / x")
log10 = unary("log10", "Logarithm to base 10.", "0.4342944819032518 / x")
log1p = unary("log1p", "log(1 + x), accurate near zero.", "1 / (1 + x)")
logaddexp = binary(
    "logaddexp",
    "log(exp(x) + exp(y)), without undue overflow.",
    slopes.share(np.exp, 0),
    slopes.share(np.exp, 1),
)
logaddexp2 = binary(
    "logaddexp2",
    "log2(2**x + 2**y), without undue overflow.",
    slopes.share(np.exp2, 0),
    slopes.share(np.exp2, 1),
)

# -- trigonometry; angles in radians ---------------------------------------------------------------

sin = unary("sin", "Sine.", "cos(x)")
cos = unary("cos", "Cosine.", "-sin(x)")
tan = unary("tan", "Tangent.", "1 + r * r")
arcsin = unary("arcsin", "Inverse sine, from -pi/2 to pi/2.", "1 / sqrt((1 - x) * (1 + x))")
arccos = unary("arccos", "Inverse cosine, from 0 to pi.", "-1 / sqrt((1 - x) * (1 + x))")
arctan = unary("arctan", "Inverse tangent, from -pi/2 to pi/2.", "1 / (1 + x * x)")
arctan2 = binary(
    "arctan2",
    "The angle of the point (y, x), from -pi to pi.",
    slopes.angle_by_height,
    slopes.angle_by_width,
)
sinh = unary("sinh", "Hyperbolic sine.", "cosh(x)")
cosh = unary("cosh", "Hyperbolic cosine.", "sinh(x)")
tanh = unary("tanh", "Hyperbolic tangent.", "1 - r * r")
arcsinh = unary("arcsinh", "Inverse hyperbolic sine.", slopes.arcsinh)
arccosh = unary("arccosh", "Inverse hyperbolic cosine.", "1 / (sqrt(x - 1) * sqrt(x + 1))")
arctanh = unary("arctanh", "Inverse hyperbolic tangent.", "1 / ((1 - x) * (1 + x))")
degrees = unary("degrees", "Radians to degrees.", "180 / pi")
radians = unary("radians", "Degrees to radians.", "pi / 180")
deg2rad = unary("deg2rad", "Degrees to radians.", "pi / 180")
rad2deg = unary("rad2deg", "Radians to degrees.", "180 / pi")

# -- rounding and the parts of floats --------------------------------------------------------------

floor = unary("floor", "The largest whole number not above x.", ZERO)
ceil = unary("ceil", "The smallest whole number not below x.", ZERO)
trunc = unary("trunc", "The whole number next to x towards zero.", ZERO)
rint = unary("rint", "The nearest whole number, the even one of two.", ZERO)
signbit = unary("signbit", "Whether the sign bit is set, as it is for -0.0.")
isfinite = unary("isfinite", "Whether neither infinite nor nan.")
isinf = unary("isinf", "Whether infinite.")
isnan = unary("isnan", "Whether nan.")
spacing = unary("spacing", "The distance to the next float.", ZERO)
nextafter = binary("nextafter", "The next float after x towards y.", "1", ZERO)
ldexp = binary(
    "ldexp", "x times 2 to the power of y.", Adjoint(lambda d, r, x, y: (np.ldexp(d, y), None))
)
frexp = unary("frexp", "Mantissa and exponent of base 2.", Adjoint(slopes.frexp))
modf = unary("modf", "Fractional and whole part.", Adjoint(lambda d, r, x: (d[0],)))

# -- the larger and the smaller --------------------------------------------------------------------

maximum = binary("maximum", "The larger of two; nan where either is.", Adjoint(slopes.extreme))
minimum = binary("minimum", "The smaller of two; nan where either is.", Adjoint(slopes.extreme))
fmax = binary("fmax", "The larger of two; the other where one is nan.", Adjoint(slopes.extreme))
fmin = binary("fmin", "The smaller of two; the other where one is nan.", Adjoint(slopes.extreme))

# -- bits ------------------------------------------------------------------------------------------

bitwise_and = operator("bitwise_and", "Bits set in both.", "&", python=_bits)
bitwise_or = operator("bitwise_or", "Bits set in either.", "|", python=_bits)
bitwise_xor = operator("bitwise_xor", "Bits set in one of them.", "^", python=_bits)
invert = prefix("invert", "Every bit the other way; of bools the negation.", "~", python=_whole)
left_shift = operator("left_shift", "Bits moved up, zeros moved in.", "<<", python=_whole)
right_shift = operator("right_shift", "Bits moved down, the sign kept.", ">>", python=_whole)
bitwise_count = unary("bitwise_count", "The number of bits that are set.")

# -- comparisons and logic -------------------------------------------------------------------------

equal = operator("equal", "Whether equal; nan equals nothing.", "==", python=_truth)
not_equal = operator("not_equal", "Whether not equal.", "!=", python=_truth)
less = operator("less", "Whether smaller.", "<", python=_truth)
less_equal = operator("less_equal", "Whether smaller or equal.", "<=", python=_truth)
greater = operator("greater", "Whether larger.", ">", python=_truth)
greater_equal = operator("greater_equal", "Whether larger or equal.", ">=", python=_truth)
logical_and = binary("logical_and", "Whether both are true.")
logical_or = binary("logical_or", "Whether either is true.")
logical_xor = binary("logical_xor", "Whether just one is true.")
logical_not = unary("logical_not", "Whether false.")


where = Op(
    "where",
    "The second operand where the first is true, the third elsewhere.",
    lambda c, x, y: array_type(
        tensor_type(np.result_type(*map(_example, (x, y)))).dtype,
        broadcast(c.shape, x.shape, y.shape),
    ),
    "xp.where(x, y, z)",
    np.where,
    arity=3,
    derivative=Adjoint(lambda d, r, c, x, y: (None, np.where(c, d, 0), np.where(c, 0, d))),
)


def _example(operand):
    return operand.kind(0) if isinstance(operand, PythonType) else operand.dtype
