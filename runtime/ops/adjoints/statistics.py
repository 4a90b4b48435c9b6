"""Averages, quantiles and similar functions, written with functions that have derivatives.

median, percentile       interpolation between sorted elements
nanmean, nanmax ...      mean, max ... of the elements that are not nan
average, cov, corrcoef   sums of products
"""

import numpy as np

from runtime.ir.derivative import NoDerivative
from runtime.ops.adjoints.products import conjugated
from runtime.ops.adjoints.selection import array, taken
from runtime.ops.adjoints.sizes import axes_of, count

# -- masked reductions -----------------------------------------------------------------------------


def sum(a, axis=None, dtype=None, *, keepdims=False, initial=None, where=True):
    """The sum of the elements that `where` selects."""
    chosen = a if where is True else np.where(where, a, 0)
    found = np.sum(chosen, axis=axis, dtype=dtype, keepdims=_is(keepdims))
    return found if _is_left_out(initial) else found + initial


def prod(a, axis=None, dtype=None, *, keepdims=False, initial=None, where=True):
    """The product of the elements that `where` selects."""
    chosen = a if where is True else np.where(where, a, 1)
    found = np.prod(chosen, axis=axis, dtype=dtype, keepdims=_is(keepdims))
    return found if _is_left_out(initial) else found * initial


def mean(a, axis=None, dtype=None, *, keepdims=False, where=True):
    """The mean of the elements that `where` selects."""
    if where is True:
        return np.mean(a, axis=axis, dtype=dtype, keepdims=_is(keepdims))
    total = sum(a, axis, dtype, keepdims=_is(keepdims), where=where)
    return total / _number(a, axis, keepdims, where)


def var(
    a, axis=None, dtype=None, ddof=0, keepdims=False, *, where=True, mean=None, correction=None
):
    """The variance of the elements that `where` selects."""
    ddof = ddof if _is_left_out(correction) else correction
    own = _mean_of(a, axis, dtype, where) if _is_left_out(mean) else mean
    distance = a - own
    squares = np.real(distance * conjugated(distance))
    total = sum(squares, axis, keepdims=_is(keepdims), where=where)
    if where is True:
        return total / (count(a, axis) - ddof)
    return total / (_number(a, axis, keepdims, where) - ddof)


_mean = mean


def _mean_of(a, axis, dtype, where):
    return _mean(a, axis, dtype, keepdims=True, where=where)


def std(a, axis=None, dtype=None, ddof=0, keepdims=False, **options):
    """The square root of the variance; its derivative is defined as 0 where the variance is 0."""
    found = var(a, axis, dtype, ddof, keepdims, **options)
    is_zero = found == 0
    return np.where(is_zero, 0, np.sqrt(np.where(is_zero, 1, found)))


def _number(a, axis, keepdims, where):
    """The number of elements that `where` selects."""
    meant = where | np.zeros_like(a, dtype=bool, order="C")
    return np.sum(meant, axis=axis, keepdims=_is(keepdims))


def _extreme(function, join, worst):
    def extreme(a, axis=None, *, keepdims=False, initial=None, where=True):
        chosen = a if where is True else np.where(where, a, worst)
        found = function(chosen, axis=axis, keepdims=_is(keepdims))
        return found if _is_left_out(initial) else join(found, initial)

    return extreme


max = _extreme(np.max, np.maximum, -np.inf)
min = _extreme(np.min, np.minimum, np.inf)


def _is_left_out(value):
    return value is None or value is np._NoValue


def _is(keepdims):
    return keepdims is True


def ptp(a, axis=None, *, keepdims=False):
    """The largest minus the smallest."""
    return np.max(a, axis=axis, keepdims=_is(keepdims)) - np.min(
        a, axis=axis, keepdims=_is(keepdims)
    )


# -- ignoring nan ----------------------------------------------------------------------------------


def _and(where, a):
    is_number = ~np.isnan(a)
    return is_number if where is True or where is np._NoValue else is_number & where


def of_numbers(function):
    """The variant of a reduction that ignores nan."""

    def of_some(a, axis=None, *args, **options):
        where = _and(options.pop("where", True), a)
        return function(a, axis, *args, **options, where=where)

    return of_some


def _scan_without_nan(scan, neutral):
    return lambda a, axis=None, dtype=None: scan(np.where(np.isnan(a), neutral, a), axis, dtype)


# -- quantiles -------------------------------------------------------------------------------------


def _places(q, size, method):
    """The positions below and above each quantile, and the weight of the one above.

    `size` is the number of elements.  None if the method is not supported.
    """
    place = q * (size - 1)
    match method:
        case "linear":
            low = np.floor(place)
            return low, low + 1, place - low
        case "lower":
            return np.floor(place), np.floor(place), 0.0
        case "higher":
            return np.ceil(place), np.ceil(place), 0.0
        case "nearest":
            return np.rint(place), np.rint(place), 0.0
        case "midpoint":
            return np.floor(place), np.ceil(place), 0.5
    return None


