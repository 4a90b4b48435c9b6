"""Lists that become arrays: in their own memory, where nothing else owns it and it is full.

    an array of bytes, the memory of a list          the object is the result
    [0, 0, 0, 0, 0, 0, 0, 0, 1, ...]         ->      [0, 1, ...]

The object gets another dtype, size and stride; its memory has the bytes that NumPy would allocate.
A list that a counted loop has filled has such a memory (`rewriting.py`).  Others are copied.
"""

from runtime.engines.native import arrays, key_tables, storage
from runtime.engines.native import python_objects as objects
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.kinds import is_item
from runtime.engines.native.list_memory import Held, header_of
from runtime.ir.graph import Node, Value
from runtime.ir.types import ListType, TensorType


def array_of(emitter: Emitter, node: Node, value: Value, kind: TensorType) -> tuple[str, str]:
    """An array with the elements of a list, which are numbers or arrays: its object and data."""
    text, held = emitter.text, Held(*emitter.held[value])
    sizes = [held.length, *map(str, kind.shape[1:])]
    if not _may_be_taken(emitter, node, value):
        return arrays.copied(emitter, kind, sizes, held.data)
    take, copy, join = (text.label(stem) for stem in ("take", "copy", "joined"))
    is_full = text.register(f"icmp eq i64 {held.length}, {held.capacity}")
    if value not in emitter.ownership.sole:
        count = text.register(f"load i32, ptr {held.object}")
        is_sole = text.register(f"icmp eq i32 {count}, 1")
        is_full = text.register(f"and i1 {is_full}, {is_sole}")
    text.line(f"br i1 {is_full}, label %{take}, label %{copy}")
    text.start(copy)
    new = arrays.copied(emitter, kind, sizes, held.data)
    ways = [(text.block, [*new])]
    text.line(f"br label %{join}")
    text.start(take)
    _become_array(emitter, held, kind)
    emitter.ownership.forget(value)
    ways.append((text.block, [held.object, held.data]))
    text.line(f"br label %{join}")
    text.start(join)
    found, data = text.joined(("ptr", "ptr"), ways)
    return found, data


def _may_be_taken(emitter: Emitter, node: Node, value: Value) -> bool:
    """Whether the memory of a list, which holds numbers and nothing else, may become an array."""
    assert isinstance(value.type, ListType)
    is_plain = not is_item(value.type.element) and not header_of(emitter)
    is_last = emitter.ownership.is_last_use(value, node)
    return is_plain and is_last and not key_tables.is_searched(emitter, value)


def _become_array(emitter: Emitter, held: Held, kind: TensorType) -> None:
    """Makes the array of bytes that has the memory of a list one of numbers."""
    text = emitter.text
    dtype = storage.dtype_object(text, kind.dtype)
    emitter.ownership.share(dtype)
    fields = {
        place: text.register(f"getelementptr i8, ptr {held.object}, i64 {place}")
        for place in (objects.ARRAY_DTYPE, objects.ARRAY_SHAPE, objects.ARRAY_STRIDES)
    }
    old = text.register(f"load ptr, ptr {fields[objects.ARRAY_DTYPE]}")
    text.line(f"store ptr {dtype}, ptr {fields[objects.ARRAY_DTYPE]}")
    text.line(f"call void @drop(ptr {old})")
    numbers = ((objects.ARRAY_SHAPE, held.length), (objects.ARRAY_STRIDES, kind.dtype.itemsize))
    for place, number in numbers:
        where = text.register(f"load ptr, ptr {fields[place]}")
        text.line(f"store i64 {number}, ptr {where}")
