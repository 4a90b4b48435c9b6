"""Derivatives of scalar functions that graphs call directly: `math`, `scipy.special`, `np.sinc`.

    math.sin(x)             the rule of np.sin
    math.gamma(x)           gamma(x) * digamma(x)
    scipy.special.erf(x)    2 / sqrt(pi) * exp(-x**2)

Formulas are written as for `Partials`.  Where the cotangent is zero, the result is zero, even if
the formula is infinite or nan there.
"""

import functools
import math
import operator
import sys

import numpy as np

from runtime.ir.derivative import Adjoint, Composition, NoDerivative, Partials, Rule
from runtime.ir.op import find
from runtime.ops.adjoints.selection import array


def scaled(d, slope):
    """d times the (conjugate) slope, and zero where d is zero, even if the slope is not finite.

    It is traced as one op that is linear in d, since forward mode transposes it at d = 0.
    """
    if np.iscomplexobj(slope):
        slope = np.conjugate(slope)
    return find("scaled")(d, slope)


def by_formulas(partials: Partials) -> Adjoint:
    """The rule of a function that takes its operands by position."""

    def rule(d, r, x, y=None, z=None, /, *, where=True, **options):
        found = {}
        operands = (x, y, z)
        for place, name in zip(range(len(partials.formulas)), "xyz", strict=False):
            if not partials.is_zero(place):
                each = scaled(d, partials.partial(place, r, operands))
                found[name] = each if where is True else np.where(where, each, 0)
        return found

    return Adjoint(rule)


# -- digamma ---------------------------------------------------------------------------------------

# B(2k) / 2k for Stirling's series; Abramowitz and Stegun 6.3.18.
STIRLING = (1 / 12, -1 / 120, 1 / 252, -1 / 240, 1 / 132, -691 / 32760, 1 / 12)
SHIFT = 10  # from here on, the series is accurate to double precision


def digamma(x):
    """The logarithmic derivative of the gamma function.

    Uses Stirling's series for large x, the recurrence digamma(x) = digamma(x + 1) - 1 / x to get
    there, and the reflection formula for x < 0.5.
    """
    is_left = x < 0.5
    turned = np.where(is_left, 1 - x, x)
    large, found = turned + SHIFT, 0.0
    for k in range(SHIFT):
        found = found - 1 / (turned + k)
    square = 1 / (large * large)
    series = 0.0
    for coefficient in reversed(STIRLING):
        series = (series + coefficient) * square
    found = found + np.log(large) - 0.5 / large - series
    angle = np.where(is_left, np.pi * x, 1.0)
    return np.where(is_left, found - np.pi / np.tan(angle), found)


# -- the functions of math -------------------------------------------------------------------------

ALIKE = {
    "acos": "arccos", "acosh": "arccosh", "asin": "arcsin", "asinh": "arcsinh", "atan": "arctan",
    "atan2": "arctan2", "atanh": "arctanh", "cbrt": "cbrt", "copysign": "copysign", "cos": "cos",
    "cosh": "cosh", "degrees": "degrees", "exp": "exp", "exp2": "exp2", "expm1": "expm1",
    "fabs": "fabs", "fmod": "fmod", "log10": "log10", "log1p": "log1p", "log2": "log2",
    "nextafter": "nextafter", "pow": "power", "radians": "radians", "sin": "sin", "sinh": "sinh",
    "sqrt": "sqrt", "tan": "tan", "tanh": "tanh",
}  # fmt: skip
GAUSS = "1.1283791670955126 * exp(-x * x)"  # 2 / sqrt(pi)
FORMULAS = {
    "erf": Partials(GAUSS),
    "erfc": Partials("-" + GAUSS),
    "fma": Partials("y", "x", "1"),
    "gamma": Partials(lambda x, y, z, r: r * digamma(x)),
    "lgamma": Partials(lambda x, y, z, r: digamma(x)),
    "remainder": Partials("1", "-rint((x - r) / y)"),
    "ulp": Partials("0"),
}


def _logarithm(d, r, x, base=math.e):
    of_log = np.log(base)
    return {"x": scaled(d, 1 / (x * of_log)), "base": scaled(d, -r / (base * of_log))}


def _length(d, r, *coordinates):
    safe = np.where(r == 0, 1, r)
    return {"coordinates": tuple(d * (x / safe) for x in coordinates)}


def _distance(d, r, p, q):
    each = (array(p) - array(q)) * (d / np.where(r == 0, 1, r))
    return {"p": each, "q": -each}


def _product(iterable, /, *, start=1):
    if isinstance(iterable, (tuple, list)):
        return functools.reduce(operator.mul, iterable, start)
    return start * np.prod(iterable, axis=0)


