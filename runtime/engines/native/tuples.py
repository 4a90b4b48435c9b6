"""Lowerings of tuples and of values that may be None, as elements of lists (`records.py`)."""

from runtime.engines.native.emitter import Emitter
from runtime.engines.native.kinds import TRUTH, NotLowered, components, is_record, zeros
from runtime.engines.native.lowering import lowers
from runtime.engines.native.records import items, kept_registers
from runtime.ir.graph import Node, Value, operand_type
from runtime.ir.types import OptionalType, TupleType, Type


@lowers("pack")
def pack(emitter: Emitter, node: Node) -> None:
    kind = node.output.type
    assert isinstance(kind, TupleType)
    _check(kind)
    pairs = zip(node.inputs, kind.places, strict=True)
    emitter.held[node.output] = tuple(
        register for one, place in pairs for register in kept_registers(emitter, one, place)
    )


@lowers("unpack")
def unpack(emitter: Emitter, node: Node) -> None:
    (value,) = node.inputs
    kind = operand_type(value)
    _check(kind)
    if not isinstance(value, Value) or isinstance(kind, OptionalType):
        raise NotLowered(f"the items of {kind} have no machine code")
    for one, output in zip(items(emitter, value), node.outputs, strict=True):
        emitter.held[output] = emitter.held[one]


@lowers("optional")
def optional(emitter: Emitter, node: Node) -> None:
    kind, text = node.output.type, emitter.text
    _check(kind)
    assert isinstance(kind, OptionalType)
    is_none = emitter.scalar(node.inputs[0], TRUTH)
    value = kept_registers(emitter, node.inputs[1], kind.present)
    found = [
        text.register(f"select i1 {is_none}, {type} {zero}, {type} {register}")
        for type, zero, register in zip(
            components(kind.present), zeros(kind.present), value, strict=True
        )
    ]
    emitter.held[node.output] = (is_none, *found)


@lowers("is_none")
def is_none(emitter: Emitter, node: Node) -> None:
    emitter.held[node.output] = (emitter.held[_optional_operand(node)][0],)


@lowers("present")
def present(emitter: Emitter, node: Node) -> None:
    value = _optional_operand(node)
    assert isinstance(value.type, OptionalType)
    if value.type.present != node.output.type:
        raise NotLowered(f"{value.type} as {node.output.type} has no machine code")
    emitter.held[node.output] = emitter.held[value][1:]


def _optional_operand(node: Node) -> Value:
    """The operand, which may be None."""
    value = node.inputs[0]
    kind = operand_type(value)
    _check(kind)
    if not isinstance(value, Value) or not isinstance(kind, OptionalType):
        raise NotLowered(f"{kind} is not the type of a value that may be None")
    return value


def _check(kind: Type) -> None:
    """Raises `NotLowered` for a type that is not held as scalars."""
    if not is_record(kind):
        raise NotLowered(f"type {kind} is not that of a tuple of scalars")
