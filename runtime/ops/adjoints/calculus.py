"""Differences, integrals, interpolation, polynomials and filters, written differentiably.

Each function computes the same values as the NumPy function of its name, with functions that have
derivatives; `convolve` has an adjoint of its own.
"""

import numpy as np

from runtime.ir.derivative import NoDerivative
from runtime.ops.adjoints.products import conjugated
from runtime.ops.adjoints.selection import array, padded, taken
from runtime.ops.adjoints.sizes import counted, zeros

# -- along an axis ---------------------------------------------------------------------------------


def _part(x, axis, start=None, stop=None):
    return x[(*(slice(None),) * (axis % np.ndim(x)), slice(start, stop))]


def diff(a, n=1, axis=-1, prepend=None, append=None):
    """Each element minus the one before it."""
    a = array(a)
    ends = [_end(prepend, a, axis), a, _end(append, a, axis)]
    known = [part for part in ends if part is not None]
    a = np.concatenate(known, axis=axis) if len(known) > 1 else a
    for _ in range(n):
        a = _part(a, axis, 1) - _part(a, axis, None, -1)
    return a


def _end(value, a, axis):
    if value is None or value is np._NoValue:
        return None
    value = array(value)
    if np.ndim(value):
        return value
    shape = list(np.shape(a))
    shape[axis] = 1
    return value + zeros(tuple(shape), a.dtype)


def ediff1d(ary, to_end=None, to_begin=None):
    """Differences of the flattened elements, with `to_begin` and `to_end` around them."""
    row = np.ravel(array(ary))
    ends = (to_begin, row[1:] - row[:-1], to_end)
    return np.concatenate([np.ravel(array(part)) for part in ends if part is not None])


def cumulative_sum(x, /, *, axis=None, dtype=None, include_initial=False):
    """Cumulative sums, starting with 0 if `include_initial`."""
    return _cumulative(np.cumsum, 0, x, axis, dtype, include_initial)


def cumulative_prod(x, /, *, axis=None, dtype=None, include_initial=False):
    """Cumulative products, starting with 1 if `include_initial`."""
    return _cumulative(np.cumprod, 1, x, axis, dtype, include_initial)


def _cumulative(scan, neutral, x, axis, dtype, include_initial):
    axis = 0 if axis is None else axis
    found = scan(x, axis=axis, dtype=dtype)
    if not include_initial:
        return found
    shape = list(np.shape(found))
    shape[axis] = 1
    first = zeros(tuple(shape), found.dtype) + neutral
    return np.concatenate([first, found], axis=axis)


def trapezoid(y, x=None, dx=1.0, axis=-1):
    """The sum of widths times mean heights."""
    y = array(y)
    heights = (_part(y, axis, 1) + _part(y, axis, None, -1)) / 2
    if x is None:
        return np.sum(heights * dx, axis=axis)
    widths = array(x)
    if np.ndim(widths) == 1:
        shape = [1] * np.ndim(y)
        shape[axis] = -1
        widths = np.reshape(widths[1:] - widths[:-1], tuple(shape))
    else:
        widths = _part(widths, axis, 1) - _part(widths, axis, None, -1)
    return np.sum(widths * heights, axis=axis)


def gradient(f, *varargs, axis=None, edge_order=1):
    """Differences over distances: between both neighbours inside, one-sided at the edges."""
    f = array(f) * 1.0
    rank = np.ndim(f)
    axes = range(rank) if axis is None else axis if isinstance(axis, tuple) else (axis,)
    axes = tuple(each % rank for each in axes)
    spacings = varargs * len(axes) if len(varargs) == 1 else varargs or (1.0,) * len(axes)
    pairs = zip(axes, spacings, strict=True)
    found = tuple(_slope(np.moveaxis(f, i, -1), array(h), edge_order, i) for i, h in pairs)
    return found[0] if len(found) == 1 else found


