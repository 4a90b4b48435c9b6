"""What gradients are made of: products that a zero stays zero in, values that stand for others.

alias(x)             x under a name of its own, by which something can be differentiated
stop_gradient(x)     x, as a constant
scaled(d, p)         d * p, and zero where d is zero, whatever p is
"""

import math

import numpy as np

from runtime.derivatives import ZERO, Adjoint, Partials
from runtime.op import Op
from runtime.ops.elementwise import _wider, operator_rule
from runtime.types import ListType

alias = Op(
    "alias",
    "The same value under another name; gradients by it are not gradients by the other.",
    lambda x: x,
    "x",
    shares=True,
    derivative=Partials("1"),
)
stop_gradient = Op(
    "stop_gradient",
    "The same value, which gradients take for a constant.",
    lambda x: x,
    "x",
    shares=True,
    derivative=Partials(ZERO),
)


recomputed = Op(
    "recomputed",
    "The same value, from which something is computed again: it is not taken from where it was\n"
    "computed first, so that it need not be kept.",
    lambda x: x,
    "x",
    shares=True,
    derivative=Partials("1"),
)


# -- the product of a cotangent and a derivative ---------------------------------------------------


def _scaled(xp, operands, attributes):
    d, partial = operands
    if _is_finite(partial):
        return d * partial
    d, partial = xp.asarray(d), xp.asarray(partial)
    product = xp.zeros(np.broadcast_shapes(d.shape, partial.shape), np.result_type(*operands))
    return xp.multiply(d, partial, out=product, where=d != 0)[()]


def _is_finite(x):
    """Whether there is neither an infinity nor a nan; False where that takes long to tell."""
    if isinstance(x, (float, complex)):
        return math.isfinite(abs(x))
    if not isinstance(x, np.ndarray) or x.dtype.kind not in "fc":
        return True
    return math.isfinite(np.vdot(x, x).real)  # too large numbers only take the longer way


scaled = Op(
    "scaled",
    "The product; zero where the first operand is, also beside infinity or nan.",
    operator_rule(np.multiply, _wider),
    _scaled,
    arity=2,
    derivative=Partials("y", "x"),
)


# -- lists -----------------------------------------------------------------------------------------


def _list_add_rule(left, right):
    if left != right or not isinstance(left, ListType):
        raise TypeError(f"lists of one type are added, not {left} and {right}")
    return left


list_add = Op(
    "list_add",
    "A list of the sums of the elements of two lists.",
    _list_add_rule,
    lambda xp, operands, attributes: [x + y for x, y in zip(*operands, strict=True)],
    arity=2,
    derivative=Adjoint(lambda d, r, x, y: (d, d)),
)
