"""Ops that gradients consist of: markers, products of cotangents, sums of cotangents.

alias(x)             x as a new value, with respect to which a gradient can be taken
stop_gradient(x)     x, as a constant for gradients
scaled(d, p)         d * p, and zero where d is zero, even if p is infinite or nan
jointly_scaled(c, d) c * d, and zero where either is zero: both are cotangents
accumulated(x, y)    x + y, where x is the sum of the cotangents collected so far
"""

import numpy as np

from runtime.ir.derivative import ZERO, Adjoint, Partials
from runtime.ir.op import Op
from runtime.ir.traits import ALL_OPERANDS, Aliasing, Traits
from runtime.ir.types import ListType, TupleType
from runtime.ops.examples import ITEMS, ROW, SCALAR, call
from runtime.ops.ufuncs import operator_rule, wider

alias = Op(
    "alias",
    "The same value under a new name, with respect to which gradients can be taken separately.",
    lambda x: x,
    "x",
    traits=Traits(keeps_sizes=True, aliases=Aliasing.VIEW, marker=True),
    derivative=Partials("1"),
)
stop_gradient = Op(
    "stop_gradient",
    "The same value, which gradients treat as a constant.",
    lambda x: x,
    "x",
    traits=Traits(keeps_sizes=True, aliases=Aliasing.VIEW, marker=True, takes_unions=True),
    derivative=Partials(ZERO),
)


recomputed = Op(
    "recomputed",
    "The same value, from which others are recomputed: common subexpression elimination must not\n"
    "merge them with the original ones, which then would have to be stored.",
    lambda x: x,
    "x",
    traits=Traits(keeps_sizes=True, aliases=Aliasing.VIEW),
    derivative=Partials("1"),
)


# -- products of cotangents and partial derivatives ------------------------------------------------


FEW = 10_000  # elements up to which a dot product runs in one thread


def may_hold_nan(row):
    """Whether a vector may contain nan; if this is false, it contains none."""
    total = row.dot(row) if row.size < FEW else np.add.reduce(row)
    return total != total  # also true if infinities of both signs were added


def scaled_number(d, partial):
    """The product of a cotangent and a derivative, both scalars; zero if the cotangent is zero."""
    product = d * partial
    return product if product == product or d != 0 else type(product)(0)


def scaled_array(d, partial):
    """`scaled_number`, elementwise for arrays."""
    product = d * partial
    if not may_hold_nan(product.ravel("K")):
        return product
    return np.where(d == 0, np.zeros_like(product, shape=()), product)


def scaled_value(d, partial):
    """`scaled_number` or `scaled_array`."""
    return (scaled_array if np.ndim(d) or np.ndim(partial) else scaled_number)(d, partial)


scaled = Op(
    "scaled",
    "The product; zero where the first operand is zero, even if the second is infinite or nan.",
    operator_rule(np.multiply, wider),
    lambda xp, operands, attributes: scaled_value(*operands),
    arity=2,
    traits=Traits(elementwise=True),
    derivative=Partials("y", "x", of_cotangents=(1,)),
)


def jointly_scaled_value(xp, operands, attributes):
    """The product of two cotangents; zero where either is zero."""
    c, d = operands
    product = c * d
    if not np.ndim(product):
        return product if product == product or c != 0 != d else type(product)(0)
    if not may_hold_nan(product.ravel("K")):
        return product
    return np.where((c == 0) | (d == 0), np.zeros_like(product, shape=()), product)


jointly_scaled = Op(
    "jointly_scaled",
    "The product; zero where either operand is zero, even if the other is infinite or nan.",
    operator_rule(np.multiply, wider),
    jointly_scaled_value,
    arity=2,
    traits=Traits(elementwise=True, commutative=True),
    derivative=Partials("y", "x", of_cotangents=(0, 1)),
)


accumulated = Op(
    "accumulated",
    "The sum x + y with the type of x, the sum collected so far; an engine may store it in the\n"
    "memory of x.",
    lambda x, y: x,
    "x + y",
    arity=2,
    traits=Traits(keeps_sizes=True, updates=0),
    derivative=Partials("1", "1"),
)


# -- lists -----------------------------------------------------------------------------------------


def _list_add_rule(left, right):
    if left != right or not isinstance(left, (ListType, TupleType)):
        raise TypeError(f"only lists of one type can be added, not {left} and {right}")
    return left


def sum_of(one, other):
    """The sum of two values of one type: of corresponding elements of lists and tuples.

    Elements that are no numbers, such as strings, are those of the first value.
    """
    if isinstance(one, (list, tuple)):
        return type(one)(map(sum_of, one, other))
    return one + other if isinstance(one, (np.ndarray, np.number, float, complex)) else one


list_add = Op(
    "list_add",
    "A list, or a tuple, of the sums of corresponding elements of two of one type.",
    _list_add_rule,
    lambda xp, operands, attributes: sum_of(*operands),
    arity=2,
    traits=Traits(linear=ALL_OPERANDS),
    derivative=Adjoint(lambda d, r, x, y: (d, d)),
    examples=lambda: [call(ITEMS, ITEMS), call((SCALAR, ROW), (SCALAR, ROW))],
)
