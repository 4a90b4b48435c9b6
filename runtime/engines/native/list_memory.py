"""The memory of lists in machine code: who owns it, and how it grows.

    own, with room      the same memory
    otherwise           a copy with room for twice as many elements, which nothing else owns

A list is held as the object that has its memory, the address of its first element, its length, the
number of elements that there is room for, and the list of Python that entered the piece and has the
same elements, or null.  The object is an array of bytes, so references are counted as those of
arrays are (`ownership.py`): a list that has no other owner grows in place.
"""

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from runtime.analyses.liveness import Uses
from runtime.engines.native import arrays, key_tables, storage
from runtime.engines.native import python_objects as objects
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.exits import Exit
from runtime.engines.native.kinds import NotLowered, is_item, is_list, is_row
from runtime.engines.native.list_elements import itemsize
from runtime.engines.native.row_memory import rows_grown
from runtime.ir.graph import Node, Operand, Value, operand_type
from runtime.ir.types import ListType, Type

ROOM = 8  # elements of a new list that may grow
MOST = 1 << 40  # elements: no list of more fits into memory, and Python says so
HEADER = 16  # bytes before the elements, where lists are rows: the length of a row, and the room


class Held(NamedTuple):
    """The registers of a list."""

    object: str
    data: str
    length: str
    capacity: str
    origin: str = "null"


def list_operand(
    emitter: Emitter, operand: Operand, of_all: bool = False
) -> tuple[Value, Type, Held]:
    """An operand that is a list of scalars or tuples, or also of arrays or lists; the type of its
    elements, and its registers."""
    kind = operand_type(operand)
    if not isinstance(operand, Value) or not isinstance(kind, ListType) or not is_list(kind):
        raise NotLowered(f"type {kind} is not that of a list of numbers")
    if not of_all and (is_item(kind.element) or is_row(kind.element)):
        raise NotLowered(f"the operation on a list of {kind.element} has no machine code")
    return operand, kind.element, Held(*emitter.held[operand])


GROWN = """
define internal ptr @list_grown(ptr %data, i64 %used, i64 %bytes) noinline {{
  %size = alloca i64
  store i64 %bytes, ptr %size
  call void @Py_IncRef(ptr {dtype})
  %new = call ptr {make}(ptr {array}, ptr {dtype}, i32 1, ptr %size, ptr null,
    ptr null, i32 0, ptr null)
  %none = icmp eq ptr %new, null
  br i1 %none, label %fails, label %fills
fails:
  call void @PyErr_Clear()
  ret ptr null
fills:
  %place = getelementptr i8, ptr %new, i64 {offset}
  %start = load ptr, ptr %place
  %first = getelementptr i8, ptr %start, i64 {header}
  call void @llvm.memcpy.p0.p0.i64(ptr %first, ptr %data, i64 %used, i1 false)
  ret ptr %new
}}
"""


def grown(emitter: Emitter, element: Type, held: Held | None, capacity: str) -> tuple[str, str]:
    """New memory with room for some elements, of which the first are those of a list; the piece is
    left if there is no such memory."""
    text, size = emitter.text, itemsize(element)
    if is_row(element):
        data, length = ("null", "0") if held is None else (held.data, held.length)
        new = rows_grown(emitter, data, length, capacity)
        text.leave_if(text.register(f"icmp eq ptr {new}, null"), Exit.MEMORY)
        return new, storage.data_of(text, new)
    declare_grown(emitter)
    used = "0" if held is None else text.register(f"mul i64 {held.length}, {size}")
    data = "null" if held is None else held.data
    header = header_of(emitter)
    room = text.register(f"add i64 {text.register(f'mul i64 {capacity}, {size}')}, {header}")
    new = text.register(f"call ptr @list_grown(ptr {data}, i64 {used}, i64 {room})")
    text.leave_if(text.register(f"icmp eq ptr {new}, null"), Exit.MEMORY)
    start = storage.data_of(text, new)
    if header:
        place = text.register(f"getelementptr i8, ptr {start}, i64 8")
        text.line(f"store i64 {capacity}, ptr {place}")
        start = text.register(f"getelementptr i8, ptr {start}, i64 {header}")
    return new, start


_with_rows: WeakKeyDictionary[Uses, bool] = WeakKeyDictionary()


def header_of(emitter: Emitter) -> int:
    """The bytes before the elements of a list, whose place in another list may be that of a row."""
    uses = emitter.ownership.uses
    if uses not in _with_rows:
        kinds = {value.type for value in uses.home if isinstance(value.type, ListType)}
        _with_rows[uses] = any(is_row(kind.element) for kind in kinds)
    return HEADER if _with_rows[uses] else 0


