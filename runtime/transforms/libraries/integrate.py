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
    """The integral by parabolas."""
    y = np.moveaxis(y * 1.0, axis, -1)
    size = np.shape(y)[-1]
    if x is not None and size % 2 == 1 and len(np.shape(x)) == 1:
        return _parabolas(y, np.diff(x))
    # The weights: the integrals of unit vectors.  They have no derivative with respect to x.
    weights = call("integrate.simpson", np.eye(size), x=x, dx=dx)
    return np.sum(y * weights, axis=-1)


def _parabolas(y, widths):
    first, second = widths[0::2], widths[1::2]
    ratio = first / second
    left = (2 - 1 / ratio) * y[..., 0:-1:2]
    middle = (first + second) ** 2 / (first * second) * y[..., 1::2]
    right = (2 - ratio) * y[..., 2::2]
    return np.sum((first + second) / 6 * (left + middle + right), axis=-1)


@stands_for("scipy.integrate.romb")
def romb(y, dx=1.0, axis=-1, show=False):
    """The integral by Romberg's method."""
    y = np.moveaxis(y * 1.0, axis, -1)
    return np.sum(y * call("integrate.romb", np.eye(np.shape(y)[-1])), axis=-1) * dx
