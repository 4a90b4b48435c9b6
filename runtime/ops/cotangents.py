"""What gradients are made of: products that a zero stays zero in, values that stand for others.

alias(x)             x under a name of its own, by which something can be differentiated
stop_gradient(x)     x, as a constant
scaled(d, p)         d * p, and zero where d is zero, whatever p is
"""

import numpy as np

from runtime.ir.derivative import ZERO, Adjoint, Partials
from runtime.ir.op import Op
from runtime.ir.traits import ALL_OPERANDS, Aliasing, Traits
from runtime.ir.types import ListType
from runtime.ops.ufuncs import operator_rule, wider

alias = Op(
    "alias",
    "The same value under another name; gradients by it are not gradients by the other.",
    lambda x: x,
    "x",
    traits=Traits(keeps_sizes=True, aliases=Aliasing.VIEW, marker=True),
    derivative=Partials("1"),
)
stop_gradient = Op(
    "stop_gradient",
    "The same value, which gradients take for a constant.",
    lambda x: x,
    "x",
    traits=Traits(keeps_sizes=True, aliases=Aliasing.VIEW, marker=True),
    derivative=Partials(ZERO),
)


recomputed = Op(
    "recomputed",
    "The same value, from which something is computed again: it is not taken from where it was\n"
    "computed first, so that it need not be kept.",
    lambda x: x,
    "x",
    traits=Traits(keeps_sizes=True, aliases=Aliasing.VIEW),
    derivative=Partials("1"),
)


# -- the product of a cotangent and a derivative ---------------------------------------------------


FEW = 10_000  # elements of which a dot product is taken in one thread


def may_hold_nan(row):
    """Whether there may be a nan in a row of numbers: there is none where it says so."""
    total = row.dot(row) if row.size < FEW else np.add.reduce(row)
    return total != total  # also where infinities of both signs were added


def scaled_number(d, partial):
    """The product of a cotangent and a derivative, numbers both; zero where the cotangent is."""
    product = d * partial
    return product if product == product or d != 0 else type(product)(0)


def scaled_array(d, partial):
    """The same of arrays."""
    product = d * partial
    if not may_hold_nan(product.ravel("K")):
        return product
    return np.where(d == 0, np.zeros_like(product, shape=()), product)


def scaled_value(d, partial):
    """The same of either."""
    return (scaled_array if np.ndim(d) or np.ndim(partial) else scaled_number)(d, partial)


scaled = Op(
    "scaled",
    "The product; zero where the first operand is, also beside infinity or nan.",
    operator_rule(np.multiply, wider),
    lambda xp, operands, attributes: scaled_value(*operands),
    arity=2,
    traits=Traits(elementwise=True),
    derivative=Partials("y", "x"),
)


accumulated = Op(
    "accumulated",
    "The sum of what has been collected and something more, of its type; an engine may compute it\n"
    "where the former is.",
    lambda x, y: x,
    "x + y",
    traits=Traits(keeps_sizes=True, updates=0),
    derivative=Partials("1", "1"),
)


# -- lists -----------------------------------------------------------------------------------------


def _list_add_rule(left, right):
    if left != right or not isinstance(left, ListType):
        raise TypeError(f"lists of one type are added, not {left} and {right}")
    return left


def _sums(one, other):
    """The sums of the elements of two lists, which may be lists themselves."""
    nested = isinstance(one, list)
    return [_sums(x, y) for x, y in zip(one, other, strict=True)] if nested else one + other


list_add = Op(
    "list_add",
    "A list of the sums of the elements of two lists.",
    _list_add_rule,
    lambda xp, operands, attributes: _sums(*operands),
    arity=2,
    traits=Traits(linear=ALL_OPERANDS),
    derivative=Adjoint(lambda d, r, x, y: (d, d)),
)
