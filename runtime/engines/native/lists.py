"""Lists in machine code: memory that grows.

    xs.append(v)       stores v after the last element; where there is no room, in twice the memory

A list is held as the object that has its memory, the address of its first element, its length, the
number of elements that there is room for, and the list of Python that entered the piece and has the
same elements, or null.  The object is an array of bytes, so references are counted as those of
arrays are (`ownership.py`): a list that has no other owner grows in place.  `list_elements.py` says
how elements lie in the memory, and `list_rows.py` how lists are elements of lists.

Arrays of one shape are copied into the list, in the code of a whole call only: no other code sees
that list, so none can tell that an item is another array.  An item that only kernels read is a view
of the list's memory.
"""

from runtime.analyses.intervals import Interval
from runtime.analyses.liveness import Uses
from runtime.engines.native import arrays, key_tables, list_rows
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.exits import Exit
from runtime.engines.native.facts import INSIDE
from runtime.engines.native.kernels.counting import Counted, minimum
from runtime.engines.native.kernels.plan import is_kernel_node
from runtime.engines.native.kernels.products import is_product
from runtime.engines.native.kinds import (
    INTEGER,
    NotLowered,
    is_item,
    is_list,
    is_record,
    is_row,
    kind_of,
    kind_of_dtype,
)
from runtime.engines.native.list_adjoints import is_stack
from runtime.engines.native.list_arrays import array_of
from runtime.engines.native.list_elements import (
    copied_bytes,
    item_view,
    itemsize,
    loaded,
    moved_bytes,
    place_of,
    registers_of,
    store,
)
from runtime.engines.native.list_memory import MOST, Held, define, list_operand, made, own
from runtime.engines.native.list_methods import METHODS
from runtime.engines.native.lowering import lowers
from runtime.engines.native.records import cast_registers
from runtime.engines.native.text import Text
from runtime.ir.graph import Graph, Node, Operand, Value, operand_type
from runtime.ir.slot import Slot
from runtime.ir.types import ListType, NothingType, TensorType, Type, UnionType

SHARING = ("list_get", "list_length", "list_dropped")  # op names: they change no memory


# -- operations ------------------------------------------------------------------------------------


@lowers("list_new")
def list_new(emitter: Emitter, node: Node) -> None:
    kind = node.output.type
    assert isinstance(kind, ListType)
    if not is_list(kind):
        raise NotLowered(f"type {kind} is not that of a list of numbers")
    if is_item(kind.element) and not emitter.is_whole:
        raise NotLowered("a list of arrays has machine code if all of a call has some")
    of_rows = is_row(kind.element)
    items = [registers_of(emitter, one, kind.element) for one in node.inputs if not of_rows]
    found = made(emitter, node.output, kind.element, str(len(node.inputs)), None)
    for i, item in enumerate(items):
        where = place_of(emitter.text, found.data, kind.element, str(i))
        store(emitter.text, kind.element, where, item)
    if isinstance(kind.element, ListType) and is_row(kind.element):
        for i, operand in enumerate(node.inputs):
            where = place_of(emitter.text, found.data, kind.element, str(i))
            list_rows.stored(emitter, node, operand, kind.element, where)


@lowers("list_length")
def list_length(emitter: Emitter, node: Node) -> None:
    emitter.held[node.output] = (list_operand(emitter, node.inputs[0], True)[2].length,)
    emitter.facts.narrow(node.output, Interval(0, INSIDE.high))


@lowers("list_append")
def list_append(emitter: Emitter, node: Node) -> None:
    text, element = emitter.text, list_operand(emitter, node.inputs[0], True)[1]
    item = [] if is_row(element) else registers_of(emitter, node.inputs[1], element)
    _prepare(emitter, node)
    _, found = own(emitter, node, node.output, grows=True)
    where = place_of(text, found.data, element, found.length)
    if isinstance(element, ListType):
        list_rows.stored(emitter, node, node.inputs[1], element, where)
    else:
        store(text, element, where, item)
    longer = text.register(f"add i64 {found.length}, 1")
    emitter.held[node.output] = tuple(found._replace(length=longer))


