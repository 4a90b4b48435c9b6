"""How an op is differentiated: one of five kinds of rules, in its record.

    Partials("cos(x)")           elementwise: a formula for the partial derivative of each operand
    Adjoint(rule)                the cotangents of the operands, from those of the results
    Composition(function)        computes the same values from ops that have derivatives
    NoDerivative("why")          there is none; differentiating the op is an error that says why
    UserGradient()               a region of the node, which the user has written

A *cotangent* of a value v, written `d` here, is the gradient of the final result with respect to v.
It has the type, dtype and shape of v.  For complex values it is dL/dRe(v) + i dL/dIm(v), the
direction in which the real result L grows fastest; so a holomorphic f with derivative f' passes on
d * conj(f').

Formulas name the operands x, y, z and the result r; they call NumPy functions without `np.`:

    Partials("y", "x")                          x * y
    Partials("0.5 / r")                         sqrt(x)
    Partials("1", "-1")                         x - y
    Partials(ZERO)                              floor(x): zero wherever it is differentiable
    Partials(power_by_base, power_by_exponent)  functions of x, y, z and r

Where x is complex and r is real, a formula p says that r changes by the real part of p * dx; where
both are complex, that f is holomorphic.

Rules are NumPy code.  They work on arrays, and on staged values, whose operations are traced.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

ZERO = "0"  # piecewise constant
NUMBERS = (bool, int, float, complex)  # of Python


class Partials:
    """The partial derivatives of an elementwise op, as formulas or functions of x, y, z and r.

    A product of a cotangent and a derivative is zero where the cotangent is zero.  At the positions
    `of_cotangents`, the derivative is itself a cotangent, so the product is zero where either is.
    With `takes_numbers`, operands that are numbers of Python are given as they are.
    """

    def __init__(
        self,
        *formulas: str | Callable[..., Any],
        of_cotangents: tuple[int, ...] = (),
        takes_numbers: bool = False,
    ):
        self.formulas = formulas
        self.of_cotangents = of_cotangents
        self.takes_numbers = takes_numbers

    @cached_property
    def _functions(self) -> tuple[Callable[..., Any], ...]:
        return tuple(f if callable(f) else _function(f) for f in self.formulas)

    def partial(self, place: int, result: Any, operands: tuple[Any, ...]) -> Any:
        """The derivative with respect to the operand at a position: a scalar or an array that
        broadcasts against the result."""
        padded = (*operands, None, None, None)
        return self._functions[place](*padded[:3], result)

    def given(self, operands: Iterable[Any], handle: Callable[[Any], Any]) -> tuple[Any, ...]:
        """The operands of a node as the formulas take them."""
        if not self.takes_numbers:
            return tuple(map(handle, operands))
        return tuple(one if type(one) in NUMBERS else handle(one) for one in operands)

    def product(self, place: int) -> str:
        """The name of the op that multiplies a cotangent by the derivative at a position."""
        return "jointly_scaled" if place in self.of_cotangents else "scaled"

    def is_zero(self, place: int) -> bool:
        """Whether the derivative is zero wherever it exists."""
        return self.formulas[place] == ZERO

    def __repr__(self) -> str:
        return f"Partials({', '.join(map(repr, self.formulas))})"


def _function(formula: str) -> Callable[..., Any]:
    function: Callable[..., Any] = eval(f"lambda x, y, z, r: {formula}", vars(np))
    return function


@dataclass(frozen=True)
class Adjoint:
    """A rule for the cotangents of the operands.

    rule      (d, r, *operands, **attributes) -> one cotangent for each operand, or None; d and r
              are tuples if the op has several results.  Of a library function
              (`ops/library.py`): (d, r, *arguments), as NumPy is called -> a dict from names of
              parameters to cotangents

    The names are those of the rule's own parameters, which are in the order of the NumPy function
    (`ops/library.operand_cotangents` finds the operands); the cotangent of a parameter that is a
    tuple is a tuple.  If one of several results is not used, its d is None.  Rules and compositions
    may return `NoDerivative` for arguments for which there is no derivative.

    A cotangent may be a `PartialCotangent`, which is added to the cotangent collected so far.  The
    caller casts a cotangent to the operand's dtype, and sums over axes that broadcasting has added
    or stretched; the rule need not do so.
    """

    rule: Callable[..., Any]


@dataclass(frozen=True)
class PartialCotangent:
    """A cotangent that is zero except for some elements: `added(total)` is `total` plus it."""

    added: Callable[[Any], Any]


@dataclass(frozen=True)
class OuterProduct(PartialCotangent):
    """A cotangent that is the outer product of two vectors.

    Loops collect the vectors of all iterations; one matrix product sums their outer products.
    """

    column: Any
    row: Any


@dataclass(frozen=True)
class Composition:
    """A function of the same arguments that computes the value with ops that have derivatives."""

    function: Callable[..., Any]


@dataclass(frozen=True)
class NoDerivative:
    """There is no derivative.  The error message shows `why`, and `instead`, a remedy."""

    why: str
    instead: str = ""


@dataclass(frozen=True)
class UserGradient:
    """The gradient that the user has written, as a region of the node.

    The first `count` operands (an attribute) are the results; the region computes the cotangents of
    the others from those of the results.
    """


Rule = Partials | Adjoint | Composition | NoDerivative | UserGradient
