"""Ops that change the shape of arrays: reshape, permute axes, select, reorder and sort."""

import operator
from dataclasses import replace

import numpy as np

from runtime.ir.broadcasting import ShapeError, broadcast
from runtime.ir.derivative import Adjoint, Partials
from runtime.ir.op import Op
from runtime.ir.traits import FREE, Aliasing, Cost, Per, Traits
from runtime.ir.types import FLOAT, INT, BoxType, PythonType, TensorType, array_type
from runtime.ops.adjoints import shapes
from runtime.ops.conditions import always, reshapes_known, shape_errors
from runtime.ops.creation import filled_shape, shape_of
from runtime.ops.examples import MATRIX, NARROW, ROW, call
from runtime.ops.reduce import _axes, _count, _of_number


def _reshape_rule(x, shape):
    shape = (shape,) if isinstance(shape, int) else tuple(shape)
    total = _count(x.shape)
    known = _count(tuple(size for size in shape if size != -1))
    if shape.count(-1) > 1:
        raise ValueError("can only specify one unknown dimension")
    if total is not None:
        fits = total == known if -1 not in shape else known and total % known == 0
        if not fits:
            raise ValueError(f"cannot reshape array of size {total} into shape {shape}")
    missing = total // known if total is not None and known else None
    return array_type(x.dtype, tuple(missing if size == -1 else size for size in shape))


reshape = Op(
    "reshape",
    "The elements in a new shape; one size may be -1 and is inferred.",
    _reshape_rule,
    "xp.reshape(x, ...)",
    np.reshape,
    traits=Traits(
        linear=(0,),
        speculatable=reshapes_known,
        raises=shape_errors,
        aliases=Aliasing.VIEW_OR_COPY,
        method="x.reshape(shape)",
    ),
    derivative=Adjoint(shapes.reshape),
    examples=lambda: [call(MATRIX, shape=(3, 2)), call(MATRIX, shape=-1)],
)


def _reshape_to_rule(x, *sizes, shape):
    return TensorType(x.dtype, tuple(None if s == -1 else s for s in shape_of(shape, sizes)))


reshape_to = Op(
    "reshape_to",
    "The elements in a new shape; sizes that are None are given by the further operands.",
    _reshape_to_rule,
    lambda xp, operands, attributes: xp.reshape(
        operands[0], filled_shape(attributes["shape"], operands[1:])
    ),
    arity=None,
    traits=Traits(linear=(0,), raises=shape_errors, aliases=Aliasing.VIEW_OR_COPY),
    derivative=Adjoint(shapes.reshape),
    examples=lambda: [call(MATRIX, 3, shape=(None, -1)), call(MATRIX, 3, 2, shape=(None, None))],
    called="reshape",
)


def _transpose_rule(x, axes=None):
    order = tuple(reversed(range(x.ndim))) if axes is None else _axes(x, axes)
    if len(order) != x.ndim:
        raise ValueError("axes don't match array")
    if not order:
        return _as_numpys(x)
    return TensorType(x.dtype, tuple(x.shape[axis] for axis in order))


def _as_numpys(x):
    """Identity type rule; Python scalars become 0-d arrays."""
    return BoxType(x.dtype) if isinstance(x, PythonType) else x


transpose = Op(
    "transpose",
    "The axes permuted; reversed by default.",
    _transpose_rule,
    "xp.transpose(x, ...)",
    np.transpose,
    traits=Traits(linear=(0,), speculatable=always, aliases=Aliasing.VIEW),
    derivative=Adjoint(shapes.transpose),
    examples=lambda: [call(MATRIX), call(MATRIX, axes=(1, 0))],
)


def _swapaxes_rule(x, axis1, axis2):
    shape = list(x.shape)
    shape[axis1], shape[axis2] = shape[axis2], shape[axis1]
    return TensorType(x.dtype, tuple(shape))