def _sum_of_products(p, q, /):
    p, q = array(p), array(q)
    rank = max(np.ndim(p), np.ndim(q))
    p, q = (  # reshaped to one rank, since rows are multiplied by rows
        np.reshape(x, (np.shape(x)[0], *(1,) * (rank - np.ndim(x)), *np.shape(x)[1:]))
        for x in (p, q)
    )
    return np.sum(p * q, axis=0)


def _sum_of_all(seq, /):
    return np.sum(array(seq), axis=0)


CONSTANT = Adjoint(lambda d, r, *arguments, **options: {})
MATH: dict[str, Rule] = {
    "dist": Adjoint(_distance),
    "frexp": Adjoint(lambda d, r, x: {} if d[0] is None else {"x": np.ldexp(d[0], -r[1])}),
    "fsum": Composition(_sum_of_all),
    "hypot": Adjoint(_length),
    "ldexp": Adjoint(lambda d, r, x, i: {"x": np.ldexp(d, i)}),
    "log": Adjoint(_logarithm),
    "modf": Adjoint(lambda d, r, x: {"x": d[0]}),
    "prod": Composition(_product),
    "sumprod": Composition(_sum_of_products),
}
# Functions whose results are never floats.
WHOLE = "ceil comb factorial floor gcd isclose isfinite isinf isnan isqrt lcm perm trunc"


def math_rule(name: str) -> Rule | None:
    """The rule of a function of `math`; None if its results are never floats."""
    if name in WHOLE.split():
        return None
    if name in MATH:
        return MATH[name]
    if name in FORMULAS:
        return by_formulas(FORMULAS[name])
    if name in ALIKE:
        partials = find(ALIKE[name]).derivative
        assert isinstance(partials, Partials)
        return by_formulas(partials)
    return NoDerivative(f"No derivative is defined for math.{name}.")


def cmath_rule(name: str) -> Rule | None:
    """The rule of a function of `cmath`, which takes real numbers as complex ones; None if its
    results are never floats."""
    if name in WHOLE.split():
        return None
    if name == "log":
        return Composition(lambda z, base=math.e, /: np.log(_complex(z)) / np.log(_complex(base)))
    if name in ("acos", "asin") or name not in ALIKE:  # of real numbers on their branch cuts
        return NoDerivative(f"No derivative is defined for cmath.{name}.")
    return Composition(lambda z, /: getattr(np, ALIKE[name])(_complex(z)))


def _complex(z):
    return array(z).astype(complex)


# -- sinc ------------------------------------------------------------------------------------------

# The derivative is -pi**2 x / 3 * (1 - t / 10 + ...) with t = (pi x)**2: the coefficients in t.
SINC = (1.0, -1 / 10, 1 / 280, -1 / 15120, 1 / 1330560, -1 / 172972800)


def sinc(d, r, x):
    """(cos(pi x) - sinc(x)) / x, or its Taylor series for small x."""
    is_small = np.abs(x) < 0.1
    safe = np.where(is_small, 1, x)
    small = np.where(is_small, x, 0)
    square, series = (np.pi * small) ** 2, 0.0
    for coefficient in reversed(SINC):
        series = series * square + coefficient
    slope = np.where(
        is_small,
        series * small * (-np.pi * np.pi / 3),
        (np.cos(np.pi * safe) - np.sinc(safe)) / safe,
    )
    return {"x": scaled(d, slope)}


# -- i0 --------------------------------------------------------------------------------------------

ANGLES = 128  # the trapezoidal rule is exact to double precision for all x with a finite i0(x)


def i0(x):
    """The modified Bessel function I0: the mean of cosh(x cos(t)) over 0 <= t <= pi / 2."""
    t = np.linspace(0, np.pi / 2, ANGLES + 1)
    weights = np.where((t == 0) | (t == np.pi / 2), 0.5, 1.0) / ANGLES
    return np.sum(np.cosh(np.expand_dims(x, -1) * np.cos(t)) * weights, axis=-1)


# -- scipy.special ---------------------------------------------------------------------------------


def _special(name):
    return getattr(sys.modules["scipy.special"], name)


def _called(name, *places):
    """A formula that calls a function of `scipy.special` with the operands at some positions."""
    return lambda x, y, z, r: _special(name)(*((x, y, z)[place] for place in places))


