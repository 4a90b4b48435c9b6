"""Conditions in the traits of ops: when a node is speculatable, and which errors it may raise.

    speculatable=always               a view of an array of any shape
    speculatable=wraps                sums of integer arrays wrap without a warning
    raises=python_division            ZeroDivisionError, but only of Python scalars

Most arithmetic is not speculatable: floats overflow, and NumPy warns; so do NumPy integer scalars,
but not integer arrays.  Where shapes must match, they must be known.

`analyses/speculation.py` excludes nodes with effects, regions, lists and strings before it
evaluates one of these conditions.
"""

from typing import Any

import numpy as np

from runtime.ir.graph import Node, Operand, Value, operand_type
from runtime.ir.traits import Exceptions
from runtime.ir.types import INT, PythonType, TensorType, Type

# -- speculatable ----------------------------------------------------------------------------------


def always(node: Node) -> bool:
    """For any operands."""
    return True


def scalars(node: Node) -> bool:
    """If all operands are scalars: the truth value of an array may be ambiguous."""
    return all(kind.ndim == 0 for kind in _types(node))


def reshapes_known(node: Node) -> bool:
    """If the operand's shape and the new one are known: the type rule has compared them."""
    shape = node.attributes["shape"]
    sizes = (shape,) if isinstance(shape, int) else shape
    return is_shape_known(_types(node)[0]) and -1 not in sizes


def subscripts_inside(node: Node) -> bool:
    """If the subscript consists of constants that are known to be in range."""
    kinds = _types(node)
    return len(kinds) == 1 and is_inside(node.attributes["at"], kinds[0])


def shapes_match(node: Node) -> bool:
    """If the shapes are known, so that they broadcast, and no operand is complex."""
    return all(is_shape_known(kind) and kind.dtype.kind != "c" for kind in _types(node))


def scalars_fit(node: Node) -> bool:
    """If shapes match and Python ints are in the range of the NumPy integers beside them."""
    return shapes_match(node) and _fits(node)


def has_sign(node: Node) -> bool:
    """If scalars fit and the operand is a float, a Python int or an array.

    The negative of the least NumPy integer scalar overflows, with a warning.
    """
    kinds = _types(node)
    is_float = {kind.dtype.kind for kind in kinds} <= {"f"}
    return scalars_fit(node) and (is_float or kinds[0] == INT or kinds[0].ndim > 0)


def wraps(node: Node) -> bool:
    """If scalars fit and the operands are Python ints, or integers of which one is an array."""
    kinds = _types(node)
    are_integers = {kind.dtype.kind for kind in kinds} <= {"i", "u"}
    without_warning = all(kind == INT for kind in kinds) or any(kind.ndim > 0 for kind in kinds)
    return scalars_fit(node) and are_integers and without_warning


def divisor_is_positive(node: Node) -> bool:
    """If scalars fit and integers are divided by a positive Python int that is a constant."""
    divisor = node.inputs[1]
    is_positive = type(divisor) is int and divisor > 0
    return scalars_fit(node) and is_positive and _types(node)[0].dtype.kind in "iu"


def _types(node: Node) -> list[Any]:
    return [operand_type(operand) for operand in node.inputs]


def _fits(node: Node) -> bool:
    """Whether Python ints are constants in the range of the NumPy integers beside them."""
    kinds = _types(node)
    dtypes = [k.dtype for k in kinds if isinstance(k, TensorType) and k.dtype.kind in "iu"]
    weak = [o for o, kind in zip(node.inputs, kinds, strict=True) if kind is INT]
    return all(
        not isinstance(number, Value) and np.iinfo(dtype).min <= number <= np.iinfo(dtype).max
        for dtype in dtypes
        for number in weak
    )


# -- exceptions ------------------------------------------------------------------------------------


def python_division(types: tuple[Type, ...], attributes: dict[str, Any]) -> Exceptions:
    """ZeroDivisionError for Python scalars; NumPy issues a warning instead."""
    return (ZeroDivisionError,) if all(isinstance(kind, PythonType) for kind in types) else ()