def _slope(f, h, edge_order, axis):
    widths = h[1:] - h[:-1] if np.ndim(h) else h + zeros((np.shape(f)[-1] - 1,), np.float64)
    steps = (f[..., 1:] - f[..., :-1]) / widths
    left, right = widths[:-1], widths[1:]
    inside = (steps[..., :-1] * right + steps[..., 1:] * left) / (left + right)
    first, last = steps[..., :1], steps[..., -1:]
    if edge_order == 2:
        first = first - (steps[..., 1:2] - first) * (widths[0] / (widths[0] + widths[1]))
        before = steps[..., -2:-1]
        last = last + (last - before) * (widths[-1] / (widths[-1] + widths[-2]))
    return np.moveaxis(np.concatenate([first, inside, last], axis=-1), -1, axis)


# -- interpolation ---------------------------------------------------------------------------------


def interp(x, xp, fp, left=None, right=None, period=None):
    """Linear interpolation between the two neighbours of x."""
    if period is not None:
        return NoDerivative("np.interp has a period.", "Take x modulo the period before the call.")
    x, xp, fp = array(x), array(xp), array(fp)
    last = np.shape(xp)[0] - 1
    places = np.searchsorted(xp, x, "right") - 1
    low = np.minimum(np.maximum(places, 0), np.maximum(last - 1, 0))
    high = np.minimum(low + 1, last)
    start, value = taken(xp, low), taken(fp, low)
    width = taken(xp, high) - start
    share = (x - start) / np.where(width == 0, 1, width)
    found = value + (taken(fp, high) - value) * share
    found = np.where(x < xp[0], fp[0] if left is None else left, found)
    return np.where(x > xp[-1], fp[-1] if right is None else right, found)


def linspace(start, stop, num=50, endpoint=True, retstep=False, dtype=None, axis=0):
    """The start plus equal steps."""
    start, stop = array(start) * 1.0, array(stop) * 1.0
    parts = num - 1 if endpoint else num
    step = (stop - start) / parts if parts else np.nan * (stop - start)
    shares = np.reshape(
        np.arange(num) / (parts or 1), (-1, *(1,) * max(np.ndim(start), np.ndim(stop)))
    )
    found = np.moveaxis(start + (stop - start) * shares, 0, axis)
    return (found, step) if retstep else found


def logspace(start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0):
    """Powers of equally spaced exponents."""
    return np.power(base, linspace(start, stop, num, endpoint, axis=axis))


def geomspace(start, stop, num=50, endpoint=True, dtype=None, axis=0):
    """The start times equal factors."""
    start, stop = array(start) * 1.0, array(stop) * 1.0
    shares = linspace(0.0 * start, 0.0 * stop + 1.0, num, endpoint, axis=axis)
    if axis == 0 or np.ndim(start) == 0 == np.ndim(stop):
        return start * np.power(stop / start, shares)
    return np.expand_dims(start, axis) * np.power(np.expand_dims(stop / start, axis), shares)


# -- filters ---------------------------------------------------------------------------------------


MODES = {0: "valid", 1: "same", 2: "full"}


