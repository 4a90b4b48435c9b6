"""Lists in machine code: memory that grows.

    xs.append(v)       stores v after the last element; where there is no room, in twice the memory

A list is held as the object that has its memory, the address of its first element, its length, the
number of elements that there is room for, and the list of Python that entered the piece and has the
same elements, or null.  The object is an array of bytes, so references are counted as those of
arrays are (`ownership.py`): a list that has no other owner grows in place.  `list_elements.py` says
how elements lie in the memory.

Arrays of one shape are copied into the list, in the code of a whole call only: no other code sees
that list, so none can tell that an item is another array.
"""

from runtime.engines.native import arrays
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.exits import Exit
from runtime.engines.native.kernels.counting import Counted, minimum
from runtime.engines.native.kinds import (
    INTEGER,
    NotLowered,
    is_item,
    is_list,
    is_record,
    kind_of,
    kind_of_dtype,
)
from runtime.engines.native.list_elements import (
    copied_bytes,
    itemsize,
    loaded,
    place_of,
    registers_of,
    store,
)
from runtime.engines.native.list_memory import Held, define, list_operand, made, own
from runtime.engines.native.lowering import lowers
from runtime.engines.native.records import cast_registers
from runtime.ir.graph import Node, Operand, Value, operand_type
from runtime.ir.slot import Slot
from runtime.ir.types import ListType, TensorType, Type, UnionType

MOST = 1 << 40  # elements: no list of more fits into memory, and Python says so


# -- operations ------------------------------------------------------------------------------------


@lowers("list_new")
def list_new(emitter: Emitter, node: Node) -> None:
    kind = node.output.type
    assert isinstance(kind, ListType)
    if not is_list(kind):
        raise NotLowered(f"type {kind} is not that of a list of numbers")
    if is_item(kind.element) and not emitter.is_whole:
        raise NotLowered("a list of arrays has machine code if all of a call has some")
    items = [registers_of(emitter, operand, kind.element) for operand in node.inputs]
    found = made(emitter, node.output, kind.element, str(len(items)), None)
    for i, item in enumerate(items):
        where = place_of(emitter.text, found.data, kind.element, str(i))
        store(emitter.text, kind.element, where, item)


@lowers("list_length")
def list_length(emitter: Emitter, node: Node) -> None:
    emitter.held[node.output] = (list_operand(emitter, node.inputs[0], True)[2].length,)


@lowers("list_append")
def list_append(emitter: Emitter, node: Node) -> None:
    text, element = emitter.text, list_operand(emitter, node.inputs[0], True)[1]
    item = registers_of(emitter, node.inputs[1], element)
    _, found = own(emitter, node, node.output, grows=True)
    store(text, element, place_of(text, found.data, element, found.length), item)
    longer = text.register(f"add i64 {found.length}, 1")
    emitter.held[node.output] = tuple(found._replace(length=longer))


@lowers("list_get")
def list_get(emitter: Emitter, node: Node) -> None:
    _, element, held = list_operand(emitter, node.inputs[0], True)
    index = arrays.index_inside(emitter, node.inputs[1], (), held.length)
    where = place_of(emitter.text, held.data, element, index)
    if not is_item(element):
        emitter.held[node.output] = loaded(emitter.text, element, where)
        return
    assert isinstance(element, TensorType)
    new = arrays.copied(emitter, element, [str(size) for size in element.shape], where)
    emitter.held[node.output] = new
    emitter.ownership.define(node.output, new[arrays.OBJECT])


@lowers("list_set")
def list_set(emitter: Emitter, node: Node) -> None:
    _, element, held = list_operand(emitter, node.inputs[0])
    item = registers_of(emitter, node.inputs[2], element)
    index = arrays.index_inside(emitter, node.inputs[1], (), held.length)
    _, found = own(emitter, node, node.output, grows=False)
    store(emitter.text, element, place_of(emitter.text, found.data, element, index), item)


@lowers("list_pop")
def list_pop(emitter: Emitter, node: Node) -> None:
    text = emitter.text
    _, element, held = list_operand(emitter, node.inputs[0])
    index = arrays.index_inside(emitter, node.inputs[1], (), held.length)
    shorter = text.register(f"sub i64 {held.length}, 1")
    rest, item = node.outputs
    _, found = own(emitter, node, rest, grows=False)
    where = place_of(text, found.data, element, index)
    emitter.held[item] = loaded(text, element, where)
    if node.inputs[1] != -1 or isinstance(node.inputs[1], Value):
        after = text.register(f"getelementptr i8, ptr {where}, i64 {itemsize(element)}")
        moved = text.register(f"sub i64 {shorter}, {index}")
        size = text.register(f"mul i64 {moved}, {itemsize(element)}")
        name = "llvm.memmove.p0.p0.i64"
        text.declare(name, f"declare void @{name}(ptr, ptr, i64, i1)")
        text.line(f"call void @{name}(ptr {where}, ptr {after}, i64 {size}, i1 false)")
    emitter.held[rest] = tuple(found._replace(length=shorter))


