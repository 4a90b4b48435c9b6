"""Derivatives of `scipy.optimize`: roots and minima, by the implicit function theorem.

A root r of f(r, p) depends on the parameters p as Newton's method does: from a root, two steps
change nothing, and have the derivatives of the root, up to the third.
"""

import sys
from typing import Any

import numpy as np

from runtime.ops.adjoints.selection import array
from runtime.staging.calls.library_calls import record_library_call
from runtime.transforms.gradients import grad, jacobian
from runtime.transforms.libraries.table import StandInObject, stands_for
from runtime.transforms.markers import stop_gradient

STEPS = 2


def _called(name: str, args: tuple, kwargs: dict) -> Any:
    return record_library_call(getattr(sys.modules["scipy.optimize"], name), args, kwargs)


def _elementwise_root(f, root):
    """A root of a function whose results depend on one element each."""
    root = stop_gradient(root)
    for _ in range(STEPS):
        root = root - f(root) / grad(lambda r: np.sum(f(r)))(root)
    return root


def _vector_root(f, root):
    root = stop_gradient(root)
    for _ in range(STEPS):
        slopes = jacobian(lambda r: array(f(r)))(root)
        root = root - np.linalg.solve(slopes, array(f(root)))
    return root


def _with(f, args):
    """A function of its first argument, with the others that `args` holds."""
    args = args if isinstance(args, tuple) else (args,)
    return (lambda x: f(x, *args)) if args else f


# Options that say how a solver comes to its result, and not which it is.
OF_SOLVERS = frozenset(
    (
        *("band", "bracket", "callback", "col_deriv", "diag", "disp", "epsfcn", "factor"),
        *("fprime", "fprime2", "ftol", "gtol", "hess", "hessp", "jac", "k", "max_nfev", "maxfev"),
        *("maxiter", "method", "options", "rtol", "tol", "tr_solver", "x0", "x1", "x_scale"),
        "xtol",
    )
)


def _refuse_others(name, options):
    """Refuses options that change what a solver returns, or of what."""
    for key, value in options.items():
        if key not in OF_SOLVERS and value or value is True and key in ("jac", "fprime"):
            raise NotImplementedError(f"scipy.optimize.{name} with {key}={value!r}")


def _register_bracketed(name):
    @stands_for(f"scipy.optimize.{name}")
    def root(f, a, b, args=(), **options):
        _refuse_others(name, options)
        found = _called(name, (f, a, b), {"args": args, **options})
        return _elementwise_root(_with(f, args), found)


for _name in ("brentq", "brenth", "bisect", "ridder", "toms748"):
    _register_bracketed(_name)


@stands_for("scipy.optimize.newton")
def newton(func, x0, fprime=None, args=(), **options):
    """The root of a function of a number, or of each element."""
    _refuse_others("newton", options)
    found = _called("newton", (func, x0, fprime), {"args": args, **options})
    return _elementwise_root(_with(func, args), found)


@stands_for("scipy.optimize.fixed_point")
def fixed_point(func, x0, args=(), **options):
    """The fixed point of a function of a number, or of each element."""
    _refuse_others("fixed_point", options)
    found = _called("fixed_point", (func, x0), {"args": args, **options})
    step = _with(func, args)
    return _elementwise_root(lambda x: step(x) - x, found)


@stands_for("scipy.optimize.root_scalar")
def root_scalar(f, args=(), **options):
    """The root of a function of a number; only `root` has derivatives."""
    _refuse_others("root_scalar", options)
    found = _called("root_scalar", (f,), {"args": args, **options}).root
    return Solution(root=_elementwise_root(_with(f, args), found))


@stands_for("scipy.optimize.fsolve")
def fsolve(func, x0, args=(), **options):
    """The root of a function of vectors."""
    _refuse_others("fsolve", options)
    found = _called("fsolve", (func, x0), {"args": args, **options})
    return _vector_root(_with(func, args), found)


class Solution(StandInObject):
    """A result of a solver: the numbers that have derivatives."""

    def __init__(self, **values):
        vars(self).update(values)


def _x_of(name, args, kwargs):
    _refuse_others(name, {key: value for key, value in kwargs.items() if key != "args"})
    return _called(name, args, kwargs).x


@stands_for("scipy.optimize.root")
def root(fun, x0, args=(), **options):
    """The root of a function of vectors; only `x` has derivatives."""
    found = _x_of("root", (fun, x0), {"args": args, **options})
    return Solution(x=_vector_root(_with(fun, args), found))


@stands_for("scipy.optimize.least_squares")
def least_squares(fun, x0, jac="2-point", bounds=None, *, args=(), **options):
    """The vector with the least sum of squares; only `x` has derivatives."""
    if bounds is not None:
        raise NotImplementedError("least_squares with bounds")
    found = _x_of("least_squares", (fun, x0, jac), {"args": args, **options})
    residuals = _with(fun, args)
    slope = grad(lambda x: np.sum(array(residuals(x)) ** 2) / 2)
    return Solution(x=_vector_root(slope, found))


@stands_for("scipy.optimize.minimize")
def minimize(fun, x0, args=(), method=None, jac=None, **options):
    """The minimum of a function of vectors; only `x` and `fun` have derivatives."""
    options = {"method": method, "jac": jac, **options}
    found = _x_of("minimize", (fun, x0), {"args": args, **options})
    function = _with(fun, args)
    x = _vector_root(grad(function), found)
    return Solution(x=x, fun=function(x))


@stands_for("scipy.optimize.minimize_scalar")
def minimize_scalar(fun, bracket=None, bounds=None, args=(), **options):
    """The minimum of a function of a number; only `x` and `fun` have derivatives."""
    if bounds is not None:
        raise NotImplementedError("minimize_scalar with bounds")
    found = _x_of("minimize_scalar", (fun, bracket), {"args": args, **options})
    function = _with(fun, args)
    x = _elementwise_root(grad(function), found)
    return Solution(x=x, fun=function(x))
