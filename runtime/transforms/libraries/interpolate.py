"""Derivatives of `scipy.interpolate`: splines, with respect to the places and to the values.

A spline is linear in the values that it interpolates: its value at a place is the sum of these
times those of the splines through unit vectors.
"""

import sys

import numpy as np

from runtime.staging.calls.library_calls import record_library_call
from runtime.tracing.tensor import staged
from runtime.transforms.libraries.table import (
    StandInObject,
    WithoutDerivative,
    stands_for,
    stands_for_method,
)
from runtime.transforms.markers import custom_gradient, stop_gradient


@stands_for_method("PPoly.__call__", "_PPolyBase.__call__", "BSpline.__call__")
def evaluated(spline, x, nu=0, extrapolate=None):
    """A spline at some places."""

    @custom_gradient
    def at(x):
        def gradient(d):
            return d * record_library_call(spline, (x, nu + 1), {"extrapolate": extrapolate})

        return record_library_call(spline, (x, nu), {"extrapolate": extrapolate}), gradient

    return at(x)


class LinearSpline(StandInObject):
    """A spline through values at knots, by the name of its class and its options."""

    def __init__(self, name, x, y, options):
        self._name, self._x, self._y = name, x, y
        self._degree, self._options = options.get("k", 3), tuple(options.items())

    def __call__(self, places, nu=0, extrapolate=None):
        return np.tensordot(self._weights(places, nu), self._y, 1)

    def _weights(self, places, nu):
        """The splines through unit vectors, at some places: f64[*places, knots]."""
        function = _Unit(self._name, self._options)
        weights = record_library_call(function, (self._x, stop_gradient(places), nu), {})
        if nu > self._degree:  # they are constant there
            return weights

        @custom_gradient
        def moved(places, weights):
            def gradient(d):
                return np.sum(d * self._weights(places, nu + 1), -1), d

            return weights, gradient

        return moved(places, weights)


class _Unit(WithoutDerivative):
    """The splines through unit vectors."""

    name = "a spline with respect to its knots"

    def __init__(self, name, options):
        self.name, self.options = name, options

    def __call__(self, x, places, nu):
        made = getattr(sys.modules["scipy.interpolate"], self.name)
        return made(x, np.eye(len(x)), **dict(self.options))(places, nu)


@stands_for("scipy.interpolate.CubicSpline")
def cubic_spline(x, y, axis=0, bc_type="not-a-knot", extrapolate=None):
    """The cubic spline through values."""
    if axis or not isinstance(bc_type, str):
        raise NotImplementedError("a spline with an axis, or with slopes at its ends")
    return LinearSpline("CubicSpline", x, y, {"bc_type": bc_type})


@stands_for("scipy.interpolate.make_interp_spline")
def make_interp_spline(x, y, k=3, t=None, bc_type=None, axis=0, check_finite=True):
    """The spline of some degree through values."""
    if axis or t is not None or bc_type is not None:
        raise NotImplementedError("a spline with an axis, knots or slopes at its ends")
    return LinearSpline("make_interp_spline", x, y, {"k": k})


@stands_for("scipy.interpolate.interp1d")
def interp1d(
    x,
    y,
    kind="linear",
    axis=-1,
    copy=True,
    bounds_error=None,
    fill_value=np.nan,
    assume_sorted=False,
):
    """The polygon through values, or the spline."""
    if kind in ("quadratic", "cubic") and len(np.shape(y)) == 1 and not _is_filled(fill_value):
        return LinearSpline("make_interp_spline", x, y, {"k": 2 + (kind == "cubic")})
    if kind not in ("linear", "slinear"):
        raise NotImplementedError(f"interp1d of kind {kind} with these options")
    order = np.arange(np.shape(x)[0]) if assume_sorted else np.argsort(x)
    return Polygon(x[order], np.moveaxis(y, axis, -1)[..., order], axis, fill_value)


def _is_filled(value):
    """Whether places outside of the knots have values."""
    return not (isinstance(value, float) and np.isnan(value))


class Polygon(StandInObject):
    """A polygon through values along the last axis, at sorted knots."""

    def __init__(self, x, y, axis, fill_value):
        self._x, self._y, self._axis, self._fill_value = x, y, axis, fill_value

    def __call__(self, places):
        x, y = staged(self._x), staged(self._y)  # they may be constants
        if not isinstance(self._axis, int) or self._axis not in (-1, len(np.shape(y)) - 1):
            raise NotImplementedError("interp1d along another axis than the last one")
        places = places * 1.0
        above = np.clip(np.searchsorted(x, stop_gradient(places)), 1, np.shape(x)[0] - 1)
        left, right = x[above - 1], x[above]
        first, second = y[..., above - 1], y[..., above]
        found = (second - first) / (right - left) * (places - left) + first
        if isinstance(self._fill_value, str):  # "extrapolate"
            return found
        below, beyond = _fill_values(self._fill_value)
        found = np.where(places < x[0], below, found)
        return np.where(places > x[-1], beyond, found)


def _fill_values(given):
    if isinstance(given, tuple):
        return given
    if len(np.shape(given)):
        raise NotImplementedError("interp1d with an array of fill values")
    return given, given


@stands_for_method("interp1d.__call__")
def _interpolated(owner, places):
    if owner._kind not in ("linear", "slinear"):
        raise NotImplementedError(f"interp1d of kind {owner._kind}")
    fill_value = "extrapolate" if owner._extrapolate else owner.fill_value
    return interp1d(owner.x, owner.y, "linear", owner.axis, fill_value=fill_value)(places)
