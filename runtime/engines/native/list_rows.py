"""Lists of lists in machine code: the memory of the outer list holds references to its rows.

    memory of a row      its length, the room in it, its elements
    memory of the rows   an array of objects: those that have the memories of the rows

A row is held as any list is (`list_memory.py`).  Its length is written beside its elements when it
becomes a row: all values that share a memory have the same length, since a list is changed in place
only where nothing else owns it.  Freeing the memory of the rows drops the references to them.

    graph[u].append(v)        r = list_get(graph, u)          taken out of `graph`, if nothing else
                              r_1 = list_append(r, v)         owns the two
                              graph_1 = list_set(graph, u, r_1)

A row that is only read has no reference of its own.  Lists of lists enter no piece; where one
leaves, its rows are made Python's.  The piece is left if a row has another owner then: Python may
have one list in several places.
"""

from collections.abc import Callable

from runtime.analyses.liveness import Uses
from runtime.engines.native import storage
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.exits import Exit
from runtime.engines.native.kernels.counting import Counted
from runtime.engines.native.list_elements import place_of
from runtime.engines.native.list_memory import (
    HEADER,
    Held,
    list_operand,
    made,
    own,
)
from runtime.ir.graph import Graph, Node, Operand, Value
from runtime.ir.types import ListType

# op names: those that read, and those that change, a row in its place
READERS = ("list_get", "list_length", "observed")
# op names: each changes its first operand
CHANGES = ("list_append", "list_set", "list_pop")


def stored(emitter: Emitter, node: Node, operand: Operand, element: ListType, where: str) -> None:
    """Stores a list as the row at an address, which holds none; the row has a reference then."""
    text, owners = emitter.text, emitter.ownership
    value, _, held = list_operand(emitter, operand)
    assert value.type == element
    if held.origin != "null":  # a list of Python that entered the piece would have to come out
        text.leave_if(text.register(f"icmp ne ptr {held.origin}, null"), Exit.SHARED)
    size = text.register(f"getelementptr i8, ptr {held.data}, i64 -{HEADER}")
    text.line(f"store i64 {held.length}, ptr {size}")
    owners.pass_on(value, owners.is_last_use(value, node), owners.uses.place(node)[0])
    text.line(f"store ptr {held.object}, ptr {where}")


def at(emitter: Emitter, where: str) -> Held:
    """The registers of the row at an address."""
    text = emitter.text
    memory = text.register(f"load ptr, ptr {where}")
    start = storage.data_of(text, memory)
    data = text.register(f"getelementptr i8, ptr {start}, i64 {HEADER}")
    length = text.register(f"load i64, ptr {start}")
    room = text.register(f"getelementptr i8, ptr {start}, i64 8")
    return Held(memory, data, length, text.register(f"load i64, ptr {room}"))


def read(emitter: Emitter, node: Node, where: str) -> None:
    """A row of a list: in its place, if it is only read or comes back; or with a reference."""
    owners, outer = emitter.ownership, node.inputs[0]
    assert isinstance(outer, Value)
    held = at(emitter, where)
    emitter.held[node.output] = tuple(held)
    if is_read_in_place(owners.uses, node, lambda user: user.op.name in READERS):
        owners.views.setdefault(outer, []).append(node.output)
    elif comes_back(emitter, node):
        emitter.rows[node.output] = outer, where
    else:
        owners.share(held.object)
        owners.define(node.output, held.object)


def take(emitter: Emitter, value: Value) -> None:
    """Gives a row that is about to be changed its reference: the one of the list that it is in, if
    nothing else owns that list."""
    if value not in emitter.rows:
        return
    text, owners = emitter.text, emitter.ownership
    outer, where = emitter.rows.pop(value)
    row = emitter.held[value][0]
    if outer in owners.sole:
        text.line(f"store ptr null, ptr {where}")
    else:
        moved, shared, join = (text.label(stem) for stem in ("taken", "shared", "joined"))
        count = text.register(f"load i32, ptr {emitter.held[outer][0]}")
        is_sole = text.register(f"icmp eq i32 {count}, 1")
        text.line(f"br i1 {is_sole}, label %{moved}, label %{shared}")
        text.start(moved)
        text.line(f"store ptr null, ptr {where}")
        text.line(f"br label %{join}")
        text.start(shared)
        owners.share(row)
        text.line(f"br label %{join}")
        text.start(join)
    owners.define(value, row)


