"""What functions of the vector math should give: NumPy's results in a wider type.

Results in double precision are compared with 80-bit numbers (`np.longdouble`), and results in
single precision with doubles.
"""

import numpy as np

TWO_OVER_ROOT_PI = np.longdouble("1.12837916709551257389615890312154517169")


def sigmoid(x):
    return np.where(
        x >= 0, 1 / (1 + np.exp(-np.abs(x))), np.exp(-np.abs(x)) * (1 / (1 + np.exp(-np.abs(x))))
    )


def erf(x):
    """The error function of 80-bit numbers: a series of positive terms, and a continued fraction."""
    x = np.asarray(x, np.longdouble)
    size = np.clip(np.abs(x), 0, 12)
    near, far = np.minimum(size, 3), np.maximum(size, 3)
    term = total = near
    for k in range(1, 90):
        term = term * (2 * near * near) / (2 * k + 1)
        total = total + term
    series = TWO_OVER_ROOT_PI * np.exp(-near * near) * total
    fraction = np.zeros_like(far)
    for k in range(80, 0, -1):
        fraction = (np.longdouble(k) / 2) / (far + fraction)
    rest = TWO_OVER_ROOT_PI / 2 * np.exp(-far * far) / (far + fraction)
    result = np.where(size < 3, series, 1 - rest)
    return np.where(np.isnan(x), x, np.copysign(result, x))


REFERENCES = {"sigmoid": sigmoid, "erf": erf, "pow": np.power}


def expected(name, *arguments):
    """The value of a function, in a type that is wider than that of the arguments."""
    wide = np.longdouble if arguments[0].dtype == np.float64 else np.float64
    function = REFERENCES.get(name) or getattr(np, name)
    with np.errstate(all="ignore"):
        return function(*[x.astype(wide) for x in arguments])


def errors_in_ulp(results, wide):
    """The distance of results from wider ones, in units in the last place of the rounded ones.

    Equal infinities and two nans have distance 0; a nan or an infinity in one of them only has an
    infinite distance.
    """
    dtype = results.dtype
    with np.errstate(all="ignore"):
        rounded = wide.astype(dtype)
        unit = np.spacing(np.abs(rounded)).astype(wide.dtype)
        top = np.isinf(unit) | np.isnan(unit)
        top_unit = 2 * np.spacing(np.finfo(dtype).max / 2).astype(wide.dtype)
        unit = np.where(top, top_unit, unit)
        limit = np.finfo(dtype).max.astype(wide.dtype) + top_unit  # inf, as the next number
        got = np.where(np.isinf(results), np.copysign(limit, results), results.astype(wide.dtype))
        want = np.where(np.abs(wide) > limit, np.copysign(limit, wide), wide)
        distance = np.abs(got - want) / unit
    distance = np.where(np.isnan(results) & np.isnan(wide), 0, distance)
    return np.where(np.isnan(distance), np.inf, distance).astype(np.float64)
