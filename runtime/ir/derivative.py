"""How an op is differentiated: one of five kinds of rules, in its record.

    Partials("cos(x)")           elementwise: the derivative by each operand, as a formula
    Adjoint(rule)                what each operand gets of what is known of the result
    Composition(function)        the same values from ops that have derivatives
    NoDerivative("why")          there is none; using it is an error that says why
    UserGradient()               a region of the node, which the user has written

A *cotangent* of a value v, written `d` here, is the gradient of the final result by v: of v's type,
dtype and shape.  For complex values it is dL/dRe(v) + i dL/dIm(v), the direction in which the real
result L grows fastest; so what a holomorphic f with derivative f' hands on is d * conj(f').

Formulas name the operands x, y, z and the result r; functions are NumPy's, without `np.`:

    Partials("y", "x")                          x * y
    Partials("0.5 / r")                         sqrt(x)
    Partials("1", "-1")                         x - y
    Partials(ZERO)                              floor(x): zero wherever there is a derivative
    Partials(power_by_base, power_by_exponent)  functions of x, y, z and r

Where x is complex and r is real, a formula p says that r changes by the real part of p * dx; where
both are complex, that f is holomorphic.

Rules are NumPy code.  They work on arrays, and on staged values, whose operations are recorded.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

ZERO = "0"  # piecewise constant


class Partials:
    """The derivatives of an elementwise op by its operands, as formulas or functions."""

    def __init__(self, *formulas: str | Callable):
        self.formulas = formulas

    @cached_property
    def _functions(self) -> tuple[Callable, ...]:
        return tuple(f if callable(f) else _function(f) for f in self.formulas)

    def partial(self, place: int, result: Any, operands: tuple) -> Any:
        """The derivative by the operand at a place: a number or array that broadcasts."""
        padded = (*operands, None, None, None)
        return self._functions[place](*padded[:3], result)

    def is_zero(self, place: int) -> bool:
        """Whether the derivative is zero wherever there is one."""
        return self.formulas[place] == ZERO

    def __repr__(self):
        return f"Partials({', '.join(map(repr, self.formulas))})"


def _function(formula):
    return eval(f"lambda x, y, z, r: {formula}", vars(np))


@dataclass(frozen=True)
class Adjoint:
    """A rule for the cotangents of the operands.

    rule      (d, r, *operands, **attributes) -> one cotangent for each operand, None for none; d
              and r are tuples where the op has several results.  Of functions that are called as
              they are (`ops/library.py`): (d, r, *arguments), as NumPy is called, -> a dict from
              names of parameters to cotangents

    Of functions that are called as they are, the names are those of the rule's own parameters,
    which stand in NumPy's order (`ops/library.operand_cotangents` finds the operands); of a
    parameter that is given a tuple, it is a tuple.  Where nobody used one of several results, its d
    is None.  Rules and compositions may give `NoDerivative` for arguments for which there is none.

    A cotangent may be a `Part`, which is added to what has been collected already.  Its dtype is
    brought to the operand's, and so is its shape where it has only more dimensions, or larger ones
    than 1, through broadcasting; the rule need not do so.
    """

    rule: Callable[..., Any]


@dataclass(frozen=True)
class Part:
    """A cotangent that is zero but for some elements: `added` gives `total` with it added."""

    added: Callable[[Any], Any]


@dataclass(frozen=True)
class Products(Part):
    """A cotangent that is the matrix of all products of the elements of two vectors.

    Loops collect the vectors of all turns, whose products are summed by one product of matrices.
    """

    column: Any
    row: Any


@dataclass(frozen=True)
class Composition:
    """A function of the same arguments with the same value, of ops that have derivatives."""

    function: Callable[..., Any]


@dataclass(frozen=True)
class NoDerivative:
    """There is none, for a reason that an error gives; `instead` says what can be done."""

    why: str
    instead: str = ""


@dataclass(frozen=True)
class UserGradient:
    """The gradient that the user has written, as a region of the node.

    The first `count` operands (an attribute) are the results; the region computes the cotangents of
    the others from those of the results.
    """


Rule = Partials | Adjoint | Composition | NoDerivative | UserGradient
