"""The rules of functions that graphs call as they are, by function.

    rule_of(np.linalg.inv)          Adjoint, or Composition, or NoDerivative with its reason
    rule_of(np.argpartition)        None: its results are never floats

The rule of a function without one says so, with what can be done instead.
"""

import builtins
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
from runtime.ops.adjoints.mathematics import CONSTANT, by_formulas, math_rule
from runtime.ops.adjoints.methods import method_rule
from runtime.ops.adjoints.selection import array
from runtime.ops.adjoints.writes import nan_to_num

# Whose results are never floats.
NEVER_FLOATS = (
    "allclose argpartition argwhere array_equal array_equiv count_nonzero digitize flatnonzero "
    "iscomplex isclose isin isreal lexsort nanargmax nanargmin nonzero packbits "
    "ravel_multi_index searchsorted tril_indices triu_indices unpackbits unravel_index "
    "argmax argmin argsort any all matrix_rank"
)
# Whose results depend on floats by jumps only, or not at all.
STEPS = "eye fix identity indices isneginf isposinf round tri"  # isneginf(x, out) gives floats
SETS = (
    "intersect1d setdiff1d setxor1d union1d unique unique_all unique_counts unique_inverse "
    "unique_values"
)
COUNTS = "histogram histogram2d histogramdd histogram_bin_edges"
REASONS = {
    **dict.fromkeys(
        SETS.split(),
        NoDerivative(
            "Which elements are equal is no matter of degree.",
            "Take the elements at places: x[np.unique(x, return_index=True)[1]].",
        ),
    ),
    **dict.fromkeys(
        COUNTS.split(),
        NoDerivative(
            "How many elements are in a bin changes by jumps.",
            "Sum weights with np.bincount(places, weights), with places of np.digitize.",
        ),
    ),
    "i0": NoDerivative(
        "It is another function of Bessel's, which NumPy does not have.", "Use scipy.special.i0."
    ),
    "polydiv": NoDerivative(
        "How many coefficients it leaves depends on their values.", "Use np.linalg.lstsq."
    ),
    "trim_zeros": NoDerivative(
        "How much it leaves depends on the elements.", "Write a slice: x[first:last]."
    ),
    "viewed": NoDerivative("It reads the bytes of numbers as numbers of another kind."),
}

# -- functions of Python's -------------------------------------------------------------------------


def _sorted(iterable, /, *, key=None, reverse=False):
    if key is not None:
        return NoDerivative("sorted(key=) of an array is asked for.", "Use np.argsort.")
    found = np.sort(array(iterable))
    if not isinstance(np.shape(found)[0], int):
        return NoDerivative("sorted() of a staged number of elements is asked for.", "Use np.sort.")
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

# -- functions of NumPy's --------------------------------------------------------------------------


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
}


# Parameters that are arrays, for which NumPy takes sequences as well.
ARRAYS = {
    *("A", "a", "a1", "a2", "arr", "array", "ary", "b", "choices", "f", "fp", "m", "p", "v"),
    *("values", "x", "x1", "x2", "xp", "y"),
}


def _taking_arrays(function):
    """The function, which is given arrays also where a caller gives sequences."""
    signature = inspect.signature(function)
    if signature.parameters.keys().isdisjoint(ARRAYS):
        return function

    @functools.wraps(function)
    def call(*args, **kwargs):
        given = signature.bind(*args, **kwargs)
        for name, value in given.arguments.items():
            if isinstance(value, (tuple, list)) and name in ARRAYS:
                given.arguments[name] = array(value)
        return function(*given.args, **given.kwargs)

    return call


def rule_of(function: Any) -> Rule | None:
    """How a function is differentiated that graphs call as it is."""
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
    return REASONS.get(name) or NoDerivative(f"Nobody has said what the derivative of {name} is.")


def ufunc_rule(ufunc: np.ufunc) -> Rule | None:
    """The rule of a ufunc that is called with options, such as `where` and `dtype`."""
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
    """The rule of the function that an op stands for, with arguments that the op does not know."""
    if op.numpy in COMPOSITIONS or op.numpy in ADJOINTS or isinstance(op.numpy, np.ufunc):
        return rule_of(op.numpy)
    return Adjoint(_named(op)) if isinstance(op.derivative, Adjoint) else op.derivative


def _named(op):
    """The rule of an op, of arguments as NumPy is called, by their names."""
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
