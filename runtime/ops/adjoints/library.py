"""The differentiation rules of functions that graphs call directly, looked up by function.

    rule_of(np.linalg.inv)          Adjoint, or Composition, or NoDerivative with its reason
    rule_of(np.argpartition)        None: its results are never floats

A function without a known rule gets a `NoDerivative` that says so.
"""

import builtins
import cmath
import functools
import inspect
import math
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.ir.derivative import Adjoint, Composition, NoDerivative, Partials, Rule
from runtime.ir.op import Op, find
from runtime.ops.adjoints import (
    calculus,
    einsum,
    fourier,
    linalg,
    linalg_composed,
    mathematics,
    selection,
    statistics,
)
from runtime.ops.adjoints.mathematics import CONSTANT, by_formulas, cmath_rule, math_rule
from runtime.ops.adjoints.methods import method_rule
from runtime.ops.adjoints.selection import array
from runtime.ops.adjoints.writes import nan_to_num

# Functions whose results are never floats.
NEVER_FLOATS = (
    "allclose argpartition argwhere array_equal array_equiv count_nonzero digitize flatnonzero "
    "iscomplex isclose isin isreal lexsort nanargmax nanargmin nonzero packbits "
    "ravel_multi_index searchsorted tril_indices triu_indices unpackbits unravel_index "
    "argmax argmin argsort any all matrix_rank"
)
# Functions that are piecewise constant in floats, or do not depend on them at all.
STEPS = "eye fix identity indices isneginf isposinf round tri"  # isneginf(x, out) returns floats
SETS = (
    "intersect1d setdiff1d setxor1d union1d unique unique_all unique_counts unique_inverse "
    "unique_values"
)
COUNTS = "histogram histogram2d histogramdd histogram_bin_edges"
REASONS = {
    **dict.fromkeys(
        SETS.split(),
        NoDerivative(
            "Which elements are equal is not a differentiable function of their values.",
            "Index the array instead: x[np.unique(x, return_index=True)[1]].",
        ),
    ),
    **dict.fromkeys(
        COUNTS.split(),
        NoDerivative(
            "The number of elements in a bin is piecewise constant.",
            "Sum weights with np.bincount(bins, weights), with bins from np.digitize.",
        ),
    ),
    "polydiv": NoDerivative(
        "The number of its coefficients depends on their values.", "Use np.linalg.lstsq."
    ),
    "trim_zeros": NoDerivative(
        "The size of its result depends on the elements.", "Write a slice: x[first:last]."
    ),
    "viewed": NoDerivative("It reinterprets the bytes of the elements as another dtype."),
}

# -- Python functions ------------------------------------------------------------------------------


def _sorted(iterable, /, *, key=None, reverse=False):
    if key is not None:
        return NoDerivative("sorted has a key.", "Use np.argsort.")
    found = np.sort(array(iterable))
    if not isinstance(np.shape(found)[0], int):
        return NoDerivative("sorted is called with an array of staged size.", "Use np.sort.")
    found = np.flip(found, 0) if reverse else found
    return [found[i] for i in range(np.shape(found)[0])]


def _sum(iterable, /, start=0):
    if isinstance(iterable, (tuple, list)):
        return functools.reduce(operator.add, iterable, start)
    return start + np.sum(iterable, axis=0)


def _extreme(join, reduce):
    def extreme(*values):
        if len(values) == 1:
            return reduce(array(values[0]), axis=0)
        return functools.reduce(join, values)

    return extreme


PYTHON = {
    builtins.sorted: Composition(_sorted),
    builtins.sum: Composition(_sum),
    builtins.max: Composition(_extreme(np.maximum, np.max)),
    builtins.min: Composition(_extreme(np.minimum, np.min)),
}

# -- NumPy functions -------------------------------------------------------------------------------


def _bincount(d, r, x, /, weights=None, minlength=0):
    return {"weights": np.take(d, x)}


ADJOINTS: dict[Callable, Callable] = {
    **calculus.ADJOINTS,
    **einsum.ADJOINTS,
    **fourier.ADJOINTS,
    **linalg.ADJOINTS,
    **selection.ADJOINTS,
    np.bincount: _bincount,
    np.nan_to_num: nan_to_num,
    np.sinc: mathematics.sinc,
}
COMPOSITIONS: dict[Callable, Callable] = {
    **calculus.COMPOSITIONS,
    **fourier.COMPOSITIONS,
    **linalg_composed.COMPOSITIONS,
    **selection.COMPOSITIONS,
    **statistics.COMPOSITIONS,
    np.i0: mathematics.i0,
}