def convolve(d, r, a, v, mode="full"):
    """The cotangent of the full convolution, correlated with the other operand."""
    a, v = array(a), array(v)
    a, v = (np.reshape(x, (1,)) if np.ndim(x) == 0 else x for x in (a, v))
    long, short = np.shape(a)[0], np.shape(v)[0]
    if isinstance(long, int) and isinstance(short, int) and short > long:
        long, short = short, long
    elif not (isinstance(long, int) and isinstance(short, int)):
        long, short = np.maximum(long, short), np.minimum(long, short)
    start = {"full": 0, "same": (short - 1) // 2, "valid": short - 1}[MODES.get(mode, mode)]
    rest = long + short - 1 - start - np.shape(d)[0]
    whole = padded(padded(d, start, 0, 0), 0, rest, 0) if MODES.get(mode, mode) != "full" else d
    return {"a": np.correlate(whole, v, "valid"), "v": np.correlate(whole, a, "valid")}


def correlate(a, v, mode="valid"):
    """A convolution with the second operand reversed and conjugated."""
    return np.convolve(array(a), conjugated(np.flip(array(v), 0)), mode)


# -- polynomials -----------------------------------------------------------------------------------


def polyval(p, x):
    """Horner's rule; a sum of powers if the number of coefficients is staged."""
    p, x = array(p), array(x)
    size = np.shape(p)[0]
    if not isinstance(size, int):
        return np.sum(x[..., None] ** counted(size)[::-1] * p, axis=-1)
    found = 0 * x
    for i in range(size):
        found = found * x + p[i]
    return found


def polyadd(a1, a2):
    """Sums of coefficients, aligned at the last one."""
    a1, a2 = (np.reshape(a, (1,)) if np.ndim(a) == 0 else a for a in map(array, (a1, a2)))
    size, other = np.shape(a1)[0], np.shape(a2)[0]
    is_known = isinstance(size, int) and isinstance(other, int)
    total = max(size, other) if is_known else np.maximum(size, other)
    return padded(a1, total - size, 0, 0) + padded(a2, total - other, 0, 0)


def polysub(a1, a2):
    """Differences of coefficients, aligned at the last one."""
    return polyadd(a1, -array(a2))


def polymul(a1, a2):
    """The convolution of coefficients."""
    return np.convolve(_trimmed(array(a1)), _trimmed(array(a2)))


def _trimmed(a):
    """Coefficients without leading zeros; staged coefficients keep theirs."""
    a = np.reshape(a, (-1,))
    return a if hasattr(a, "__record__") else np.trim_zeros(a, "f")


def polyder(p, m=1):
    """Coefficients times powers."""
    if not isinstance(m, (int, float)):
        return NoDerivative("The order of np.polyder is staged.", "Pass a Python int.")
    p = array(p)
    for _ in range(int(m)):
        p = p[:-1] * (np.shape(p)[0] - 1 - counted(np.shape(p)[0] - 1))
    return p


def polyint(p, m=1, k=None):
    """Coefficients over powers, followed by the constant of integration."""
    if not isinstance(m, (int, float)):
        return NoDerivative("The order of np.polyint is staged.", "Pass a Python int.")
    p = array(p)
    constants = np.reshape(array(0.0 if k is None else k), (-1,))
    for i in range(int(m)):
        last = constants[i : i + 1] if np.shape(constants)[0] > 1 else constants
        p = np.concatenate([p / (np.shape(p)[0] - counted(np.shape(p)[0])), last])
    return p


def vander(x, N=None, increasing=False):
    """Powers of each element."""
    x = array(x)
    powers = counted(np.shape(x)[0] if N is None else N)
    return x[:, None] ** (powers if increasing else powers[::-1])


def polyfit(x, y, deg, rcond=None, full=False, w=None, cov=False):
    """The least-squares solution, by the pseudo-inverse."""
    if full or cov:
        return NoDerivative("np.polyfit has full=True or cov=True.", "Leave it out.")
    x, y = array(x) * 1.0, array(y) * 1.0
    left, right = vander(x, deg + 1), y
    if w is not None:
        weights = array(w)
        left = left * weights[:, None]
        right = right * (weights[:, None] if np.ndim(y) == 2 else weights)
    scale = np.sqrt(np.sum(left * left, axis=0))
    if rcond is None and isinstance(np.shape(x)[0], int):
        rcond = np.shape(x)[0] * float(np.finfo(np.float64).eps)
    found = np.linalg.pinv(left / scale, rcond) @ right
    return found / (scale[:, None] if np.ndim(y) == 2 else scale)


ADJOINTS = {np.convolve: convolve, np.unwrap: lambda d, r, p, *rest, **options: {"p": d}}
COMPOSITIONS = {
    np.correlate: correlate,
    np.cumulative_prod: cumulative_prod,
    np.cumulative_sum: cumulative_sum,
    np.diff: diff,
    np.ediff1d: ediff1d,
    np.geomspace: geomspace,
    np.gradient: gradient,
    np.interp: interp,
    np.linspace: linspace,
    np.logspace: logspace,
    np.polyadd: polyadd,
    np.polyder: polyder,
    np.polyfit: polyfit,
    np.polyint: polyint,
    np.polymul: polymul,
    np.polysub: polysub,
    np.polyval: polyval,
    np.trapezoid: trapezoid,
    np.vander: vander,
}