@lowers("list_get")
def list_get(emitter: Emitter, node: Node) -> None:
    value, element, held = list_operand(emitter, node.inputs[0], True)
    index = arrays.index_inside(emitter, node.inputs[1], (), held.length)
    where = place_of(emitter.text, held.data, element, index)
    if is_row(element):
        list_rows.read(emitter, node, where)
        return
    if not is_item(element):
        emitter.held[node.output] = loaded(emitter.text, element, where)
        return
    assert isinstance(element, TensorType)
    if reads_in_place(emitter.ownership.uses, node):
        emitter.views[node.output] = item_view(element, where)
        emitter.ownership.views.setdefault(value, []).append(node.output)
        return
    new = arrays.copied(emitter, element, [str(size) for size in element.shape], where)
    emitter.held[node.output] = new
    emitter.ownership.define(node.output, new[arrays.OBJECT])


def _reads_a_view(node: Node) -> bool:
    """Whether a node reads arrays that have no object."""
    return is_kernel_node(node) or is_product(node)


def reads_in_place(uses: Uses, node: Node) -> bool:
    """Whether an item that is read needs no copy: kernels read it before the list changes."""
    if not uses.is_only_read_by(node.output, _reads_a_view):
        return False
    region, _ = uses.place(node)
    places = [uses.place(user) for user in uses.users.get(node.output, [])]
    if any(place is not region for place, _ in places):
        return False
    last = max((index for _, index in places), default=0)
    (value, *_) = (operand for operand in node.inputs if isinstance(operand, Value))
    for user in uses.users[value]:
        place: Graph | None = uses.place(user)[0]
        if user.op.name in SHARING or place is region and uses.place(user)[1] > last:
            continue
        while place is not None and place is not region:
            place = uses.around(place)
        if place is region:
            return False
    return True


@lowers("list_set")
def list_set(emitter: Emitter, node: Node) -> None:
    _, element, held = list_operand(emitter, node.inputs[0], True)
    if is_item(element):
        raise NotLowered(f"a change of an element of a list of {element} has no machine code")
    item = [] if is_row(element) else registers_of(emitter, node.inputs[2], element)
    index = arrays.index_inside(emitter, node.inputs[1], (), held.length)
    _prepare(emitter, node)
    if isinstance(element, ListType):
        list_rows.replace(emitter, node, element, index)
        return
    _, found = own(emitter, node, node.output, grows=False)
    key_tables.note_moved(emitter, node.output, found.object)
    store(emitter.text, element, place_of(emitter.text, found.data, element, index), item)


@lowers("list_pop")
def list_pop(emitter: Emitter, node: Node) -> None:
    text = emitter.text
    _, element, held = list_operand(emitter, node.inputs[0], True)
    if is_item(element):
        raise NotLowered(f"an element of a list of {element} is removed by NumPy's program")
    index = arrays.index_inside(emitter, node.inputs[1], (), held.length)
    shorter = text.register(f"sub i64 {held.length}, 1")
    rest, item = node.outputs
    _prepare(emitter, node)
    _, found = own(emitter, node, rest, grows=False)
    key_tables.note_moved(emitter, rest, found.object)
    where = place_of(text, found.data, element, index)
    if is_row(element):
        list_rows.pop(emitter, item, where)
    else:
        emitter.held[item] = loaded(text, element, where)
    if node.inputs[1] != -1 or isinstance(node.inputs[1], Value):
        _close_gap(text, element, where, text.register(f"sub i64 {shorter}, {index}"))
    if is_row(element):
        text.line(f"store ptr null, ptr {place_of(text, found.data, element, shorter)}")
    emitter.held[rest] = tuple(found._replace(length=shorter))


def _prepare(emitter: Emitter, node: Node) -> None:
    """Gives the first operand of a node that changes it a reference, if it is a row of a list."""
    if isinstance(node.inputs[0], Value):
        list_rows.take(emitter, node.inputs[0])


def _close_gap(text: Text, element: Type, where: str, count: str) -> None:
    """Moves some elements to the place of the element before them."""
    after = text.register(f"getelementptr i8, ptr {where}, i64 {itemsize(element)}")
    size = text.register(f"mul i64 {count}, {itemsize(element)}")
    moved_bytes(text, where, after, size)