def _quantile(a, q, axis, keepdims, method, weights, ignores_nan):
    if not _is_left_out(weights) or _places(np.float64(0.5), 3, method) is None:
        return NoDerivative(
            f"Quantiles with method={method!r} and weights={weights!r} are not differentiated.",
            "Use method='linear' without weights.",
        )
    a, q, rank = array(a), array(q), np.ndim(a)
    axes = axes_of(a, axis)
    row = np.reshape(
        np.moveaxis(a, axes, tuple(range(-len(axes), 0))),
        (*(np.shape(a)[i] for i in range(rank) if i not in axes), count(a, axis)),
    )
    row = np.sort(row, axis=-1)  # nan is sorted to the end
    size = np.sum(~np.isnan(row), axis=-1, keepdims=True) if ignores_nan else np.shape(row)[-1]
    found = _of_sorted(row, np.reshape(q, (-1,)), size, method)
    shape = np.shape(a) if keepdims is True else ()
    rest = tuple(1 if i in axes else n for i, n in enumerate(shape)) or np.shape(found)[:-1]
    return np.reshape(np.moveaxis(found, -1, 0), (*np.shape(q), *rest))


def _of_sorted(row, q, size, method):
    """The quantiles of sorted rows, along the last axis."""
    low, high, share = _places(q, size, method)
    last = np.shape(row)[-1] - 1
    below, above = _at(row, low, last), _at(row, high, last)
    return below + (above - below) * share


def _at(row, place, last):
    """The elements of sorted rows at some positions, clipped to the row."""
    places = np.minimum(np.maximum(place, 0), last).astype(np.intp)
    if np.ndim(places) == 1:
        return taken(row, places, -1)
    return np.take_along_axis(row, places, -1)


def _quantiles(scale, ignores_nan):
    def quantile(
        a, q, axis=None, out=None, overwrite_input=False, method="linear", keepdims=False,
        *, weights=None, interpolation=None,
    ):  # fmt: skip
        q = array(q) / scale if scale != 1 else array(q)
        return _quantile(a, q, axis, keepdims, method, weights, ignores_nan)

    return quantile


def _median(ignores_nan):
    def median(a, axis=None, out=None, overwrite_input=False, keepdims=False):
        return _quantile(a, np.float64(0.5), axis, keepdims, "linear", None, ignores_nan)

    return median


# -- weights and products --------------------------------------------------------------------------


def average(a, axis=None, weights=None, returned=False, *, keepdims=False):
    """The weighted mean."""
    a = array(a)
    if weights is None:
        found = np.mean(a, axis=axis, keepdims=_is(keepdims))
        total = found * 0 + count(a, axis)
    else:
        weights = _along(array(weights), a, axis)
        total = np.sum(weights + 0 * a, axis=axis, keepdims=_is(keepdims))
        found = np.sum(a * weights, axis=axis, keepdims=_is(keepdims)) / total
    return (found, total) if returned else found


def _along(weights, a, axis):
    if np.ndim(weights) == np.ndim(a):
        return weights
    axes = axes_of(a, axis)
    shape = tuple(size if i in axes else 1 for i, size in enumerate(np.shape(a)))
    return np.reshape(np.transpose(weights, np.argsort(np.argsort(axes)).tolist()), shape)


def cov(m, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None, *, dtype=None):
    """The covariance matrix: means of products of deviations from the mean."""
    x = _variables(array(m), rowvar)
    if y is not None:
        x = np.concatenate([x, _variables(array(y), rowvar)], axis=0)
    ddof = ddof if ddof is not None else 0 if bias else 1
    weights = None
    for given in (fweights, aweights):
        if given is not None:
            weights = array(given) if weights is None else weights * array(given)
    if weights is None:
        distance = x - np.mean(x, axis=1, keepdims=True)
        found = distance @ conjugated(np.transpose(distance)) / (np.shape(x)[1] - ddof)
    else:
        total = np.sum(weights)
        distance = x - np.sum(x * weights, axis=1, keepdims=True) / total
        less = ddof if aweights is None else ddof * np.sum(weights * array(aweights)) / total
        found = (distance * weights) @ conjugated(np.transpose(distance)) / (total - less)
    return found[0, 0] if _is_one(np.shape(x)[0]) else found


def _variables(m, rowvar):
    if np.ndim(m) < 2:
        return np.reshape(m, (1, -1))
    return m if rowvar or _is_one(np.shape(m)[0]) else np.transpose(m)


def _is_one(size):
    return isinstance(size, int) and size == 1


def corrcoef(x, y=None, rowvar=True, *, dtype=None):
    """The correlation matrix: covariances over the products of standard deviations."""
    found = cov(x, y, rowvar)
    if np.ndim(found) == 0:
        return found / found
    deviation = np.sqrt(np.real(np.diagonal(found)))
    return found / deviation[:, None] / deviation[None, :]


NAN = {
    np.nansum: sum,
    np.nanprod: prod,
    np.nanmean: mean,
    np.nanvar: var,
    np.nanstd: std,
    np.nanmax: max,
    np.nanmin: min,
}
COMPOSITIONS = {
    np.average: average,
    np.corrcoef: corrcoef,
    np.cov: cov,
    np.max: max,
    np.mean: mean,
    np.median: _median(False),
    np.min: min,
    np.nancumprod: _scan_without_nan(np.cumprod, 1),
    np.nancumsum: _scan_without_nan(np.cumsum, 0),
    np.nanmedian: _median(True),
    np.nanpercentile: _quantiles(100, True),
    np.nanquantile: _quantiles(1, True),
    np.percentile: _quantiles(100, False),
    np.prod: prod,
    np.ptp: ptp,
    np.quantile: _quantiles(1, False),
    np.std: std,
    np.sum: sum,
    np.var: var,
    **{function: of_numbers(of_some) for function, of_some in NAN.items()},
}
