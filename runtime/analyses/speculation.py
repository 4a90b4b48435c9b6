"""Which nodes can neither fail nor warn, whatever their operands are.

Such a node may be computed where Python would not have computed it.  Most of arithmetic is not
among them: floats overflow, and NumPy warns of it; so do NumPy's integer scalars, though not its
integer arrays.  Shapes have to be known where they have to fit.
"""

import numpy as np

from runtime.ir.graph import Node, Value, operand_type
from runtime.ir.types import INT, NO_ARRAYS, TensorType, Type

# On operands of any dtype but complex, of shapes that fit.
COMPARISONS = {"equal", "not_equal", "less", "less_equal", "greater", "greater_equal"}
CHOICES = {"maximum", "minimum", "where", "logical_and", "logical_or", "logical_xor", "logical_not"}
BITS = {"bitwise_and", "bitwise_or", "bitwise_xor", "invert"}
SIGNS = {"positive", "negative", "absolute", "isnan", "isinf", "isfinite", "signbit"}
# Where NumPy's scalars may overflow: of arrays of integers, and of Python's integers.
WRAPPING = {"add", "subtract", "multiply"}
DIVISIONS = {"floor_divide", "remainder"}
VIEWS = {"transpose", "swapaxes", "expand_dims", "ravel", "flip", "relax"}
ALWAYS = {"constant", "zero", "unreachable", "size", "not_", "copy"}


def is_total(node: Node) -> bool:
    """Whether a node without regions can neither fail nor warn, nor has an effect."""
    if node.regions or node.op.effect:
        return False
    types = [operand_type(o) for o in node.inputs]
    if any(isinstance(kind, NO_ARRAYS) for kind in (*types, *(v.type for v in node.outputs))):
        return False
    name = node.op.name
    if name in ALWAYS or name in VIEWS:
        return all(kind.ndim == 0 for kind in types) if name == "not_" else True
    if name == "truth":
        return types[0].ndim == 0
    if name == "reshape":
        return _is_known(types[0]) and -1 not in _sizes(node)
    if name == "getitem":
        return len(types) == 1 and is_inside(node.attributes["at"], types[0])
    if not all(map(_is_known, types)) or any(kind.dtype.kind == "c" for kind in types):
        return False
    if name in DIVISIONS:
        return _divides_by_positive(node, types)
    return name in COMPARISONS or _fits(node, types) and _is_total_elementwise(name, types)


def _divides_by_positive(node, types):
    """Whether integers are divided by a positive number that is known."""
    divisor = node.inputs[1]
    is_positive = type(divisor) is int and divisor > 0
    return is_positive and types[0].dtype.kind in "iu" and _fits(node, types)


def _is_total_elementwise(name, types):
    kinds = {kind.dtype.kind for kind in types}
    if name in CHOICES or name in BITS:
        return True
    if name in SIGNS:
        return kinds <= {"f"} or types[0] == INT or types[0].ndim > 0
    wraps = all(kind == INT for kind in types) or any(kind.ndim > 0 for kind in types)
    return name in WRAPPING and kinds <= {"i", "u"} and wraps


def _fits(node, types):
    """Whether numbers of Python's are in the range of the NumPy integers beside them."""
    dtypes = [k.dtype for k in types if isinstance(k, TensorType) and k.dtype.kind in "iu"]
    weak = [o for o, kind in zip(node.inputs, types, strict=True) if kind is INT]
    return all(
        is_number(number) and np.iinfo(dtype).min <= number <= np.iinfo(dtype).max
        for dtype in dtypes
        for number in weak
    )


def _is_known(kind):
    return all(isinstance(size, int) for size in kind.shape)


def _sizes(node):
    shape = node.attributes["shape"]
    return (shape,) if isinstance(shape, int) else shape


def is_inside(at: tuple, kind: Type) -> bool:
    """Whether a subscript is of numbers and slices that are known to be in range."""
    if len(at) > len(kind.shape):
        return False
    return all(
        isinstance(part, slice)
        or type(part) is int
        and isinstance(size, int)
        and -size <= part < size
        for part, size in zip(at, kind.shape, strict=False)
    )


def is_number(operand) -> bool:
    """Whether an operand is a number that is known."""
    return not isinstance(operand, Value)
