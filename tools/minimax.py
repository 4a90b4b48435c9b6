"""Derives the polynomials of the vector math: python tools/minimax.py > .../coefficients.py

Each polynomial is the best approximation, in the sense of Chebyshev, of a smooth part of a function
on an interval: the exchange algorithm of Remez, in 60 decimal digits of mpmath, on the weighted
error.  The degree is the least one whose error is below the tolerance of the format.  Coefficients
are rounded to the nearest double at the end; the formulas add the leading terms by themselves, so
that the rounding of coefficients is far below the last bit of a result.

mpmath is needed for this script only: `pip install mpmath`.
"""

from collections.abc import Callable
from dataclasses import dataclass

import mpmath as mp

mp.mp.dps = 60

Real = Callable[[mp.mpf], mp.mpf]

TINY = mp.mpf(10) ** -20
THIRD = mp.mpf(1) / 3

HEADING = '''"""Coefficients of the vector math, constant first.  Written by `tools/minimax.py`.

For each polynomial: the coefficients for results in double precision, and those for results in
single precision, which are computed in double precision too.
"""

# op names: polynomials are named for the functions that they approximate
POLYNOMIALS: dict[str, tuple[tuple[float, ...], tuple[float, ...]]] = {'''

SINGLE_HEADING = """\
# op names: polynomials of short formulas that compute in single precision
IN_SINGLE: dict[str, tuple[float, ...]] = {"""


@dataclass(frozen=True)
class Target:
    """A function on an interval, and the weight of its error relative to the result."""

    function: Real
    low: mp.mpf
    high: mp.mpf
    weight: Real
    double: float = 2.0**-58
    single: float = 2.0**-34
    single_high: mp.mpf | None = None


def solved(target: Target, nodes: list[mp.mpf], degree: int) -> list[mp.mpf]:
    """The coefficients whose weighted error has one size, and alternating signs, at the nodes."""
    size = degree + 2
    left, right = mp.matrix(size, size), mp.matrix(size, 1)
    for row, x in enumerate(nodes):
        for column in range(size - 1):
            left[row, column] = x**column
        left[row, size - 1] = (-1) ** row / target.weight(x)
        right[row] = target.function(x)
    return list(mp.lu_solve(left, right))[:-1]


def remez(target: Target, low: mp.mpf, high: mp.mpf, degree: int) -> tuple[list[mp.mpf], mp.mpf]:
    """The best polynomial of a degree, and its largest weighted error."""
    size = degree + 2
    middle, radius = (low + high) / 2, (high - low) / 2
    nodes = [middle - radius * mp.cos(mp.pi * (k + 0.5) / size) for k in range(size)]
    points = [middle - radius * mp.cos(mp.pi * (k + 0.5) / 400) for k in range(400)]
    values = [(target.function(x), target.weight(x)) for x in points]
    for _ in range(8):
        found = solved(target, nodes, degree)
        errors = [
            (mp.polyval(found[::-1], x) - value) * weight
            for x, (value, weight) in zip(points, values, strict=True)
        ]
        nodes = exchanged(points, errors, size)
    return found, max(map(abs, errors))


def exchanged(points: list[mp.mpf], errors: list[mp.mpf], size: int) -> list[mp.mpf]:
    """The points of largest error between changes of its sign: as many as there are nodes."""
    extremes: list[int] = []
    for k, error in enumerate(errors):
        if extremes and (errors[extremes[-1]] < 0) == (error < 0):
            if abs(error) > abs(errors[extremes[-1]]):
                extremes[-1] = k
        else:
            extremes.append(k)
    while len(extremes) > size:
        extremes.pop(0 if abs(errors[extremes[0]]) < abs(errors[extremes[-1]]) else -1)
    if len(extremes) < size:
        raise ArithmeticError("the error does not alternate often enough")
    return [points[k] for k in extremes]


def best(target: Target, tolerance: float, high: mp.mpf) -> list[mp.mpf]:
    """The polynomial of the least degree whose error is below the tolerance."""
    for degree in range(2, 26):
        found, error = remez(target, target.low, high, degree)
        if error < tolerance:
            return found
    raise ArithmeticError("no polynomial up to degree 25 is close enough")


def of_square(function: Real, limit: mp.mpf) -> Real:
    """An even function as a function of the square of its argument, with its limit at 0."""
    return lambda z: function(mp.sqrt(z)) if z > TINY else limit


def tail_of_exp(r: mp.mpf) -> mp.mpf:
    return (mp.expm1(r) - r) / r**2 if abs(r) > TINY else mp.mpf(1) / 2


def tail_of_log(t: mp.mpf) -> mp.mpf:
    return (mp.log1p(t) - t + t * t / 2) / t**3 if abs(t) > mp.mpf(10) ** -9 else THIRD - t / 4


def scaled_erfc(t: mp.mpf) -> mp.mpf:
    """exp(x^2) erfc(x) at x = 2.5 (1 + t) / (1 - t)."""
    x = mp.mpf(5) / 2 * (1 + t) / (1 - t)
    return mp.exp(x * x) * mp.erfc(x)


def in_map(x: float) -> mp.mpf:
    """The t of an x, for `scaled_erfc`."""
    return (x - mp.mpf(5) / 2) / (x + mp.mpf(5) / 2)


HALF_LN2 = mp.log(2) / 2 * mp.mpf("1.0002")
QUARTER_PI = (mp.pi / 4 * mp.mpf("1.0002")) ** 2
LOG_RANGE = ((mp.sqrt(2) - 1) / (mp.sqrt(2) + 1)) ** 2 * mp.mpf("1.0002")