def subscript_errors(types: tuple[Type, ...], attributes: dict[str, Any]) -> Exceptions:
    """IndexError, unless the subscript is known to be in range."""
    return () if len(types) == 1 and is_inside(attributes["at"], types[0]) else (IndexError,)


def whole_number_errors(types: tuple[Type, ...], attributes: dict[str, Any]) -> Exceptions:
    """The errors of `int(x)` for a float, which may be nan or infinite; that for an array."""
    if types[0].ndim:
        return (TypeError,)
    is_rounded = attributes["type"] is INT and types[0].dtype is not None
    return (ValueError, OverflowError) if is_rounded and types[0].dtype.kind in "fc" else ()


def power_errors(types: tuple[Type, ...], attributes: dict[str, Any]) -> Exceptions:
    """The errors of powers of Python scalars, and of integers with negative exponents."""
    if all(isinstance(kind, PythonType) for kind in types):
        return (ZeroDivisionError, OverflowError)
    are_integers = {kind.dtype.kind for kind in types if kind.dtype is not None} <= {"i", "u"}
    return (ValueError,) if are_integers and types[1].dtype != np.dtype(bool) else ()


def shift_errors(types: tuple[Type, ...], attributes: dict[str, Any]) -> Exceptions:
    """The errors of shifts of Python ints: NumPy's have a result for each number of places."""
    return (ValueError, OverflowError) if all(kind is INT for kind in types) else ()


def emptiness_errors(types: tuple[Type, ...], attributes: dict[str, Any]) -> Exceptions:
    """ValueError of reductions without an identity, unless all sizes are known and positive."""
    shape = types[0].shape
    return () if all(isinstance(size, int) and size > 0 for size in shape) else (ValueError,)


def size_errors(types: tuple[Type, ...], attributes: dict[str, Any]) -> Exceptions:
    """ValueError for sizes that the run computes, or that are negative."""
    sizes = attributes["shape"]
    sizes = (sizes,) if isinstance(sizes, int) else sizes
    return () if all(isinstance(size, int) and size >= 0 for size in sizes) else (ValueError,)


def shape_errors(types: tuple[Type, ...], attributes: dict[str, Any]) -> Exceptions:
    """ValueError if a shape is unknown, so that the type rule could not compare it."""
    are_known = all(not isinstance(kind, TensorType) or is_shape_known(kind) for kind in types)
    return () if are_known else (ValueError,)


# -- warnings --------------------------------------------------------------------------------------


def drops_imaginary_part(node: Node) -> bool:
    """NumPy warns when complex numbers are cast to a real dtype."""
    kind = operand_type(node.inputs[0])
    is_complex = isinstance(kind, TensorType) and kind.dtype.kind == "c"
    dtype = node.output.type.dtype
    return is_complex and (dtype is None or dtype.kind != "c")


def may_have_too_few_elements(node: Node) -> bool:
    """NumPy warns about the mean of no elements and a variance with too few degrees of freedom."""
    return not _is_known_to_have_elements(node.inputs[0]) or bool(node.attributes.get("ddof"))


def _is_known_to_have_elements(operand: Operand) -> bool:
    shape = getattr(operand_type(operand), "shape", ())
    return all(isinstance(size, int) and size > 0 for size in shape)


# -- shapes ----------------------------------------------------------------------------------------


def is_shape_known(kind: Any) -> bool:
    """Whether all sizes of a type are known."""
    return all(isinstance(size, int) for size in kind.shape)


def is_inside(at: tuple[Any, ...], kind: Any) -> bool:
    """Whether a subscript consists of constants and slices that are known to be in range."""
    if len(at) > len(kind.shape):
        return False
    return all(
        isinstance(part, slice)
        or type(part) is int
        and isinstance(size, int)
        and -size <= part < size
        for part, size in zip(at, kind.shape, strict=False)
    )
