"""The true derivatives, by differences, and ours; how two of them are compared."""

import functools
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from truth.programs import Program

# Relative to the largest element.  Differences of differences have fewer right digits.
TOLERANCE = {"gradient": 1e-7, "second": 1e-5, "batch": 1e-7}


def argument(program: Program) -> Any:
    """The argument of a program, as NumPy has it."""
    return np.array(program.at) if isinstance(program.at, list) else np.float64(program.at)


@functools.cache
def truth(program: Program) -> list[float]:
    """The derivative, flat: given, or by differences of the plain Python function."""
    if program.true is not None:
        return flat(program.true)
    x = argument(program)
    with np.errstate(all="ignore"):
        if program.kind == "batch":
            rows = [_gradient(program.function, row) for row in x]
            return flat(np.array(rows))
        if program.kind == "second":
            return flat(_gradient(lambda x: np.sum(_along(program.function, x)), x))
        return flat(_gradient(program.function, x))


@functools.cache
def ours(program: Program) -> list[float]:
    """The derivative that the library computes, flat."""
    import runtime as rt

    x = argument(program)
    with np.errstate(all="ignore"):
        if program.kind == "batch":
            return flat(rt.vmap(rt.grad(program.function))(x))
        if program.kind == "second":  # the sums of the rows of the Hessian matrix
            return flat(rt.hessian(program.function)(x).reshape(x.size, x.size).sum(axis=0))
        return flat(rt.grad(program.function)(x))


def flat(value: Any) -> list[float]:
    return [float(one) for one in np.ravel(value)]


def is_right(program: Program, found: list[float], true: list[float]) -> bool:
    """Whether a derivative is the true one, to the accuracy of the differences."""
    scale = max(1.0, *map(abs, true))
    return len(found) == len(true) and all(
        math.isfinite(one) and abs(one - other) <= TOLERANCE[program.kind] * scale
        for one, other in zip(found, true, strict=True)
    )


def _gradient(function: Callable[..., Any], x: Any) -> np.ndarray:
    """The partial derivatives of `function` at `x`, in the shape of `x`."""
    partials = np.zeros(np.shape(x))
    for index in np.ndindex(np.shape(x)):
        unit = np.zeros(np.shape(x))
        unit[index] = 1.0
        partials[index] = _slope(function, x, unit)
    return partials


def _along(function: Callable[..., Any], x: Any) -> float:
    """The sum of the partial derivatives: the derivative along the vector of ones."""
    return _slope(function, x, np.ones(np.shape(x)))


def _slope(function: Callable[..., Any], x: Any, way: Any) -> float:
    """The derivative along `way`: central differences, extrapolated to steps of length 0
    (Richardson, 1911)."""
    steps = [0.01 / 2**k for k in range(4)]
    row = [(function(x + h * way) - function(x - h * way)) / (2 * h) for h in steps]
    for order in range(1, len(steps)):
        factor = 4**order
        row = [
            (factor * finer - coarser) / (factor - 1)
            for coarser, finer in zip(row, row[1:], strict=False)
        ]
    return float(row[0])
