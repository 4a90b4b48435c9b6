"""Lowerings of arrays: their elements are read and written one by one, with bounds checks.

An array is held as its object, the address of its first element, and the sizes that the type does
not know.  Arrays are contiguous in C order: others leave the piece at its entry.

An index that is out of bounds leaves the piece.  A write takes the memory of the array if no other
owner sees it (`ownership.py`), and a copy of it otherwise.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from runtime.analyses.intervals import Interval
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.exits import Exit
from runtime.engines.native.facts import INSIDE
from runtime.engines.native.kinds import (
    INTEGER,
    TRUTH,
    Kind,
    NotLowered,
    element_type,
    kind_of,
    kind_of_dtype,
    may_be_python,
    part_of,
    part_of_dtype,
)
from runtime.engines.native.lowering import lowers
from runtime.engines.native.text import Text
from runtime.ir.graph import Node, Operand, Value, operand_type
from runtime.ir.slot import Slot
from runtime.ir.types import TensorType, is_array

Indices = tuple[Any, ...]
MEMCPY = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)"
OBJECT, DATA, FIRST_SIZE = 0, 1, 2  # the registers of an array


def array_operand(emitter: Emitter, operand: Operand) -> tuple[Value, TensorType]:
    """An operand that is an array with dimensions and with an object, and its type."""
    if operand in emitter.views:
        raise NotLowered("the elements of a view have no machine code")
    return array_type_of(operand)


def array_type_of(operand: Operand) -> tuple[Value, TensorType]:
    """An operand that is an array with dimensions, or a view of one, and its type."""
    kind = operand_type(operand)
    is_known = isinstance(operand, Value) and isinstance(kind, TensorType) and is_array(kind)
    if not is_known or not isinstance(kind, TensorType) or not kind.ndim:
        raise NotLowered(f"type {kind} is not that of an array with dimensions")
    assert isinstance(operand, Value)
    return operand, kind


def sizes_of(emitter: Emitter, value: Value, kind: TensorType) -> list[str]:
    """The sizes of an array: constants, or registers."""
    unknown = iter(emitter.held[value][DATA + 1 :])
    return [str(size) if isinstance(size, int) else next(unknown) for size in kind.shape]


def product(text: Text, sizes: Sequence[str]) -> str:
    """The number of elements."""
    found = "1"
    for size in sizes:
        if found.isdigit() and size.isdigit():
            found = str(int(found) * int(size))
        elif found == "1":
            found = size
        else:
            found = text.register(f"mul i64 {found}, {size}")
    return found


# -- elements --------------------------------------------------------------------------------------


def address(emitter: Emitter, value: Value, kind: TensorType, at: Indices, indices: Indices) -> str:
    """The address of the element at a subscript of integers, which leaves the piece if there is
    none."""
    text = emitter.text
    if len(at) != kind.ndim:
        raise NotLowered("a subscript that selects more than one element has no machine code")
    sizes = sizes_of(emitter, value, kind)
    place = "0"
    for part, size in zip(at, sizes, strict=True):
        index = index_inside(emitter, part, indices, size)
        scaled = place if place == "0" else text.register(f"mul i64 {place}, {size}")
        place = index if scaled == "0" else text.register(f"add i64 {scaled}, {index}")
    element = element_type(kind.dtype)
    data = emitter.held[value][DATA]
    return text.register(f"getelementptr {element}, ptr {data}, i64 {place}")


def index_inside(emitter: Emitter, part: object, indices: Indices, size: str) -> str:
    """An index that counts from the front and is inside."""
    operand = indices[part.index] if isinstance(part, Slot) else part
    if isinstance(operand, bool) or not isinstance(operand, int | Value):
        raise NotLowered("a subscript that selects more than one element has no machine code")
    kind = kind_of(operand_type(operand))
    if not kind.is_integer or kind == Kind("u", 64):
        raise NotLowered("only signed integers are subscripts in machine code")
    text, index = emitter.text, emitter.scalar(operand, INTEGER)
    found, facts = emitter.facts.interval(operand), emitter.facts
    if found.low < 0:
        below = text.register(f"icmp slt i64 {index}, 0")
        from_end = text.register(f"add i64 {index}, {size}")
        index = text.register(f"select i1 {below}, i64 {from_end}, i64 {index}")
    most = Interval(-int(size), int(size) - 1) if size.isdigit() else INSIDE
    is_inside = size.isdigit() and found.within(most)
    if not is_inside and not (found.low >= 0 and facts.is_below(operand, size)):
        text.leave_if(text.register(f"icmp uge i64 {index}, {size}"), Exit.INDEX)
    facts.narrow(operand, most)
    return index


@lowers("getitem")
def getitem(emitter: Emitter, node: Node) -> None:
    value, kind = array_operand(emitter, node.inputs[0])
    if is_array(node.output.type):
        raise NotLowered("a subscript that selects more than one element has no machine code")
    where = address(emitter, value, kind, node.attributes["at"], node.inputs[1:])
    load(emitter, node, kind.dtype, where)


def load(emitter: Emitter, node: Node, dtype: Any, where: str) -> None:
    """Makes the element at an address the result of a node."""
    part = part_of_dtype(dtype)
    found = emitter.text.register(f"load {element_type(dtype)}, ptr {where}")
    if part is not None:
        emitter.held[node.output] = emitter.unpaired(found, part)
        return
    if kind_of_dtype(dtype) == TRUTH:
        found = emitter.text.register(f"icmp ne i8 {found}, 0")
    emitter.held[node.output] = (found,)


@lowers("setitem")
def setitem(emitter: Emitter, node: Node) -> None:
    value, kind = array_operand(emitter, node.inputs[0])
    new = stored_element(emitter, node.inputs[1], kind.dtype)
    unshare(emitter, node, value, kind)
    where = address(emitter, node.output, kind, node.attributes["at"], node.inputs[2:])
    emitter.text.line(f"store {element_type(kind.dtype)} {new}, ptr {where}")


def stored_element(emitter: Emitter, operand: Operand, dtype: Any) -> str:
    """A scalar as an element of an array, whose elements may be complex."""
    part = part_of_dtype(dtype)
    if part is not None:
        return emitter.pair(operand, part)
    return stored(emitter, operand, kind_of_dtype(dtype))


def stored(emitter: Emitter, operand: Operand, element: Kind) -> str:
    """A scalar as an element of an array that it is assigned to."""
    type, text = operand_type(operand), emitter.text
    have = kind_of(type)
    if not isinstance(operand, Value):
        found = emitter.scalar(operand, element)
    else:
        found = emitter.own(operand)
        if have.is_integer and element.is_integer:
            emitter.leave_unfit(have, element, found)
        if have == INTEGER and element.is_float and may_be_python(type):
            emitter.leave_if_inexact(operand)
        found = emitter.converted(found, have, element)
    return text.register(f"zext i1 {found} to i8") if element == TRUTH else found


def unshare(emitter: Emitter, node: Node, value: Value, kind: TensorType) -> None:
    """Makes the result of a node an array with the elements of an operand that the node may write
    into: the same one, if it has no other owner and is not used again."""
    owners, held = emitter.ownership, emitter.held[value]
    made: tuple[str, ...]
    if not owners.is_last_use(value, node):
        made = copied(emitter, kind, sizes_of(emitter, value, kind), held[DATA])
    else:
        made = held[:FIRST_SIZE] if value in owners.sole else sole(emitter, value, kind)
        owners.forget(value, owners.uses.place(node)[0])
    emitter.held[node.output] = (*made, *held[FIRST_SIZE:])
    owners.define(node.output, made[OBJECT])
    owners.sole.add(node.output)


def sole(emitter: Emitter, value: Value, kind: TensorType) -> tuple[str, str]:
    """The object and data of an array that nothing else owns: those of a value, or a copy in place
    of them, if there is another owner."""
    text, owners, held = emitter.text, emitter.ownership, emitter.held[value]
    same, other, join = (text.label(stem) for stem in ("own", "shared", "joined"))
    count = text.register(f"load i32, ptr {held[OBJECT]}")
    is_own = text.register(f"icmp eq i32 {count}, 1")
    text.line(f"br i1 {is_own}, label %{same}, label %{other}")
    text.start(other)
    made = copied(emitter, kind, sizes_of(emitter, value, kind), held[DATA])
    owners.drop(value)
    block = text.block
    text.line(f"br label %{join}")
    text.start(same)
    text.line(f"br label %{join}")
    text.start(join)
    found, data = (
        text.register(f"phi ptr [{held[i]}, %{same}], [{made[i]}, %{block}]")
        for i in (OBJECT, DATA)
    )
    return found, data


# -- new arrays ------------------------------------------------------------------------------------


def allocated(emitter: Emitter, kind: TensorType, sizes: Sequence[str]) -> tuple[str, str]:
    """A new array with a reference, and the address of its first element."""
    return emitter.storage.allocated(emitter.text, emitter.ownership, kind, sizes)


def copied(emitter: Emitter, kind: TensorType, sizes: Sequence[str], data: str) -> tuple[str, str]:
    """A new array with the elements at an address."""
    text, made = emitter.text, allocated(emitter, kind, sizes)
    text.count_work(product(text, sizes))
    count = text.register(f"mul i64 {product(text, sizes)}, {kind.dtype.itemsize}")
    name = "llvm.memcpy.p0.p0.i64"
    text.declare(name, MEMCPY)
    text.line(f"call void @{name}(ptr {made[DATA]}, ptr {data}, i64 {count}, i1 false)")
    return made


def copy(emitter: Emitter, node: Node) -> None:
    """The lowering of a copy of an array that has an object."""
    value, kind = array_operand(emitter, node.inputs[0])
    made = copied(emitter, kind, sizes_of(emitter, value, kind), emitter.held[value][DATA])
    emitter.held[node.output] = (*made, *emitter.held[value][DATA + 1 :])
    emitter.ownership.define(node.output, made[OBJECT])
    emitter.ownership.sole.add(node.output)


@lowers("constant")
def constant(emitter: Emitter, node: Node) -> None:
    value = node.attributes["value"]
    kind = node.output.type
    if not is_array(kind):
        part, number = part_of(kind), value.item()
        if part is not None:
            emitter.held[node.output] = tuple(emitter.parts(number, part))
            return
        emitter.held[node.output] = (emitter.scalar(number, kind_of(kind)),)
        return
    if (
        not isinstance(kind, TensorType)
        or not value.ndim
        or not (value.flags.c_contiguous or not any(value.strides))
        or not value.flags.aligned
    ):
        raise NotLowered("a constant that is not contiguous has no machine code")
    if not value.flags.c_contiguous:  # one number, repeated
        value = np.ascontiguousarray(value)
    element_type(value.dtype)
    data = emitter.storage.constant(emitter.text, value)
    made = copied(emitter, kind, [str(size) for size in value.shape], data)
    emitter.held[node.output] = made
    emitter.ownership.define(node.output, made[OBJECT])


@lowers("full")
def full(emitter: Emitter, node: Node) -> None:
    kind, text = node.output.type, emitter.text
    if not isinstance(kind, TensorType) or not kind.ndim:
        raise NotLowered(f"type {kind} is not that of an array with dimensions")
    element = element_type(kind.dtype)
    new = stored_element(emitter, node.inputs[0], kind.dtype)
    unknown = [emitter.scalar(operand, INTEGER) for operand in node.inputs[1:]]
    for operand, size in zip(node.inputs[1:], unknown, strict=True):
        if not kind_of(operand_type(operand)).is_integer:
            raise NotLowered("a size that is not an integer has no machine code")
        most = 1 << (LARGEST // kind.ndim)
        text.leave_outside(INTEGER, size, 0, most, Exit.SIZE)
        emitter.facts.narrow(operand, Interval(0, most))
        emitter.facts.note_size(size, operand)
    given = iter(unknown)
    sizes = [str(size) if size is not None else next(given) for size in _shape(node)]
    made = allocated(emitter, kind, sizes)
    text.count_work(product(text, sizes))
    fill(text, element, made[DATA], product(text, sizes), new)
    dynamic = [s for s, known in zip(sizes, kind.shape, strict=True) if not isinstance(known, int)]
    emitter.held[node.output] = (*made, *dynamic)
    emitter.ownership.define(node.output, made[OBJECT])
    emitter.ownership.sole.add(node.output)


# An array of more elements than 2 to this power is none that fits into memory: NumPy says so.
LARGEST = 40


def _shape(node: Node) -> Indices:
    shape = node.attributes["shape"]
    return (shape,) if isinstance(shape, int) or shape is None else tuple(shape)


def fill(text: Text, element: str, data: str, count: str, value: str) -> None:
    """Stores one value in consecutive elements."""
    before, body, done = text.block, text.label("fill"), text.label("filled")
    is_empty = text.register(f"icmp eq i64 {count}, 0")
    text.line(f"br i1 {is_empty}, label %{done}, label %{body}")
    text.start(body)
    place, after = text.fresh(), text.fresh()
    text.line(f"{place} = phi i64 [0, %{before}], [{after}, %{body}]")
    where = text.register(f"getelementptr {element}, ptr {data}, i64 {place}")
    text.line(f"store {element} {value}, ptr {where}")
    text.line(f"{after} = add i64 {place}, 1")
    more = text.register(f"icmp ult i64 {after}, {count}")
    text.line(f"br i1 {more}, label %{body}, label %{done}")
    text.start(done)


@lowers("size")
def size(emitter: Emitter, node: Node) -> None:
    if (view := emitter.views.get(node.inputs[0])) is not None:
        emitter.held[node.output] = (view.sizes[node.attributes["axis"]],)
    else:
        value, kind = array_operand(emitter, node.inputs[0])
        emitter.held[node.output] = (sizes_of(emitter, value, kind)[node.attributes["axis"]],)
    emitter.facts.narrow(node.output, Interval(0, INSIDE.high))
