"""Indexing: reading and writing elements at a subscript.

    x[i, 1:]           getitem(x, i, at=(_0, slice(1, None, None)))
    x[i] = y           x_1 = setitem(x, y, i, at=(_0,))

`at` is the subscript; `_0`, `_1`... are slots for the operands that follow the array (and the new
element).  Subscripts are those of NumPy: integers, slices, None, `...`, integer and boolean arrays.
A subscript out of range is an error when the graph runs, unless the result is unused.
"""

from dataclasses import dataclass

import numpy as np

from runtime.ir.broadcasting import broadcast
from runtime.ir.derivative import Adjoint
from runtime.ir.layout import copied
from runtime.ir.op import Op
from runtime.ir.slot import Slot, fill_slots
from runtime.ir.traits import Aliasing, Cost, Traits
from runtime.ir.types import Dimension, PythonType, TensorType, array_type
from runtime.ops.adjoints import subscripts
from runtime.ops.conditions import subscript_errors, subscripts_inside
from runtime.ops.examples import INDICES, MATRIX, ROW, SCALAR, call

# -- the shape of the result -----------------------------------------------------------------------


@dataclass
class _Part:
    """One part of a subscript: how many dimensions it consumes, and which it produces."""

    takes: int
    leaves: tuple[Dimension, ...]
    is_array: bool = False
    is_number: bool = False


def _part(part, operands, size):
    if part is None:
        return _Part(0, (1,))
    if isinstance(part, slice):
        return _Part(1, (_slice_size(part, size),))
    operand = operands[part.index] if isinstance(part, Slot) else None
    if operand is not None and operand.ndim == 0 and operand.dtype.kind == "b":
        return _Part(0, (None,), is_array=True)
    if operand is None or isinstance(operand, PythonType) or operand.ndim == 0:
        if operand is not None and operand.dtype.kind not in "iu":
            raise IndexError(f"an index must be an integer, not {operand}")
        return _Part(1, (), is_number=True)
    if operand.dtype.kind == "b":
        return _Part(operand.ndim, (None,), is_array=True)
    if operand.dtype.kind not in "iu":
        raise IndexError(
            f"arrays used as indices must be of integer or boolean type, not {operand}"
        )
    return _Part(1, operand.shape, is_array=True)


def _slice_size(part, size):
    bounds = (part.start, part.stop, part.step)
    if bounds == (None, None, None):
        return size
    if isinstance(size, int) and not any(isinstance(bound, Slot) for bound in bounds):
        return len(range(*part.indices(size)))
    return None


def subscript_shape(shape, at, operands) -> tuple[Dimension, ...]:
    """The shape of `x[at]` for an array x of a shape; `operands` are the types that fill the slots.

    Raises `IndexError` for a subscript that fits no array of this rank.
    """
    taken = sum(_part(part, operands, None).takes for part in at if part is not Ellipsis)
    if taken > len(shape):
        raise IndexError(
            f"too many indices for array: array is {len(shape)}-dimensional, "
            f"but {taken} were indexed"
        )
    rest = [slice(None)] * (len(shape) - taken)
    parts = list(at) if any(part is Ellipsis for part in at) else [*at, Ellipsis]
    place = next(i for i, part in enumerate(parts) if part is Ellipsis)
    parts[place : place + 1] = rest
    sizes = iter(shape)
    applied = []
    for part in parts:
        takes = _part(part, operands, None).takes
        consumed = [next(sizes) for _ in range(takes)]
        applied.append(_part(part, operands, consumed[0] if consumed else None))
    return _joined(applied)


def _joined(parts):
    """The dimensions that the parts produce.

    Arrays, and the integers among them, broadcast to one group of dimensions.
    """
    if not any(part.is_array for part in parts):
        return tuple(size for part in parts for size in part.leaves)
    places = [i for i, part in enumerate(parts) if part.is_array or part.is_number]
    together = broadcast(*(parts[i].leaves for i in places))
    adjacent = places == list(range(places[0], places[-1] + 1))
    first = places[0] if adjacent else 0
    before = [size for part in parts[:first] for size in part.leaves]
    after = [
        s for i, part in enumerate(parts) if i >= first and i not in places for s in part.leaves
    ]
    return (*before, *together, *after)


# -- the ops ---------------------------------------------------------------------------------------


def _getitem_rule(x, *operands, at):
    made = array_type if any(part is Ellipsis for part in at) else TensorType
    return made(x.dtype, subscript_shape(x.shape, at, operands))


def subscript_text(at, operands) -> str:
    """The subscript as Python source, from the source of its operands."""

    def text(part):
        match part:
            case Slot(index):
                return operands[index]
            case slice():
                bounds = ["" if b is None else text(b) for b in (part.start, part.stop, part.step)]
                return ":".join(bounds if bounds[2] else bounds[:2])
        return "..." if part is Ellipsis else repr(part)

    if not at:
        return "()"
    return ", ".join(map(text, at))


getitem = Op(
    "getitem",
    "The element or subarray at a subscript.",
    _getitem_rule,
    lambda xp, operands, attributes: operands[0][fill_slots(attributes["at"], operands[1:])],
    arity=None,
    inline=lambda operands, at: f"{operands[0]}[{subscript_text(at, operands[1:])}]",
    traits=Traits(
        linear=(0,),
        speculatable=subscripts_inside,
        raises=subscript_errors,
        aliases=Aliasing.VIEW,
        cost=Cost(3.0),
        ignores_integer_kind=True,
    ),
    derivative=Adjoint(subscripts.getitem),
    examples=lambda: [
        call(MATRIX, at=(0, slice(1, None))),
        call(MATRIX, INDICES, at=(Slot(0),)),
        call(MATRIX, MATRIX > 0, at=(Slot(0),)),
    ],
    called="getitem",
)


def _setitem_rule(x, value, *operands, at):
    subscript_shape(x.shape, at, operands)
    return x


def _setitem(xp, operands, attributes):
    x, value, *indices = operands
    new = copied(x) if type(x) is np.ndarray else xp.array(x)
    new[fill_slots(attributes["at"], indices)] = value
    return new


setitem = Op(
    "setitem",
    "The array with the elements at a subscript replaced; they are cast to the array's dtype.",
    _setitem_rule,
    _setitem,
    arity=None,
    traits=Traits(keeps_sizes=True, linear=(0, 1), raises=(IndexError,), updates=0),
    derivative=Adjoint(subscripts.setitem),
    examples=lambda: [
        call(MATRIX, ROW, at=(0,)),
        call(MATRIX, SCALAR, INDICES, at=(Slot(0), 1)),
        call(MATRIX, SCALAR, MATRIX > 0, at=(Slot(0),)),
    ],
    called="setitem",
)


def _take_rule(x, indices, axis=None, mode="raise"):
    if axis is None:
        return TensorType(x.dtype, indices.shape)
    (axis,) = np.lib.array_utils.normalize_axis_tuple(axis, x.ndim)
    return TensorType(x.dtype, (*x.shape[:axis], *indices.shape, *x.shape[axis + 1 :]))


take = Op(
    "take",
    "The elements, or slices along an axis, at integer indices.",
    _take_rule,
    "xp.take(x, y, ...)",
    np.take,
    arity=2,
    traits=Traits(linear=(0,), raises=(IndexError,), cost=Cost(3.0)),
    derivative=Adjoint(subscripts.take),
    examples=lambda: [call(MATRIX, INDICES), call(MATRIX, INDICES, axis=1)],
)
