"""Methods of lists in machine code that make another list, or search one.

    z[1:n]            a copy of some elements, one after the other in memory
    z.insert(i, x)    in the list's memory, if nothing else owns it: elements after i move
    z.reverse()       a copy
    x in z            of integers and bools, one after the other

The last one is left to NumPy's program for other elements: Python compares objects before numbers.
"""

from collections.abc import Callable, Sequence

from runtime.engines.native import key_tables
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.kernels.counting import Counted, minimum
from runtime.engines.native.kinds import INTEGER, Kind, NotLowered, kind_of
from runtime.engines.native.list_elements import (
    copied_bytes,
    itemsize,
    loaded,
    moved_bytes,
    place_of,
    registers_of,
    store,
)
from runtime.engines.native.list_memory import Held, list_operand, made, own
from runtime.engines.native.lowering import lowers
from runtime.ir.graph import Node, Operand, Value, operand_type
from runtime.ir.slot import Slot
from runtime.ir.types import Type

Given = Sequence[object]


def _operand(node: Node, part: object) -> object:
    return node.inputs[part.index] if isinstance(part, Slot) else part


def _bound(emitter: Emitter, given: object, length: str) -> str:
    """A place from 0 to the length of a list, as Python understands an index beyond its ends."""
    if isinstance(given, bool) or not isinstance(given, int | Value):
        raise NotLowered("the bounds of a part of a list are integers in machine code")
    kind, text = kind_of(operand_type(given)), emitter.text
    if not kind.is_integer or kind == Kind("u", 64):
        raise NotLowered("the bounds of a part of a list are integers in machine code")
    index = emitter.scalar(given, INTEGER)
    below = text.register(f"icmp slt i64 {index}, 0")
    from_end = text.register(f"add i64 {index}, {length}")
    index = text.register(f"select i1 {below}, i64 {from_end}, i64 {index}")
    is_before = text.register(f"icmp slt i64 {index}, 0")
    return minimum(text, text.register(f"select i1 {is_before}, i64 0, i64 {index}"), length)


def sliced(emitter: Emitter, node: Node, element: Type, held: Held, given: Given) -> None:
    """Some elements that follow one another."""
    (at,) = given
    if not isinstance(at, slice) or at.step not in (None, 1) or isinstance(at.step, bool):
        raise NotLowered("a part of a list in steps has no machine code")
    text, ends = emitter.text, [_operand(node, end) for end in (at.start, at.stop)]
    low = "0" if ends[0] is None else _bound(emitter, ends[0], held.length)
    high = held.length if ends[1] is None else _bound(emitter, ends[1], held.length)
    difference = text.register(f"sub i64 {high}, {low}")
    is_empty = text.register(f"icmp slt i64 {difference}, 0")
    length = text.register(f"select i1 {is_empty}, i64 0, i64 {difference}")
    found = made(emitter, node.output, element, length, None)
    size = text.register(f"mul i64 {length}, {itemsize(element)}")
    copied_bytes(text, found.data, place_of(text, held.data, element, low), size)


def inserted(emitter: Emitter, node: Node, element: Type, held: Held, given: Given) -> None:
    """The list with one more element at a place."""
    at, new = (_operand(node, part) for part in given)
    if not isinstance(new, bool | int | float | Value):
        raise NotLowered("a value of this type that is inserted has no machine code")
    text, item = emitter.text, registers_of(emitter, new, element)
    index = _bound(emitter, at, held.length)
    _, found = own(emitter, node, node.output, grows=True)
    key_tables.note_moved(emitter, node.output, found.object)
    where = place_of(text, found.data, element, index)
    after = text.register(f"getelementptr i8, ptr {where}, i64 {itemsize(element)}")
    count = text.register(f"sub i64 {found.length}, {index}")
    moved_bytes(text, after, where, text.register(f"mul i64 {count}, {itemsize(element)}"))
    store(text, element, where, item)
    longer = text.register(f"add i64 {found.length}, 1")
    emitter.held[node.output] = tuple(found._replace(length=longer))


def backwards(emitter: Emitter, node: Node, element: Type, held: Held, given: Given) -> None:
    """The elements in the other order."""
    text = emitter.text
    found = made(emitter, node.output, element, held.length, None)
    loop, last = Counted(text, held.length), text.register(f"sub i64 {held.length}, 1")
    item = loaded(text, element, place_of(text, held.data, element, loop.index))
    place = text.register(f"sub i64 {last}, {loop.index}")
    store(text, element, place_of(text, found.data, element, place), item)
    loop.close()


METHODS: dict[str, Callable[[Emitter, Node, Type, Held, Given], None]] = {
    "__getitem__": sliced,
    "insert": inserted,
    "reverse": backwards,
}


@lowers("list_asked")
def asked(emitter: Emitter, node: Node) -> None:
    if node.attributes["by"] != "__contains__":
        raise NotLowered(f"{node.attributes['by']} of a list has no machine code")
    _, element, held = list_operand(emitter, node.inputs[0])
    (part,) = node.attributes["given"]
    wanted = _operand(node, part)
    if not isinstance(wanted, bool | int | Value):
        raise NotLowered("only integers are looked for in lists by machine code")
    number, kind = _integer(emitter, wanted), kind_of(element)
    if not _is_signed(kind):
        raise NotLowered("only integers are looked for in lists by machine code")
    text, found = emitter.text, emitter.text.local("i1")
    text.line(f"store i1 false, ptr {found}")
    loop = Counted(text, held.length)
    have, *_ = loaded(text, element, place_of(text, held.data, element, loop.index))
    have = emitter.converted(have, kind, INTEGER)
    is_same = text.register(f"icmp eq i64 {have}, {number}")
    before = text.register(f"load i1, ptr {found}")
    text.line(f"store i1 {text.register(f'or i1 {before}, {is_same}')}, ptr {found}")
    loop.close()
    emitter.held[node.output] = (text.register(f"load i1, ptr {found}"),)


def _is_signed(kind: Kind) -> bool:
    return kind.family in "bi"


def _integer(emitter: Emitter, operand: Operand) -> str:
    """A scalar that is looked for, as an integer."""
    kind = kind_of(operand_type(operand))
    if not _is_signed(kind):
        raise NotLowered("only integers are looked for in lists by machine code")
    return emitter.converted(emitter.own(operand), kind, INTEGER)
