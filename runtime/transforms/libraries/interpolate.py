"""Derivatives of `scipy.interpolate`: splines, with respect to the places and to the values.

A spline is linear in the values that it interpolates: its value at a place is the sum of these
times those of the splines through unit vectors.
"""

import sys

import numpy as np

from runtime.staging.calls.library_calls import record_library_call
from runtime.transforms.libraries.table import stands_for, stands_for_method
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


class LinearSpline:
    """A spline through values at knots, by the name of its class and its options."""

    def __init__(self, name, x, y, degree, options):
        self._name, self._x, self._y = name, x, y
        self._degree, self._options = degree, tuple(options.items())

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


class _Unit:
    """The splines through unit vectors."""

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
    return LinearSpline("CubicSpline", x, y, 3, {"bc_type": bc_type})


@stands_for("scipy.interpolate.make_interp_spline")
def make_interp_spline(x, y, k=3, t=None, bc_type=None, axis=0, check_finite=True):
    """The spline of some degree through values."""
    if axis or t is not None or bc_type is not None:
        raise NotImplementedError("a spline with an axis, knots or slopes at its ends")
    return LinearSpline("make_interp_spline", x, y, k, {"k": k})


@stands_for("scipy.interpolate.interp1d")
def interp1d(x, y, kind="linear", axis=-1, copy=True, **options):
    """The polygon through values."""
    if kind != "linear" or len(np.shape(y)) != 1 or options.get("fill_value") is not None:
        raise NotImplementedError("interp1d but of a polygon")
    return lambda places: np.interp(places, x, y)


@stands_for_method("interp1d.__call__")
def _polygon(owner, places):
    if owner._kind != "linear" or np.ndim(owner.y) != 1:
        raise NotImplementedError("interp1d but of a polygon")
    return np.interp(places, owner.x, owner.y)