swapaxes = Op(
    "swapaxes",
    "Two axes interchanged.",
    _swapaxes_rule,
    "xp.swapaxes(x, ...)",
    np.swapaxes,
    traits=Traits(
        linear=(0,), speculatable=always, aliases=Aliasing.VIEW, method="x.swapaxes(axis1, axis2)"
    ),
    derivative=Adjoint(lambda d, r, x, axis1, axis2: (np.swapaxes(d, axis1, axis2),)),
    examples=lambda: [call(MATRIX, axis1=0, axis2=-1)],
)


def _expand_dims_rule(x, axis):
    count = x.ndim + (len(axis) if isinstance(axis, tuple) else 1)
    axes = np.lib.array_utils.normalize_axis_tuple(axis, count)
    sizes = iter(x.shape)
    return TensorType(x.dtype, tuple(1 if i in axes else next(sizes) for i in range(count)))


def _expand_dims_text(operands, axis):
    axes = (axis,) if isinstance(axis, int) else tuple(axis)
    if not axes or min(axes) < 0:
        return f"np.expand_dims({operands[0]}, {axis!r})"
    places = ["None" if i in axes else ":" for i in range(max(axes) + 1)]
    return f"{operands[0]}[{', '.join(places)}]"


expand_dims = Op(
    "expand_dims",
    "New axes of size one.",
    _expand_dims_rule,
    "xp.expand_dims(x, ...)",
    np.expand_dims,
    inline=_expand_dims_text,
    traits=Traits(linear=(0,), speculatable=always, aliases=Aliasing.VIEW),
    derivative=Adjoint(lambda d, r, x, axis: (np.squeeze(d, axis),)),
    examples=lambda: [call(MATRIX, axis=1), call(MATRIX, axis=(0, -1))],
)


def _squeeze_rule(x, axis=None):
    if axis is not None:
        axes = _axes(x, axis)
    elif any(not isinstance(size, int) for size in x.shape):
        raise ShapeError("squeeze needs an axis where a dimension is unknown")
    else:
        axes = tuple(i for i, size in enumerate(x.shape) if size == 1)
    if any(isinstance(x.shape[i], int) and x.shape[i] != 1 for i in axes):
        raise ValueError("cannot select an axis to squeeze out which has size not equal to one")
    if not x.shape:
        return _as_numpys(x)
    return array_type(x.dtype, tuple(size for i, size in enumerate(x.shape) if i not in axes))


squeeze = Op(
    "squeeze",
    "Axes of size one removed.",
    _squeeze_rule,
    "xp.squeeze(x, ...)",
    np.squeeze,
    traits=Traits(linear=(0,), aliases=Aliasing.VIEW),
    derivative=Adjoint(shapes.squeeze),
    examples=lambda: [call(MATRIX[:, :1]), call(MATRIX[:1], axis=0)],
)


def _part_rule(x):
    if isinstance(x, PythonType):
        return FLOAT
    return replace(x, dtype=np.empty(0, x.dtype).real.dtype)


real = Op(
    "real",
    "The real part of each element.",
    _part_rule,
    "x.real",
    traits=Traits(keeps_sizes=True, linear=(0,), aliases=Aliasing.VIEW),
    derivative=Partials("1"),
    examples=lambda: [call(MATRIX + 1j * NARROW), call(MATRIX)],
)
imag = Op(
    "imag",
    "The imaginary part of each element.",
    _part_rule,
    "x.imag",
    traits=Traits(keeps_sizes=True, linear=(0,), aliases=Aliasing.VIEW),
    derivative=Partials("-1j"),
    examples=lambda: [call(MATRIX + 1j * NARROW), call(MATRIX)],
)


def _diagonal_rule(x, offset=0, axis1=0, axis2=1):
    rest = [s for axis, s in enumerate(x.shape) if axis not in (axis1 % x.ndim, axis2 % x.ndim)]
    rows, columns = x.shape[axis1], x.shape[axis2]
    if not (isinstance(rows, int) and isinstance(columns, int)):
        return TensorType(x.dtype, (*rest, None))
    count = min(rows + min(offset, 0), columns - max(offset, 0))
    return TensorType(x.dtype, (*rest, max(count, 0)))


