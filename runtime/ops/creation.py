"""Ops that create arrays: filled arrays, ranges and constants; and placeholders for values.

full(v, n, shape=(None, 3))     np.full((n, 3), v): sizes that are None are operands
arange(0, n, 1)                 np.arange(0, n, 1)
constant(value=...)             an array that is known while the graph is built
zero(type=...)                  the placeholder for a variable that is not bound yet
"""

from typing import Any

import numpy as np

from runtime.ir.derivative import Adjoint, Partials
from runtime.ir.op import Op
from runtime.ir.traits import FREE, Aliasing, Cost, Traits
from runtime.ir.types import (
    INT,
    ListType,
    NothingType,
    ObjectType,
    OptionalType,
    PythonType,
    StringType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    array_type,
    promote,
    type_of,
)
from runtime.ops.adjoints import shapes
from runtime.ops.conditions import always, size_errors
from runtime.ops.examples import MATRIX, ROW, SCALAR, call


def shape_of(sizes, operands):
    """The shape of a type whose unknown sizes are None; the operands hold these sizes."""
    if any(not (isinstance(o, PythonType) or o.shape == ()) for o in operands):
        raise TypeError("a size must be a scalar")
    return (sizes,) if isinstance(sizes, int) else tuple(sizes)


def _full_rule(value, *sizes, shape, dtype=None):
    dtype = value.dtype if dtype is None else np.dtype(dtype)
    return array_type(dtype, shape_of(shape, sizes))


full = Op(
    "full",
    "An array filled with one value; sizes that are None are given by the further operands.",
    _full_rule,
    lambda xp, operands, attributes: xp.full(
        filled_shape(attributes["shape"], operands[1:]), operands[0], attributes.get("dtype")
    ),
    arity=None,
    traits=Traits(
        linear=(0,), raises=size_errors, foldable=False, cost=Cost(1.0), ignores_integer_kind=True
    ),
    derivative=Adjoint(lambda d, r, value, *sizes, **options: (d, *(None for _ in sizes))),
    examples=lambda: [call(SCALAR, 2, shape=(None, 3)), call(ROW, 2, shape=(None, 3))],
)


def filled_shape(shape, sizes):
    """A shape with its unknown sizes, which are None, filled in."""
    sizes = iter(sizes)
    return tuple(next(sizes) if size is None else size for size in shape)


def _arange_rule(start, stop, step, dtype=None):
    if dtype is None:
        dtype = promote(start, stop, step)
    return TensorType(np.dtype(dtype), (None,))


arange = Op(
    "arange",
    "Evenly spaced numbers from start up to, but not including, stop.",
    _arange_rule,
    lambda xp, operands, attributes: xp.arange(*operands, **attributes),
    arity=3,
    traits=Traits(cost=Cost(1.0), ignores_integer_kind=True),
    derivative=Adjoint(shapes.arange),
    examples=lambda: [call(0.25, 3.5, 0.5), call(0, 4, 1)],
)
constant = Op(
    "constant",
    "An array that is known while the graph is built.",
    lambda value: TensorType(value.dtype, value.shape),
    lambda xp, operands, attributes: xp.asarray(attributes["value"])[()],
    arity=0,
    traits=Traits(speculatable=always, foldable=False, cost=FREE),
    derivative=Partials(),
    examples=lambda: [call(value=MATRIX)],
)
relax = Op(
    "relax",
    "The same array with a less specific type: fewer sizes of its shape are known.",
    lambda x, shape: TensorType(x.dtype, tuple(shape)),
    "x",
    traits=Traits(
        keeps_sizes=True, linear=(0,), speculatable=always, aliases=Aliasing.VIEW, cost=FREE
    ),
    derivative=Partials("1"),
    examples=lambda: [call(MATRIX, shape=(None, None))],
)
unreachable = Op(
    "unreachable",
    "A placeholder for a value after code that always raises; it is never computed.",
    lambda type: type,
    None,
    arity=0,
    traits=Traits(speculatable=always, foldable=False),
    derivative=Partials(),
)


def _zero_rule(type: Type):
    return type


def zero_of_type(kind: Type) -> Any:
    """The value of `zero`: an empty list, or zeros in which unknown sizes are 0."""
    match kind:
        case ListType():
            return []
        case OptionalType() | NothingType():
            return None
        case TupleType(places):
            return tuple(map(zero_of_type, places))
        case StringType():
            return ""
        case ObjectType():
            return None
        case UnionType():
            return zero_of_type(kind.options[0])
        case PythonType():
            return kind.kind(0)
        case TensorType():
            shape = tuple(size if isinstance(size, int) else 0 for size in kind.shape)
            return np.zeros(shape, kind.dtype)[()]
    raise TypeError(f"there is no zero of type {kind}")


zero = Op(
    "zero",
    "A placeholder for the value of a variable that is not bound yet; it is never read.",
    _zero_rule,
    lambda xp, operands, attributes: zero_of_type(attributes["type"]),
    arity=0,
    traits=Traits(speculatable=always, foldable=False, cost=FREE),
    derivative=Partials(),
    examples=lambda: [call(type=type_of(MATRIX)), call(type=ListType(INT)), call(type=INT)],
)
