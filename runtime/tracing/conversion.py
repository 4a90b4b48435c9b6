"""Conversion of staged values to other types.

cast(3, f64)          3.0, because a variable holds an f64 on another path
"""

from typing import Any

from runtime.ir.op import find
from runtime.ir.types import (
    NOTHING,
    STRING,
    BoxType,
    ListType,
    PythonType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    is_array,
    type_of,
)
from runtime.tracing.tensor import Tensor, apply, record_op, staged


def staged_string(text: str) -> Tensor:
    """A Python string as a staged one."""
    return apply(find("text"), parts=(text,))


def cast(value: Any, wanted: Type) -> Tensor:
    """`value` as a Tensor of exactly that type, which must be able to hold it (see
    `types.unify`)."""
    if isinstance(value, Tensor) and value.type == wanted:
        return value
    if isinstance(value, Tensor) and value.type == NOTHING:  # of an empty list: no run has it
        return Tensor(*record_op(find("zero"), (), {"type": wanted})[0])
    if isinstance(wanted, TupleType):
        return Tensor(*record_op(find("pack"), tuple(map(cast, value, wanted.places)), {})[0])
    tensor = staged_string(value) if type(value) is str else staged(value)
    if isinstance(wanted, UnionType):
        return tensor if tensor.type == wanted else apply(find("option"), tensor, type=wanted)
    if isinstance(wanted, PythonType):
        if tensor.type != wanted:
            tensor = apply(find("number"), tensor, type=wanted)
        return tensor
    if isinstance(wanted, ListType):
        if tensor.type != wanted:
            tensor = apply(find("list_cast"), tensor, element=wanted.element)
        return tensor
    if isinstance(wanted, TensorType):
        if isinstance(tensor.type, PythonType | UnionType) or tensor.type.dtype != wanted.dtype:
            tensor = apply(find("cast"), tensor, dtype=wanted.dtype)
        if isinstance(wanted, BoxType) and not isinstance(tensor.type, BoxType):
            tensor = apply(find("box"), tensor)
        elif wanted.shape == () and isinstance(tensor.type, BoxType) and not is_array(wanted):
            tensor = apply(find("getitem"), tensor, at=())
        if tensor.type.shape != wanted.shape:
            tensor = apply(find("relax"), tensor, shape=wanted.shape)
    return tensor


def staged_type(value: Any) -> Type | None:
    """The type that a value has or would have as a Tensor; None if it cannot be staged."""
    if type(value) is str:
        return STRING
    return value.type if isinstance(value, Tensor) else type_of(value)