diagonal = Op(
    "diagonal",
    "The elements on a diagonal with respect to two axes.",
    _diagonal_rule,
    "xp.diagonal(x, ...)",
    np.diagonal,
    traits=Traits(linear=(0,), aliases=Aliasing.READ_ONLY_VIEW),
    derivative=Adjoint(shapes.diagonal),
)
ravel = Op(
    "ravel",
    "The elements flattened to one dimension, in C order.",
    lambda x: TensorType(x.dtype, (_count(x.shape),)),
    "xp.ravel(x)",
    np.ravel,
    traits=Traits(
        linear=(0,), speculatable=always, aliases=Aliasing.VIEW_OR_COPY, method="x.ravel()"
    ),
    derivative=Adjoint(shapes.reshape),
)


def _broadcast_to_rule(x, shape):
    if broadcast(x.shape, tuple(shape)) != tuple(shape):
        raise ShapeError(f"shape {x.shape} cannot be broadcast to {tuple(shape)}")
    return array_type(x.dtype, tuple(shape))


broadcast_to = Op(
    "broadcast_to",
    "The array broadcast to a shape, without copying.",
    _broadcast_to_rule,
    "xp.broadcast_to(x, ...)",
    np.broadcast_to,
    traits=Traits(linear=(0,), aliases=Aliasing.READ_ONLY_VIEW),
    derivative=Adjoint(lambda d, r, x, shape: (d,)),
    examples=lambda: [call(ROW, shape=(2, 3)), call(MATRIX[:, :1], shape=(4, 2, 3))],
)


def _flip_rule(x, axis=None):
    _axes(x, axis)
    return TensorType(x.dtype, x.shape)


flip = Op(
    "flip",
    "The elements in reverse order along axes, by default all.",
    _flip_rule,
    "xp.flip(x, ...)",
    np.flip,
    traits=Traits(keeps_sizes=True, linear=(0,), speculatable=always, aliases=Aliasing.VIEW),
    derivative=Adjoint(lambda d, r, x, axis=None: (np.flip(d, axis),)),
)


def _roll_rule(x, shift, axis=None):
    if axis is not None:
        _axes(x, axis)
    return TensorType(x.dtype, x.shape)


roll = Op(
    "roll",
    "The elements shifted along axes; elements shifted past the end reappear at the start.",
    _roll_rule,
    "xp.roll(x, ...)",
    np.roll,
    traits=Traits(keeps_sizes=True, linear=(0,)),
    derivative=Adjoint(shapes.roll),
    examples=lambda: [call(MATRIX, shift=2), call(MATRIX, shift=(1, 2), axis=(0, 1))],
)


def _sorted_rule(x, axis=-1):
    if axis is None:
        return TensorType(x.dtype, (_count(x.shape),))
    _axes(x, operator.index(axis))
    return TensorType(x.dtype, x.shape)


def _argsort_rule(x, axis=-1):
    if not x.shape:
        return _of_number(np.argsort, x, axis=axis)
    return replace(_sorted_rule(x, axis), dtype=np.dtype(np.intp))


sort = Op(
    "sort",
    "The elements sorted along an axis, with nan last.",
    _sorted_rule,
    "xp.sort(x, ...)",
    np.sort,
    traits=Traits(total=True, cost=Cost(50.0, Per.OPERAND)),
    derivative=Adjoint(shapes.sort),
)
argsort = Op(
    "argsort",
    "The indices that would sort the array along an axis.",
    _argsort_rule,
    "xp.argsort(x, ...)",
    np.argsort,
    traits=Traits(total=True, cost=Cost(50.0, Per.OPERAND)),
)


def _size_rule(x, axis):
    _axes(x, axis)
    return INT


size = Op(
    "size",
    "The size of one dimension.",
    _size_rule,
    "x.shape[axis]",
    traits=Traits(speculatable=always, cost=FREE),
    examples=lambda: [call(MATRIX, axis=1)],
)
