"""Lists of Python that enter a piece and leave it: their numbers are read, and made objects again.

A list that leaves as it entered is the same object, and so are two results that are one list.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from runtime.engines.native import list_elements, list_memory, list_rows
from runtime.engines.native.exits import Exit
from runtime.engines.native.kernels.counting import Counted
from runtime.engines.native.kinds import NotLowered, is_item, is_row
from runtime.ir.graph import Operand, Value
from runtime.ir.types import ListType, Type
from runtime.ops.dict_keys import KeyList

if TYPE_CHECKING:
    from runtime.engines.native.call_wrapper import Shell


def unbox_list(shell: Shell, value: Value, kind: ListType, argument: str) -> None:
    """Reads the elements of a list; the piece is left if one has another type."""
    text, emitter = shell.text, shell.emitter
    if is_row(kind.element):
        raise NotLowered("a list of lists that enters a call has no machine code")
    if is_item(kind.element):
        raise NotLowered("a list of arrays that enters a call has no machine code")
    found_class = shell.class_of(argument)
    is_other = [
        text.register(f"icmp ne ptr {found_class}, {shell.of_class(one)}")
        for one in (list, KeyList)
    ]
    text.leave_if(text.register(f"and i1 {is_other[0]}, {is_other[1]}"), Exit.ARGUMENT)
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
    value, element, held = list_memory.list_operand(emitter, operand, True)
    if is_item(element):
        raise NotLowered(f"a list of {element} that leaves has no machine code")
    known = held.origin
    for other, kind, made in shell.lists:
        if kind == value.type:
            is_same = text.register(f"icmp eq ptr {held.object}, {other}")
            known = text.register(f"select i1 {is_same}, ptr {made}, ptr {known}")
    have, make, join = (text.label(stem) for stem in ("have", "make", "joined"))
    is_known = text.register(f"icmp ne ptr {known}, null")
    text.line(f"br i1 {is_known}, label %{have}, label %{make}")
    text.start(make)
    new = _new(shell, held)
    emitter.ownership.define(Value(value.type, "list"), new)
    _fill(shell, new, element, held)
    block = text.block
    text.line(f"br label %{join}")
    text.start(have)
    text.line(f"br label %{join}")
    text.start(join)
    found = text.register(f"phi ptr [{known}, %{have}], [{new}, %{block}]")
    shell.lists.append((held.object, value.type, found))
    emitter.ownership.share(found)
    return found


def _fill(shell: Shell, new: str, element: Type, held: list_memory.Held) -> None:
    """Makes the elements of a list objects, in a new list of Python.

    The piece is left if a row has another owner: Python may have that list in two places.
    """
    text, emitter = shell.text, shell.emitter
    put = shell.function("PyList_SetItem", "i32", "ptr, i64, ptr")
    loop = Counted(text, held.length)
    where = list_elements.place_of(text, held.data, element, loop.index)
    if isinstance(element, ListType):
        row = list_rows.at(emitter, where)
        count = text.register(f"load i32, ptr {row.object}")
        text.leave_if(text.register(f"icmp ne i32 {count}, 1"), Exit.SHARED)
        item = _new(shell, row)
    else:
        one = Value(element, "item")
        emitter.held[one] = list_elements.loaded(text, element, where)
        item = shell.box(one)
        text.fail_if_null(item)
    text.register(f"call i32 {put}(ptr {new}, i64 {loop.index}, ptr {item})")
    if isinstance(element, ListType):
        _fill(shell, item, element.element, row)
    loop.close()


def _new(shell: Shell, held: list_memory.Held) -> str:
    """A new list of Python without its elements."""
    make = shell.function("PyList_New", "ptr", "i64")
    new = shell.text.register(f"call ptr {make}(i64 {held.length})")
    shell.text.fail_if_null(new)
    return new