# Names of array parameters, for which NumPy accepts sequences as well.
ARRAYS = {
    *("A", "a", "a1", "a2", "arr", "array", "ary", "b", "choices", "f", "fp", "m", "p", "v"),
    *("values", "x", "x1", "x2", "xp", "y"),
}


# The parameters of a rule, read when it is first used: to read those of all rules takes long.
_signature = functools.cache(inspect.signature)


def _taking_arrays(function):
    """A wrapper that converts sequences passed for array parameters to arrays."""

    @functools.wraps(function)
    def call(*args, **kwargs):
        given = _signature(function).bind(*args, **kwargs)
        for name, value in given.arguments.items():
            if isinstance(value, (tuple, list)) and name in ARRAYS:
                given.arguments[name] = array(value)
        return function(*given.args, **given.kwargs)

    return call


def rule_of(function: Any) -> Rule | None:
    """How a function that graphs call directly is differentiated; None if it returns no floats."""
    rule = _rule_of(function)
    if isinstance(rule, Adjoint):
        return Adjoint(_taking_arrays(rule.rule))
    return Composition(_taking_arrays(rule.function)) if isinstance(rule, Composition) else rule


def _rule_of(function):
    name = getattr(function, "__name__", "")
    if isinstance(function, type):  # np.float64(x)
        return Adjoint(lambda d, r, x=0, y=0, /: {"x": d, "y": -1j * d})  # complex(x, y)
    if function in ADJOINTS:
        return Adjoint(ADJOINTS[function])
    if function in COMPOSITIONS:
        return Composition(COMPOSITIONS[function])
    if function in PYTHON:
        return PYTHON[function]
    if getattr(math, name, None) is function:
        return math_rule(name)
    if getattr(cmath, name, None) is function:
        return cmath_rule(name)
    if isinstance(getattr(function, "__self__", None), np.ufunc):
        return method_rule(function.__self__, name)
    if isinstance(function, np.ufunc):
        return ufunc_rule(function)
    return _by_name(name)


def _by_name(name):
    if name in NEVER_FLOATS.split() or name in ("is_integer", "as_integer_ratio", "bit_count"):
        return None
    if name in STEPS.split():
        return CONSTANT
    return REASONS.get(name) or NoDerivative(f"No derivative is defined for {name}.")


def ufunc_rule(ufunc: np.ufunc) -> Rule | None:
    """The rule of a ufunc called with options such as `where` and `dtype`."""
    rule = _own_rule(ufunc)
    if isinstance(rule, Partials):
        return by_formulas(rule)
    if isinstance(rule, Adjoint):
        return Adjoint(_with_options(rule.rule))
    return rule


def _own_rule(ufunc):
    try:
        return find({"divmod": "divmod"}.get(ufunc.__name__, ufunc.__name__)).derivative
    except KeyError:
        return None


def _with_options(rule):
    def named(d, r, x, y=None, z=None, /, *, where=True, **options):
        operands = tuple(each for each in (x, y, z) if each is not None)
        found = rule(d, r, *operands)
        return {
            name: each if each is None or where is True else np.where(where, each, 0)
            for name, each in zip("xyz", found, strict=False)
        }

    return named


def beside_rule(op: Op) -> Rule | None:
    """The rule of the NumPy function of an op, called with arguments that the op does not take."""
    if op.numpy in COMPOSITIONS or op.numpy in ADJOINTS or isinstance(op.numpy, np.ufunc):
        return rule_of(op.numpy)
    return Adjoint(_named(op)) if isinstance(op.derivative, Adjoint) else op.derivative


def _named(op):
    """The rule of an op for arguments as its NumPy function takes them, by parameter name."""
    rule, function = op.derivative.rule, inspect.signature(op.numpy)
    names, known = list(function.parameters), inspect.signature(rule).parameters

    def named(d, r, *args, **kwargs):
        given = function.bind(*args, **kwargs).arguments
        if op.arity is None:
            operands = given.pop(names[0])
        else:
            operands = [given.pop(name) for name in names[: op.arity]]
        attributes = {name: value for name, value in given.items() if name in known}
        found = rule(d, r, *operands, **attributes)
        return {names[0]: found} if op.arity is None else dict(zip(names, found, strict=False))

    places = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY) for name in "dr"]
    own = [
        p.replace(name=f"{p.name}_") if p.name in "dr" else p for p in function.parameters.values()
    ]
    named.__signature__ = inspect.Signature([*places, *own])  # type: ignore[attr-defined]
    return named
