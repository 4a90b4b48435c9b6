"""Derivatives of `scipy.optimize`: roots and minima, by the implicit function theorem.

A root r of f(r, p) depends on the parameters p as Newton's method does: from a root, two steps
change nothing, and have the derivatives of the root, up to the third.
"""

import sys
from types import SimpleNamespace
from typing import Any

import numpy as np

from runtime.staging.calls.library_calls import record_library_call
from runtime.transforms.gradients import grad, jacobian
from runtime.transforms.libraries.table import stands_for
from runtime.transforms.markers import stop_gradient

STEPS = 2


def _called(name: str, args: tuple, kwargs: dict) -> Any:
    return record_library_call(getattr(sys.modules["scipy.optimize"], name), args, kwargs)


def _scalar_root(f, root, args):
    root = stop_gradient(root)
    for _ in range(STEPS):
        root = root - f(root, *args) / grad(lambda r: f(r, *args))(root)
    return root


def _vector_root(f, root, args):
    root = stop_gradient(root)
    for _ in range(STEPS):
        slopes = jacobian(lambda r: f(r, *args))(root)
        root = root - np.linalg.solve(slopes, f(root, *args))
    return root


def _register_scalar(name):
    @stands_for(f"scipy.optimize.{name}")
    def root(f, *given, args=(), **options):
        found = _called(name, (f, *given), {"args": args, **options})
        if options.get("full_output"):
            raise NotImplementedError(f"{name} with full_output")
        return _scalar_root(f, found, args if isinstance(args, tuple) else (args,))


for _name in ("brentq", "brenth", "bisect", "ridder", "toms748", "newton"):
    _register_scalar(_name)


@stands_for("scipy.optimize.fsolve")
def fsolve(func, x0, args=(), **options):
    """The root of a function of vectors."""
    if options.get("full_output"):
        raise NotImplementedError("fsolve with full_output")
    args = args if isinstance(args, tuple) else (args,)
    found = _called("fsolve", (func, x0), {"args": args, **options})
    return _vector_root(func, found, args)


def _x_of(name, args, kwargs):
    return _called(name, args, kwargs).x


@stands_for("scipy.optimize.root")
def root(fun, x0, args=(), **options):
    """The root of a function of vectors; only `x` has derivatives."""
    args = args if isinstance(args, tuple) else (args,)
    found = _x_of("root", (fun, x0), {"args": args, **options})
    return SimpleNamespace(x=_vector_root(fun, found, args))


@stands_for("scipy.optimize.minimize")
def minimize(fun, x0, args=(), method=None, jac=None, bounds=None, constraints=(), **options):
    """The minimum of a function of vectors; only `x` has derivatives."""
    if bounds is not None or constraints or callable(jac) or jac:
        raise NotImplementedError("minimize with bounds, constraints or a gradient")
    args = args if isinstance(args, tuple) else (args,)
    found = _x_of("minimize", (fun, x0), {"args": args, "method": method, **options})
    return SimpleNamespace(x=_vector_root(lambda x: grad(lambda v: fun(v, *args))(x), found, ()))


@stands_for("scipy.optimize.minimize_scalar")
def minimize_scalar(fun, bracket=None, bounds=None, args=(), **options):
    """The minimum of a function of a number; only `x` has derivatives."""
    if bounds is not None:
        raise NotImplementedError("minimize_scalar with bounds")
    found = _x_of("minimize_scalar", (fun, bracket), {"args": args, **options})
    return SimpleNamespace(x=_scalar_root(grad(lambda v: fun(v, *args)), found, ()))
