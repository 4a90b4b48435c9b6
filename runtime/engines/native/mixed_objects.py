"""Scalars of which a run decides the kind, that enter a piece and leave it as objects."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.engines.native import mixed_scalars
from runtime.engines.native.exits import Exit
from runtime.engines.native.kinds import components, kinds_of, options_of, zeros
from runtime.ir.graph import Value
from runtime.ir.types import PythonType, Type

if TYPE_CHECKING:
    from runtime.engines.native.call_wrapper import Shell


def unboxed(shell: Shell, type: Type, argument: str) -> tuple[str, ...]:
    """The registers of a scalar; the piece is left for an object of another class."""
    text, join = shell.text, shell.text.label("joined")
    found = shell.class_of(argument)
    ways = []
    for kind in kinds_of(type):
        of_kind = mixed_scalars.of_kind(type, kind)
        classes = [_class_of(option) for option in options_of(of_kind)]
        bits = [text.register(f"icmp eq ptr {found}, {shell.of_class(one)}") for one in classes]
        is_one = bits[0] if len(bits) == 1 else text.register(f"or i1 {bits[0]}, {bits[1]}")
        there, other = text.label("kind"), text.label("other")
        text.line(f"br i1 {is_one}, label %{there}, label %{other}")
        text.start(there)
        one = Value(of_kind, "item")
        shell.take(one, argument)
        registers = [r for _, r in shell.emitter.registers(one, type)]
        ways.append((text.block, registers))
        text.line(f"br label %{join}")
        text.start(other)
    text.leave(Exit.ARGUMENT)
    ways.append((text.block, zeros(type)))
    text.line(f"br label %{join}")
    text.start(join)
    return text.joined(components(type), ways)


def boxed(shell: Shell, value: Value) -> str:
    """A reference to a new object; null if there is no memory."""
    text, join = shell.text, shell.text.label("joined")
    ways = []
    for one in mixed_scalars.by_kind(shell.emitter, value):
        found = shell.box(one)
        ways.append((text.block, [found]))
        text.line(f"br label %{join}")
    text.start(join)
    (result,) = text.joined(["ptr"], ways)
    return result


def _class_of(option: Type) -> type:
    return option.kind if isinstance(option, PythonType) else option.dtype.type
