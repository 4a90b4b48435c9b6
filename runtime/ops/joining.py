"""Ops that join several arrays: along an axis, or along a new one."""

import numpy as np

from runtime.ir.derivative import Adjoint
from runtime.ir.op import Op
from runtime.ir.traits import ALL_OPERANDS, Cost, Traits
from runtime.ir.types import TensorType, tensor_type
from runtime.ops.adjoints import shapes
from runtime.ops.conditions import shape_errors
from runtime.ops.reduce import _axes, _count


def _joined_dtype(parts):
    """The dtype of the joined arrays; Python scalars count with the dtype of an array of them."""
    return tensor_type(np.result_type(*(part.dtype for part in parts))).dtype


def _concatenate_rule(*parts, axis=0):
    if axis is None:
        counts = [_count(part.shape) for part in parts]
        total = None if None in counts else sum(counts)
        return TensorType(_joined_dtype(parts), (total,))
    ranks = {part.ndim for part in parts}
    if len(ranks) != 1 or 0 in ranks:
        raise ValueError("concatenate takes arrays of equal rank, with at least one dimension")
    (axis,) = _axes(parts[0], axis)
    shape = []
    for i, sizes in enumerate(zip(*(part.shape for part in parts), strict=True)):
        known = {size for size in sizes if isinstance(size, int)}
        if i == axis:
            shape.append(
                sum(sizes) if len(known) and all(isinstance(s, int) for s in sizes) else None
            )
        elif len(known) > 1:
            raise ValueError(
                f"concatenate takes arrays whose sizes differ only along axis {axis}, not {i}"
            )
        else:
            shape.append(next(iter(known), sizes[0]))
    return TensorType(_joined_dtype(parts), tuple(shape))


concatenate = Op(
    "concatenate",
    "Arrays joined along an existing axis.",
    _concatenate_rule,
    lambda xp, operands, attributes: xp.concatenate(operands, **attributes),
    np.concatenate,
    arity=None,
    traits=Traits(linear=ALL_OPERANDS, raises=shape_errors, cost=Cost(1.0)),
    derivative=Adjoint(shapes.concatenate),
)


def _stack_rule(*parts, axis=0):
    shape = parts[0].shape
    for part in parts[1:]:
        if part.ndim != len(shape):
            raise ValueError("all input arrays must have the same shape")
        pairs = zip(shape, part.shape, strict=True)
        shape = tuple(a if isinstance(a, int) else b for a, b in pairs)
        if any(a != b and isinstance(b, int) for a, b in zip(shape, part.shape, strict=True)):
            raise ValueError("all input arrays must have the same shape")
    (axis,) = np.lib.array_utils.normalize_axis_tuple(axis, len(shape) + 1)
    return TensorType(_joined_dtype(parts), (*shape[:axis], len(parts), *shape[axis:]))


FLOATS = {float, int, np.float64}


def _stacked(xp, operands, attributes):
    """Arrays of one shape joined along a new axis; where `array` gives the same, it is faster."""
    if xp is np and not attributes:
        kinds = set(map(type, operands))
        if FLOATS >= kinds != {int} or (len(kinds) == 1 and issubclass(*kinds, np.number)):
            return np.array(operands)
        if kinds == {np.ndarray} and _are_contiguous_rows(operands):
            return np.array(operands)
    return xp.stack(operands, **attributes)


def _are_contiguous_rows(arrays):
    """Whether the arrays are vectors of one size; the layout of others decides on that of the
    result."""
    size = len(arrays[0]) if arrays[0].ndim == 1 else None
    return all(one.shape == (size,) and one.flags.c_contiguous for one in arrays)


stack = Op(
    "stack",
    "Arrays of one shape joined along a new axis.",
    _stack_rule,
    _stacked,
    np.stack,
    arity=None,
    traits=Traits(linear=ALL_OPERANDS, raises=shape_errors, cost=Cost(1.0)),
    derivative=Adjoint(shapes.stack),
)