def _of_z(z: mp.mpf) -> mp.mpf:
    return z


TARGETS = {
    # (exp(r) - 1 - r) / r^2
    "exp": Target(tail_of_exp, -HALF_LN2, HALF_LN2, lambda r: mp.mpf("0.35")),
    # (sinh(r) - r) / r^3, of z = r^2
    "sinh": Target(
        of_square(lambda r: (mp.sinh(r) - r) / r**3, THIRD / 2), mp.mpf(0), HALF_LN2**2, _of_z
    ),
    # (cosh(r) - 1) / r^2, of z = r^2
    "cosh": Target(
        of_square(lambda r: (mp.cosh(r) - 1) / r**2, mp.mpf(1) / 2), mp.mpf(0), HALF_LN2**2, _of_z
    ),
    # (log((1 + s) / (1 - s)) - 2 s) / s^3, of z = s^2
    "log": Target(
        of_square(lambda s: 2 * (mp.atanh(s) - s) / s**3, 2 * THIRD), mp.mpf(0), LOG_RANGE, _of_z
    ),
    # (atanh(s) / s - 1 - s^2 / 3) / s^4, of z = s^2
    "power": Target(
        of_square(lambda s: (mp.atanh(s) / s - 1 - s * s / 3) / s**4, mp.mpf(1) / 5),
        mp.mpf(0),
        LOG_RANGE,
        lambda z: z * z,
        double=2.0**-70,
    ),
    # (sin(r) - r) / r^3, of z = r^2
    "sin": Target(
        of_square(lambda r: (mp.sin(r) - r) / r**3, -THIRD / 2), mp.mpf(0), QUARTER_PI, _of_z
    ),
    # (cos(r) - 1 + r^2 / 2) / r^4, of z = r^2
    "cos": Target(
        of_square(lambda r: (mp.cos(r) - 1 + r * r / 2) / r**4, mp.mpf(1) / 24),
        mp.mpf(0),
        QUARTER_PI,
        lambda z: z * z * mp.mpf("1.42"),
    ),
    # (arctan(t) - t) / t^3, of z = t^2
    "arctan": Target(
        of_square(lambda t: (mp.atan(t) - t) / t**3, -THIRD),
        mp.mpf(0),
        mp.mpf(1),
        lambda z: z * mp.mpf("1.28"),
    ),
    # (arcsin(t) - t) / t^3, of z = t^2
    "arcsin": Target(
        of_square(lambda t: (mp.asin(t) - t) / t**3, THIRD / 2), mp.mpf(0), mp.mpf("0.2501"), _of_z
    ),
    # (1 - d)^(-1/3) = 1 + d P(d)
    "cbrt": Target(
        lambda d: ((1 - d) ** -THIRD - 1) / d if abs(d) > TINY else THIRD,
        mp.mpf("-0.13"),
        mp.mpf("0.13"),
        lambda d: mp.mpf("0.13"),
        double=2.0**-27,
        single=2.0**-27,
    ),
    # erf(x) / x - 1, of z = x^2
    "erf": Target(
        of_square(lambda x: mp.erf(x) / x - 1, 2 / mp.sqrt(mp.pi) - 1),
        mp.mpf(0),
        mp.mpf(1),
        lambda z: mp.mpf("1.18"),
    ),
    # exp(x^2) erfc(x) at x = 2.5 (1 + t) / (1 - t), for x in [1, 6], for single in [1, 4]
    "erfc": Target(
        scaled_erfc,
        in_map(0.999),
        in_map(6.0),
        lambda t: mp.mpf("0.44"),
        single_high=in_map(4.0),
    ),
}

# The polynomials of formulas that compute in single precision.
IN_SINGLE = {
    # (exp(r) - 1 - r) / r^2
    "exp": Target(tail_of_exp, -HALF_LN2, HALF_LN2, lambda r: r * r + mp.mpf("0.01")),
    # (2^p - 1 - p ln 2) / p^2
    "exp2": Target(
        lambda p: tail_of_exp(p * mp.log(2)) * mp.log(2) ** 2,
        mp.mpf("-0.5001"),
        mp.mpf("0.5001"),
        lambda p: p * p + mp.mpf("0.01"),
    ),
    # (tanh(x) - x) / x^3, of z = x^2
    "tanh": Target(
        of_square(lambda x: (mp.tanh(x) - x) / x**3, -THIRD), mp.mpf(0), mp.mpf("0.4"), _of_z
    ),
    # (log(1 + t) - t + t^2 / 2) / t^3
    "log": Target(
        tail_of_log,
        mp.sqrt(mp.mpf(1) / 2) - 1 - mp.mpf("0.0001"),
        mp.sqrt(2) - 1 + mp.mpf("0.0001"),
        lambda t: t * t + mp.mpf("0.01"),
    ),
    "sin": TARGETS["sin"],
    "cos": TARGETS["cos"],
}
SINGLE_TOLERANCE = 2.0**-27.5


def written(coefficients: list[mp.mpf]) -> str:
    lines = [f"            {float(value)!r}," for value in coefficients]
    return "\n".join(["        (", *lines, "        ),"])


def main() -> None:
    print(HEADING)
    for name, target in TARGETS.items():
        print(f'    "{name}": (')
        print(written(best(target, target.double, target.high)))
        print(written(best(target, target.single, target.single_high or target.high)))
        print("    ),")
    print("}")
    print(SINGLE_HEADING)
    for name, target in IN_SINGLE.items():
        found = best(target, SINGLE_TOLERANCE, target.high)
        print(f'    "{name}": ({", ".join(repr(float(one)) for one in found)}),')
    print("}")


if __name__ == "__main__":
    main()
