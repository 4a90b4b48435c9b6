"""Derivatives of `scipy.integrate`: integrals of samples."""

import numpy as np

from runtime.transforms.libraries.table import call, stands_for


@stands_for("scipy.integrate.trapezoid")
def trapezoid(y, x=None, dx=1.0, axis=-1):
    """The integral by trapezoids."""
    return np.trapezoid(y, x, dx, axis)


@stands_for("scipy.integrate.cumulative_trapezoid")
def cumulative_trapezoid(y, x=None, dx=1.0, axis=-1, initial=None):
    """The integrals up to each sample."""
    y = np.moveaxis(y * 1.0, axis, -1)
    width = dx if x is None else np.diff(x if len(np.shape(x)) == 1 else np.moveaxis(x, axis, -1))
    found = np.cumsum(width * (y[..., 1:] + y[..., :-1]) / 2, axis=-1)
    if initial is not None:
        found = np.concatenate((np.zeros_like(y[..., :1]), found), axis=-1)
    return np.moveaxis(found, -1, axis)


@stands_for("scipy.integrate.simpson")
def simpson(y, x=None, *, dx=1.0, axis=-1):
    """The integral by parabolas; the last of an odd number of intervals has its own one."""
    y = np.moveaxis(y * 1.0, axis, -1)
    size = np.shape(y)[-1]
    if not isinstance(size, int):
        raise NotImplementedError("simpson along an axis of an unknown size")
    if x is None:
        widths = dx * np.ones(size - 1)
    else:
        widths = np.diff(x if len(np.shape(x)) == 1 else np.moveaxis(x, axis, -1), axis=-1)
    if size == 2:
        return widths[..., 0] * (y[..., 0] + y[..., 1]) / 2
    if size % 2 == 1:
        return _parabolas(y, widths)
    return _parabolas(y[..., :-1], widths[..., :-1]) + _last_interval(y, widths)


def _parabolas(y, widths):
    first, second = widths[..., 0::2], widths[..., 1::2]
    ratio = first / second
    left = (2 - 1 / ratio) * y[..., 0:-1:2]
    middle = (first + second) ** 2 / (first * second) * y[..., 1::2]
    right = (2 - ratio) * y[..., 2::2]
    return np.sum((first + second) / 6 * (left + middle + right), axis=-1)


def _last_interval(y, widths):
    """The integral over the last interval, of the parabola through the last three samples."""
    before, last = widths[..., -2], widths[..., -1]
    both = before + last
    return (
        y[..., -1] * last * (2 * last + 3 * before) / (6 * both)
        + y[..., -2] * last * (last + 3 * before) / (6 * before)
        - y[..., -3] * last**3 / (6 * before * both)
    )


@stands_for("scipy.integrate.fixed_quad")
def fixed_quad(func, a, b, args=(), n=5):
    """The integral by Gauss' rule of an order, and None."""
    nodes, weights = np.polynomial.legendre.leggauss(n)
    places = (b - a) * (nodes + 1) / 2 + a
    return (b - a) / 2 * np.sum(weights * func(places, *args), axis=-1), None


@stands_for("scipy.integrate.romb")
def romb(y, dx=1.0, axis=-1, show=False):
    """The integral by Romberg's method."""
    y = np.moveaxis(y * 1.0, axis, -1)
    return np.sum(y * call("integrate.romb", np.eye(np.shape(y)[-1])), axis=-1) * dx