def declare_grown(emitter: Emitter) -> None:
    """Defines the function that makes memory."""
    text = emitter.text
    dtype = storage.dtype_object(text, np.dtype(np.uint8))
    array = text.object("class_ndarray", np.ndarray)
    make = storage.maker(text)
    emitter.ownership.counts()
    for name, declaration in (
        ("PyErr_Clear", "declare void @PyErr_Clear()"),
        ("llvm.memcpy.p0.p0.i64", arrays.MEMCPY),
    ):
        is_python = name.startswith("Py")
        text.declare(name, declaration, objects.python_function(name) if is_python else None)
    offset = objects.ARRAY_DATA
    header = header_of(emitter)
    facts = {"dtype": dtype, "array": array, "make": make, "offset": offset, "header": header}
    text.declare("list_grown", GROWN.format(**facts))


def define(emitter: Emitter, value: Value, held: Held) -> None:
    """Makes registers those of a list, which owns its memory."""
    emitter.held[value] = tuple(held)
    emitter.ownership.define(value, held.object)


def made(emitter: Emitter, value: Value, element: Type, length: str, held: Held | None) -> Held:
    """A new list of a length, the result of a node; its first elements are those of another."""
    capacity = emitter.text.register(f"add i64 {length}, {ROOM}")
    found = Held(*grown(emitter, element, held, capacity), length, capacity)
    define(emitter, value, found)
    emitter.ownership.sole.add(value)
    return found


def own(emitter: Emitter, node: Node, result: Value, grows: bool) -> tuple[Type, Held]:
    """Makes a result of a node a list with the elements of the first operand that the node may
    write into: in its memory, if it has no other owner and is not used again."""
    owners = emitter.ownership
    value, element, held = list_operand(emitter, node.inputs[0], True)
    room = owners.room.get(value, 0)
    if owners.is_last_use(value, node):
        found = sole(emitter, value, element, "1" if grows and not room else "0")
        owners.forget(value, owners.uses.place(node)[0])
    else:
        found = _copied(emitter, value, element, held.length)
    if grows and room:
        owners.room[result] = room - 1
    found = found._replace(origin="null")
    define(emitter, result, found)
    owners.sole.add(result)
    return element, found


def _copied(emitter: Emitter, value: Value, element: Type, more: str, besides: int = ROOM) -> Held:
    """A copy of a list with room for as many elements, if it is known to have room, or for some
    more and a few besides."""
    text, held = emitter.text, Held(*emitter.held[value])
    capacity = held.capacity
    if not emitter.ownership.room.get(value):
        needed = text.register(f"add i64 {held.length}, {more}")
        capacity = text.register(f"add i64 {needed}, {besides}")
    return Held(*grown(emitter, element, held, capacity), held.length, capacity, held.origin)


def sole(emitter: Emitter, value: Value, element: Type, room: str) -> Held:
    """The list that a value holds, without another owner and with room for more elements: in its
    memory, or a copy in its place."""
    text, owners = emitter.text, emitter.ownership
    held, tests = Held(*emitter.held[value]), []
    if value not in owners.sole:
        count = text.register(f"load i32, ptr {held.object}")
        tests.append(text.register(f"icmp eq i32 {count}, 1"))
    if room != "0":
        needed = text.register(f"add i64 {held.length}, {room}")
        tests.append(text.register(f"icmp ule i64 {needed}, {held.capacity}"))
    if not tests:
        return held
    is_usable = tests[0] if len(tests) == 1 else text.register(f"and i1 {tests[0]}, {tests[1]}")
    same, other, join = (text.label(stem) for stem in ("own", "shared", "joined"))
    text.line(f"br i1 {is_usable}, label %{same}, label %{other}")
    text.start(other)
    if room in ("0", "1"):
        new = _copied(emitter, value, element, held.length)
    else:  # a list that was empty has room for the elements of a loop then, and for no others
        more = text.register(f"add i64 {held.length}, {room}")
        new = _copied(emitter, value, element, more, 0)
    key_tables.move_table(emitter, value, held.object, new.object)
    owners.drop(value)
    block = text.block
    text.line(f"br label %{join}")
    text.start(same)
    text.line(f"br label %{join}")
    text.start(join)
    ways = (held.object, new.object), (held.data, new.data), (held.capacity, new.capacity)
    registers = [
        text.register(f"phi {type} [{one}, %{same}], [{another}, %{block}]")
        for type, (one, another) in zip(("ptr", "ptr", "i64"), ways, strict=True)
    ]
    return Held(registers[0], registers[1], held.length, registers[2], held.origin)