@lowers("list_cast")
def list_cast(emitter: Emitter, node: Node) -> None:
    text, kind = emitter.text, node.output.type
    value, element, held = list_operand(emitter, node.inputs[0], True)
    if not isinstance(kind, ListType) or not is_list(kind) or is_item(element):
        raise NotLowered(f"type {kind} is not that of a list of numbers")
    if isinstance(element, ListType) and isinstance(kind.element, ListType):
        list_rows.cast(emitter, node, held, (element, kind.element))
        return
    if isinstance(element, NothingType):
        text.leave_if(text.register(f"icmp ne i64 {held.length}, 0"), Exit.SHAPE)
        made(emitter, node.output, kind.element, "0", None)
        return
    if _has_same_bytes(element, kind.element):
        owners = emitter.ownership
        is_last, is_sole = owners.is_last_use(value, node), value in owners.sole
        owners.pass_on(value, is_last, owners.uses.place(node)[0])
        if is_last and is_sole:
            owners.sole.add(node.output)
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
    value, element, held = list_operand(emitter, node.inputs[0], True)
    if node.op.name == "list_joined":
        if not is_stack(node):
            raise NotLowered("the elements of a list are only stacked in machine code")
        text.leave_if(text.register(f"icmp eq i64 {held.length}, 0"), Exit.INDEX)
    if not isinstance(kind, TensorType) or not _are_elements(element, kind):
        raise NotLowered(f"a list of {element} as {kind} has no machine code")
    size = kind.shape[0]
    if isinstance(size, int):
        text.leave_if(text.register(f"icmp ne i64 {held.length}, {size}"), Exit.SHAPE)
    if isinstance(element, UnionType):
        target = kind_of(element)
        new = arrays.allocated(emitter, kind, [held.length])
        loop = Counted(text, held.length)
        number = text.register(
            f"load {target.memory}, ptr {place_of(text, held.data, element, loop.index)}"
        )
        where = text.register(f"getelementptr {target.memory}, ptr {new[1]}, i64 {loop.index}")
        text.line(f"store {target.memory} {number}, ptr {where}")
        loop.close()
    else:
        new = array_of(emitter, node, value, kind)
    emitter.held[node.output] = new if isinstance(size, int) else (*new, held.length)
    emitter.ownership.define(node.output, new[arrays.OBJECT])


def _are_elements(element: Type, kind: TensorType) -> bool:
    """Whether the elements of a list of numbers or arrays, one after the other, are an array."""
    if isinstance(element, TensorType) and is_item(element):
        return kind.dtype == element.dtype and kind.shape[1:] == element.shape
    if is_row(element) or kind.ndim != 1:
        return False
    return kind_of_dtype(kind.dtype) == kind_of(element)


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
    elif node.attributes["by"] == "__delitem__":
        _deleted(emitter, node, held, given[0])
    elif method := METHODS.get(node.attributes["by"]):
        method(emitter, node, element, held, node.attributes["given"])
    else:
        raise NotLowered(f"{node.attributes['by']} of a list has no machine code")


def _added(emitter: Emitter, node: Node, element: Type, held: Held, others: Held) -> None:
    text = emitter.text
    length = text.register(f"add i64 {held.length}, {others.length}")
    found = made(emitter, node.output, element, length, held)
    size = text.register(f"mul i64 {others.length}, {itemsize(element)}")
    copied_bytes(text, place_of(text, found.data, element, held.length), others.data, size)


def _deleted(emitter: Emitter, node: Node, held: Held, at: Operand) -> None:
    """A list without one of its elements."""
    text = emitter.text
    index = arrays.index_inside(emitter, at, (), held.length)
    element, found = own(emitter, node, node.output, grows=False)
    key_tables.note_moved(emitter, node.output, found.object)
    shorter = text.register(f"sub i64 {held.length}, 1")
    where = place_of(text, found.data, element, index)
    _close_gap(text, element, where, text.register(f"sub i64 {shorter}, {index}"))
    emitter.held[node.output] = tuple(found._replace(length=shorter))


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