def replace(emitter: Emitter, node: Node, element: ListType, index: str) -> Held:
    """Replaces the row at an index of a list: op `list_set`."""
    text = emitter.text
    _, found = own(emitter, node, node.output, grows=False)
    where = place_of(text, found.data, element, index)
    old = text.register(f"load ptr, ptr {where}")
    stored(emitter, node, node.inputs[2], element, where)
    text.line(f"call void @drop(ptr {old})")
    emitter.ownership.counts()
    return found


def pop(emitter: Emitter, item: Value, where: str) -> None:
    """Gives a value the row at an address, which is taken out of its list."""
    held = at(emitter, where)
    emitter.held[item] = tuple(held)
    emitter.ownership.define(item, held.object)


def cast(emitter: Emitter, node: Node, held: Held, kinds: tuple[ListType, ListType]) -> None:
    """A list of empty rows whose elements get a type."""
    text, owners, (have, element) = emitter.text, emitter.ownership, kinds
    found = made(emitter, node.output, element, held.length, None)
    loop = Counted(text, held.length)
    old = at(emitter, place_of(text, held.data, have, loop.index))
    count = text.register(f"load i32, ptr {old.object}")
    text.leave_if(text.register(f"icmp ne i32 {count}, 1"), Exit.SHARED)
    text.leave_if(text.register(f"icmp ne i64 {old.length}, 0"), Exit.SHAPE)
    one = Value(element, "row")
    row = made(emitter, one, element.element, "0", None)
    text.line(
        f"store i64 0, ptr {text.register(f'getelementptr i8, ptr {row.data}, i64 -{HEADER}')}"
    )
    where = place_of(text, found.data, element, loop.index)
    text.line(f"store ptr {row.object}, ptr {where}")
    owners.forget(one)
    loop.close()


# -- where a row needs no reference ----------------------------------------------------------------


def _index_in(uses: Uses, node: Node, region: Graph) -> int | None:
    """The place, in a region, of a node or of the one around it; None outside of the region."""
    place: tuple[Graph, int] | None = uses.place(node)
    while place is not None and place[0] is not region:
        place = uses.place_around(place[0])
    return None if place is None else place[1]


def is_read_in_place(uses: Uses, node: Node, reads: Callable[[Node], bool]) -> bool:
    """Whether an item that is taken from a list is only read, and before the list changes."""
    if not uses.is_only_read_by(node.output, reads):
        return False
    region, _ = uses.place(node)
    places = [_index_in(uses, user, region) for user in uses.users.get(node.output, [])]
    last = max((place for place in places if place is not None), default=0)
    (outer, *_) = (operand for operand in node.inputs if isinstance(operand, Value))
    for user in uses.users[outer]:
        place = _index_in(uses, user, region)
        if user.op.name not in READERS and place is not None and place <= last:
            return False
    return True


def comes_back(emitter: Emitter, node: Node) -> bool:
    """Whether a row is changed and stored in its place, and the list is not used meanwhile."""
    uses, row, outer = emitter.ownership.uses, node.output, node.inputs[0]
    assert isinstance(outer, Value)
    region, _ = uses.place(node)
    users = uses.users.get(row, [])
    if len(users) != 1 or uses.count[row] != 1:
        return False
    (change,) = users
    if change.op.name not in CHANGES or change.inputs[0] is not row:
        return False
    stores = [
        user
        for user in uses.users.get(change.outputs[0], [])
        if user.op.name == "list_set"
        and user.inputs[0] is outer
        and user.inputs[2] is change.outputs[0]
        and _is_same(user.inputs[1], node.inputs[1])
    ]
    if len(stores) != 1 or any(uses.place(one)[0] is not region for one in (change, stores[0])):
        return False
    first, last = uses.place(change)[1], uses.place(stores[0])[1]
    for user in uses.users[outer]:
        place = _index_in(uses, user, region)
        if user is not stores[0] and place is not None and first < place <= last:
            return False
        is_before = place is not None and uses.place(node)[1] < place <= first
        if is_before and user.op.name not in READERS:
            return False
    return emitter.ownership.is_last_use(outer, stores[0])


def _is_same(one: Operand, other: Operand) -> bool:
    return one is other or type(one) is type(other) is int and one == other