@lowers("list_cast")
def list_cast(emitter: Emitter, node: Node) -> None:
    text, kind = emitter.text, node.output.type
    value, element, held = list_operand(emitter, node.inputs[0])
    if not isinstance(kind, ListType) or not is_list(kind):
        raise NotLowered(f"type {kind} is not that of a list of numbers")
    if _has_same_bytes(element, kind.element):
        emitter.ownership.sole.discard(value)
        emitter.ownership.share(held.object)
        define(emitter, node.output, held._replace(origin="null"))
        return
    found = made(emitter, node.output, kind.element, held.length, None)
    one = Value(element, "item")
    loop = Counted(text, held.length)
    emitter.held[one] = loaded(text, element, place_of(text, held.data, element, loop.index))
    item = cast_registers(emitter, one, kind.element)
    store(text, kind.element, place_of(text, found.data, kind.element, loop.index), item)
    loop.close()


def _has_same_bytes(element: Type, other: Type) -> bool:
    """Whether a conversion from one type of elements to another changes no byte of a list."""
    if any(isinstance(one, UnionType) or is_record(one) for one in (element, other)):
        return False
    return kind_of(element) == kind_of(other)


# -- joining and repeating -------------------------------------------------------------------------


@lowers("list_stack", "list_joined")
def stacked(emitter: Emitter, node: Node) -> None:
    """An array of the elements; the NumPy program raises for an empty list where NumPy does."""
    text, kind = emitter.text, node.output.type
    _, element, held = list_operand(emitter, node.inputs[0])
    if node.op.name == "list_joined":
        if node.attributes["by"] != "stack" or node.attributes["given"]:
            raise NotLowered("the elements of a list of numbers are stacked in machine code only")
        text.leave_if(text.register(f"icmp eq i64 {held.length}, 0"), Exit.INDEX)
    target = kind_of(element)
    if not isinstance(kind, TensorType) or kind.ndim != 1 or kind_of_dtype(kind.dtype) != target:
        raise NotLowered(f"a list of {element} as {kind} has no machine code")
    (size,) = kind.shape
    if isinstance(size, int):
        text.leave_if(text.register(f"icmp ne i64 {held.length}, {size}"), Exit.SHAPE)
    if isinstance(element, UnionType):
        new = arrays.allocated(emitter, kind, [held.length])
        loop = Counted(text, held.length)
        number = text.register(
            f"load {target.memory}, ptr {place_of(text, held.data, element, loop.index)}"
        )
        where = text.register(f"getelementptr {target.memory}, ptr {new[1]}, i64 {loop.index}")
        text.line(f"store {target.memory} {number}, ptr {where}")
        loop.close()
    else:
        new = arrays.copied(emitter, kind, [held.length], held.data)
    emitter.held[node.output] = new if isinstance(size, int) else (*new, held.length)
    emitter.ownership.define(node.output, new[arrays.OBJECT])


@lowers("list_made")
def list_made(emitter: Emitter, node: Node) -> None:
    _, element, held = list_operand(emitter, node.inputs[0])
    given = [
        node.inputs[part.index] if isinstance(part, Slot) else part
        for part in node.attributes["given"]
    ]
    if node.attributes["by"] == "__mul__":
        _repeated(emitter, node, element, held, given[0])
    elif node.attributes["by"] == "__add__":
        _, other, others = list_operand(emitter, given[0])
        if other != element:
            raise NotLowered("lists of different types are added by Python")
        _added(emitter, node, element, held, others)
    else:
        raise NotLowered("the method of lists has no machine code")


def _added(emitter: Emitter, node: Node, element: Type, held: Held, others: Held) -> None:
    text = emitter.text
    length = text.register(f"add i64 {held.length}, {others.length}")
    found = made(emitter, node.output, element, length, held)
    size = text.register(f"mul i64 {others.length}, {itemsize(element)}")
    copied_bytes(text, place_of(text, found.data, element, held.length), others.data, size)


def _repeated(emitter: Emitter, node: Node, element: Type, held: Held, times: Operand) -> None:
    """A list several times: the memory that is filled doubles until it is full."""
    text, kind = emitter.text, kind_of(operand_type(times))
    if isinstance(times, bool) or not kind.is_integer or (kind.family, kind.bits) == ("u", 64):
        raise NotLowered("a list times a value of this type has no machine code")
    count = emitter.scalar(times, INTEGER)
    below = text.register(f"icmp slt i64 {count}, 0")
    count = text.register(f"select i1 {below}, i64 0, i64 {count}")
    text.leave_outside(INTEGER, count, 0, MOST, Exit.SIZE)
    text.leave_outside(INTEGER, held.length, 0, 1 << 20, Exit.SIZE)
    length = text.register(f"mul i64 {held.length}, {count}")
    text.leave_outside(INTEGER, length, 0, MOST, Exit.SIZE)
    first = minimum(text, held.length, length)
    found = made(emitter, node.output, element, length, held._replace(length=first))
    filled = text.local("i64")
    text.line(f"store i64 {first}, ptr {filled}")
    again, body, done = (text.label(stem) for stem in ("fill", "part", "filled"))
    text.line(f"br label %{again}")
    text.start(again)
    have = text.register(f"load i64, ptr {filled}")
    more = text.register(f"icmp slt i64 {have}, {length}")
    text.line(f"br i1 {more}, label %{body}, label %{done}")
    text.start(body)
    part = minimum(text, have, text.register(f"sub i64 {length}, {have}"))
    size = text.register(f"mul i64 {part}, {itemsize(element)}")
    copied_bytes(text, place_of(text, found.data, element, have), found.data, size)
    text.line(f"store i64 {text.register(f'add i64 {have}, {part}')}, ptr {filled}")
    text.line(f"br label %{again}")
    text.start(done)
