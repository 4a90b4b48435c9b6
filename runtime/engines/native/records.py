"""Tuples and values that may be None, in registers.

    (i, x)              the registers of i and x
    (i, (x, y))         those of i, x and y
    None or x           a bit that says whether it is None, and the registers of x, zeros if it is

So they are variables of loops, results of branches and elements of lists as scalars are, and no
object holds them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from runtime.engines.native.kinds import (
    NotLowered,
    components,
    is_number,
    is_record,
    options_of,
    zeros,
)
from runtime.ir.graph import Operand, Value, operand_type
from runtime.ir.types import OptionalType, TupleType, Type

if TYPE_CHECKING:
    from runtime.engines.native.emitter import Emitter

Scalar = Callable[[Operand, Type], list[str]]


def items(emitter: Emitter, value: Value) -> list[Value]:
    """The items of a tuple, each a value of its own."""
    assert isinstance(value.type, TupleType)
    rest, found = list(emitter.held[value]), []
    for place in value.type.places:
        count = len(components(place))
        found.append(Value(place, value.hint))
        emitter.held[found[-1]] = tuple(rest[:count])
        del rest[:count]
    return found


def present_value(emitter: Emitter, value: Value) -> Value:
    """What a value that may be None holds if it is not."""
    assert isinstance(value.type, OptionalType)
    found = Value(value.type.present, value.hint)
    emitter.held[found] = emitter.held[value][1:]
    return found


def kept_registers(emitter: Emitter, operand: Operand, like: Type) -> list[str]:
    """The registers of a scalar or tuple as a value of a type that has its type, or says that the
    run decides among types of which it has one.  Raises `NotLowered` for other types."""

    def scalar(operand: Operand, like: Type) -> list[str]:
        if not set(options_of(operand_type(operand))) <= set(options_of(like)):
            raise NotLowered(f"{operand_type(operand)} in place of {like} has no machine code")
        return [register for _, register in emitter.registers(operand, like)]

    return _registers(emitter, operand, like, scalar)


def cast_registers(emitter: Emitter, operand: Operand, like: Type) -> list[str]:
    """The registers of a scalar or tuple, converted to another type."""

    def scalar(operand: Operand, like: Type) -> list[str]:
        return [register for _, register in emitter.registers(operand, like)]

    return _registers(emitter, operand, like, scalar)


def _registers(emitter: Emitter, operand: Operand, like: Type, scalar: Scalar) -> list[str]:
    have = operand_type(operand)
    if isinstance(operand, Value) and have == like:
        return list(emitter.held[operand])
    if is_number(like):
        return scalar(operand, like)
    if not is_record(like):
        raise NotLowered(f"a value of type {like} has no machine code")
    if isinstance(like, OptionalType):
        return _optional_registers(emitter, operand, like, scalar)
    if not isinstance(operand, Value) or not isinstance(have, TupleType) or not is_record(have):
        raise NotLowered(f"{have} in place of {like} has no machine code")
    assert isinstance(like, TupleType)
    if isinstance(have, OptionalType) or len(have.places) != len(like.places):
        raise NotLowered(f"{have} in place of {like} has no machine code")
    parts = zip(items(emitter, operand), like.places, strict=True)
    return [
        register for part, place in parts for register in _registers(emitter, part, place, scalar)
    ]


def _optional_registers(
    emitter: Emitter, operand: Operand, like: OptionalType, scalar: Scalar
) -> list[str]:
    have = operand_type(operand)
    if not isinstance(have, OptionalType):
        return ["false", *_registers(emitter, operand, like.present, scalar)]
    assert isinstance(operand, Value)
    is_none = emitter.held[operand][0]
    if not is_record(have):
        raise NotLowered(f"{have} in place of {like} has no machine code")
    if not components(have)[1:]:
        return [is_none, *zeros(like.present)]
    return [is_none, *_registers(emitter, present_value(emitter, operand), like.present, scalar)]
