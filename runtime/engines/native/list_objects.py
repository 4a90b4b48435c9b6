"""Lists of Python that enter a piece and leave it: their numbers are read, and made objects again.

A list that leaves as it entered is the same object, and so are two results that are one list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.engines.native import list_elements, list_memory
from runtime.engines.native.exits import Exit
from runtime.engines.native.kernels.counting import Counted
from runtime.engines.native.kinds import NotLowered, is_item
from runtime.ir.graph import Operand, Value
from runtime.ir.types import ListType

if TYPE_CHECKING:
    from runtime.engines.native.call_wrapper import Shell


def unbox_list(shell: Shell, value: Value, kind: ListType, argument: str) -> None:
    """Reads the elements of a list; the piece is left if one has another type."""
    text, emitter = shell.text, shell.emitter
    if is_item(kind.element):
        raise NotLowered("a list of arrays that enters a call has no machine code")
    text.leave_if(
        text.register(f"icmp ne ptr {shell.class_of(argument)}, {shell.of_class(list)}"),
        Exit.ARGUMENT,
    )
    count = shell.function("PyList_Size", "i64", "ptr")
    length = text.register(f"call i64 {count}(ptr {argument})")
    found = list_memory.made(emitter, value, kind.element, length, None)
    emitter.held[value] = tuple(found._replace(origin=argument))
    get = shell.function("PyList_GetItem", "ptr", "ptr, i64")
    loop, one = Counted(text, length), Value(kind.element, "item")
    item = text.register(f"call ptr {get}(ptr {argument}, i64 {loop.index})")
    shell.take(one, item)
    where = list_elements.place_of(text, found.data, kind.element, loop.index)
    list_elements.store(text, kind.element, where, list(emitter.held[one]))
    loop.close()


def box_list(shell: Shell, operand: Operand) -> str:
    """A reference to a list of Python with the elements of a list."""
    text, emitter = shell.text, shell.emitter
    value, element, held = list_memory.list_operand(emitter, operand)
    known = held.origin
    for other, kind, made in shell.lists:
        if kind == value.type:
            is_same = text.register(f"icmp eq ptr {held.object}, {other}")
            known = text.register(f"select i1 {is_same}, ptr {made}, ptr {known}")
    have, make, join = (text.label(stem) for stem in ("have", "make", "joined"))
    is_known = text.register(f"icmp ne ptr {known}, null")
    text.line(f"br i1 {is_known}, label %{have}, label %{make}")
    text.start(make)
    new = text.register(f"call ptr {shell.function('PyList_New', 'ptr', 'i64')}(i64 {held.length})")
    text.fail_if_null(new)
    emitter.ownership.define(Value(value.type, "list"), new)
    put = shell.function("PyList_SetItem", "i32", "ptr, i64, ptr")
    loop, one = Counted(text, held.length), Value(element, "item")
    where = list_elements.place_of(text, held.data, element, loop.index)
    emitter.held[one] = list_elements.loaded(text, element, where)
    item = shell.box(one)
    text.fail_if_null(item)
    text.register(f"call i32 {put}(ptr {new}, i64 {loop.index}, ptr {item})")
    loop.close()
    block = text.block
    text.line(f"br label %{join}")
    text.start(have)
    text.line(f"br label %{join}")
    text.start(join)
    found = text.register(f"phi ptr [{known}, %{have}], [{new}, %{block}]")
    shell.lists.append((held.object, value.type, found))
    emitter.ownership.share(found)
    return found
