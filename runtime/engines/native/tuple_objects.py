"""Tuples and None that enter a piece and leave it: their items are read, and made objects again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.engines.native import python_objects as objects
from runtime.engines.native import records
from runtime.engines.native.exits import Exit
from runtime.engines.native.kinds import NotLowered, components, is_record, zeros
from runtime.ir.graph import Value
from runtime.ir.types import NothingType, OptionalType, TupleType, Type

if TYPE_CHECKING:
    from runtime.engines.native.call_wrapper import Shell


def unboxed(shell: Shell, kind: TupleType, argument: str) -> list[str]:
    """The registers of a tuple or of a value that may be None; the piece is left for an object of
    another class."""
    if not is_record(kind):
        raise NotLowered(f"type {kind} is not that of a tuple of scalars")
    if isinstance(kind, OptionalType):
        return _unboxed_optional(shell, kind, argument)
    text = shell.text
    is_other = text.register(f"icmp ne ptr {shell.class_of(argument)}, {shell.of_class(tuple)}")
    text.leave_if(is_other, Exit.ARGUMENT)
    count = shell.field("i64", argument, objects.HEADER)
    text.leave_if(text.register(f"icmp ne i64 {count}, {len(kind.places)}"), Exit.ARGUMENT)
    found: list[str] = []
    for i, place in enumerate(kind.places):
        item = shell.field("ptr", argument, objects.FIRST_ITEM + 8 * i)
        found += _taken(shell, place, item)
    return found


def _taken(shell: Shell, kind: Type, argument: str) -> tuple[str, ...]:
    one = Value(kind, "item")
    shell.take(one, argument)
    return shell.emitter.held[one]


def _unboxed_optional(shell: Shell, kind: OptionalType, argument: str) -> list[str]:
    text = shell.text
    none = text.object("none", None)
    is_none = text.register(f"icmp eq ptr {argument}, {none}")
    if isinstance(kind.present, NothingType):
        text.leave_if(text.register(f"xor i1 {is_none}, true"), Exit.ARGUMENT)
        return [is_none]
    there, join, before = text.label("present"), text.label("joined"), text.block
    text.line(f"br i1 {is_none}, label %{join}, label %{there}")
    text.start(there)
    found = _taken(shell, kind.present, argument)
    after = text.block
    text.line(f"br label %{join}")
    text.start(join)
    ways = zip(components(kind.present), zeros(kind.present), found, strict=True)
    return [
        is_none,
        *(
            text.register(f"phi {type} [{zero}, %{before}], [{register}, %{after}]")
            for type, zero, register in ways
        ),
    ]


def boxed(shell: Shell, value: Value) -> str:
    """A reference to a new tuple, or to None."""
    kind, text = value.type, shell.text
    if isinstance(kind, OptionalType):
        return _boxed_optional(shell, value, kind)
    assert isinstance(kind, TupleType)
    make = shell.function("PyTuple_New", "ptr", "i64")
    new = text.register(f"call ptr {make}(i64 {len(kind.places)})")
    text.fail_if_null(new)
    holder = Value(kind, "tuple")
    shell.emitter.ownership.define(holder, new)
    for i, one in enumerate(records.items(shell.emitter, value)):
        item = shell.box(one)
        text.fail_if_null(item)
        place = text.register(f"getelementptr i8, ptr {new}, i64 {objects.FIRST_ITEM + 8 * i}")
        text.line(f"store ptr {item}, ptr {place}")
    shell.emitter.ownership.forget(holder)
    return new


def _boxed_optional(shell: Shell, value: Value, kind: OptionalType) -> str:
    text, none = shell.text, shell.text.object("none", None)
    is_none = shell.emitter.held[value][0]
    nothing, there, join = (text.label(stem) for stem in ("none", "present", "joined"))
    text.line(f"br i1 {is_none}, label %{nothing}, label %{there}")
    text.start(nothing)
    text.line(f"call void {shell.function('Py_IncRef', 'void', 'ptr')}(ptr {none})")
    text.line(f"br label %{join}")
    text.start(there)
    found = none
    if not isinstance(kind.present, NothingType):
        found = shell.box(records.present_value(shell.emitter, value))
    block = text.block
    text.line(f"br label %{join}")
    text.start(join)
    return text.register(f"phi ptr [{none}, %{nothing}], [{found}, %{block}]")