SPECIAL: dict[str, Partials] = {
    "erf": Partials(GAUSS),
    "erfc": Partials("-" + GAUSS),
    "erfcx": Partials("2 * x * r - 1.1283791670955126"),
    "erfi": Partials("1.1283791670955126 * exp(x * x)"),
    "erfinv": Partials("0.886226925452758 * exp(r * r)"),
    "erfcinv": Partials("-0.886226925452758 * exp(r * r)"),
    "gamma": Partials(lambda x, y, z, r: r * _special("digamma")(x)),
    "gammaln": Partials(_called("digamma", 0)),
    "loggamma": Partials(_called("digamma", 0)),
    "rgamma": Partials(lambda x, y, z, r: -r * _special("digamma")(x)),
    "digamma": Partials(lambda x, y, z, r: _special("zeta")(2.0, x)),
    "psi": Partials(lambda x, y, z, r: _special("zeta")(2.0, x)),
    "expit": Partials("r * (1 - r)"),
    "log_expit": Partials("1 - exp(r)"),
    "logit": Partials("1 / (x * (1 - x))"),
    "xlogy": Partials("log(y)", "x / y"),
    "xlog1py": Partials("log1p(y)", "x / (1 + y)"),
    "entr": Partials("-log(x) - 1"),
    "rel_entr": Partials("log(x / y) + 1", "-x / y"),
    "kl_div": Partials("log(x / y)", "1 - x / y"),
    "huber": Partials(
        lambda x, y, z, r: np.where(np.abs(y) < x, 0, np.abs(y) - x),
        lambda x, y, z, r: np.clip(y, -x, x),
    ),
    "ndtr": Partials("0.3989422804014327 * exp(-x * x / 2)"),
    "log_ndtr": Partials("0.3989422804014327 * exp(-x * x / 2 - r)"),
    "ndtri": Partials("2.5066282746310002 * exp(r * r / 2)"),
    "expm1": Partials("exp(x)"),
    "log1p": Partials("1 / (1 + x)"),
    "exp2": Partials("r * 0.6931471805599453"),
    "exp10": Partials("r * 2.302585092994046"),
    "cbrt": Partials("1 / (3 * r * r)"),
    "i0": Partials(_called("i1", 0)),
    "i0e": Partials(lambda x, y, z, r: _special("i1e")(x) - np.sign(x) * r),
    "i1": Partials(lambda x, y, z, r: (_special("i0")(x) + _special("iv")(2.0, x)) / 2),
    "j0": Partials(lambda x, y, z, r: -_special("j1")(x)),
    "j1": Partials(lambda x, y, z, r: (_special("j0")(x) - _special("jn")(2.0, x)) / 2),
    "k0": Partials(lambda x, y, z, r: -_special("k1")(x)),
    "k1": Partials(lambda x, y, z, r: -(_special("k0")(x) + _special("kv")(2.0, x)) / 2),
    "y0": Partials(lambda x, y, z, r: -_special("y1")(x)),
    "y1": Partials(lambda x, y, z, r: (_special("y0")(x) - _special("yv")(2.0, x)) / 2),
    "exp1": Partials("-exp(-x) / x"),
    "expi": Partials("exp(x) / x"),
    "pseudo_huber": Partials(
        "2 * r / x - y * y / (x * sqrt(1 + (y / x) ** 2))", "y / sqrt(1 + (y / x) ** 2)"
    ),
    "binom": Partials(
        lambda x, y, z, r: r * (_special("digamma")(x + 1) - _special("digamma")(x - y + 1)),
        lambda x, y, z, r: r * (_special("digamma")(x - y + 1) - _special("digamma")(y + 1)),
    ),
    "poch": Partials(
        lambda x, y, z, r: r * (_special("digamma")(x + y) - _special("digamma")(x)),
        lambda x, y, z, r: r * _special("digamma")(x + y),
    ),
    "dawsn": Partials("1 - 2 * x * r"),
    "beta": Partials(
        lambda x, y, z, r: r * (_special("digamma")(x) - _special("digamma")(x + y)),
        lambda x, y, z, r: r * (_special("digamma")(y) - _special("digamma")(x + y)),
    ),
    "betaln": Partials(
        lambda x, y, z, r: _special("digamma")(x) - _special("digamma")(x + y),
        lambda x, y, z, r: _special("digamma")(y) - _special("digamma")(x + y),
    ),
    "cosdg": Partials("-sin(x * (pi / 180)) * (pi / 180)"),
    "sindg": Partials("cos(x * (pi / 180)) * (pi / 180)"),
    "cosm1": Partials("-sin(x)"),
    "round": Partials("0"),
}


def zeta(d, r, x, y, *rest, **options):
    """The rule of Hurwitz's zeta function with respect to y: -x zeta(x + 1, y)."""
    return {"y": scaled(d, -x * _special("zeta")(x + 1.0, y))}


def special_rule(name: str) -> Rule:
    """The rule of a ufunc of `scipy.special`."""
    if name == "_zeta":
        return Adjoint(zeta)
    if name in SPECIAL:
        return by_formulas(SPECIAL[name])
    return NoDerivative(
        f"No derivative is defined for scipy.special.{name}.",
        "Write it with functions that have a derivative, or define one with rt.custom_gradient.",
    )
