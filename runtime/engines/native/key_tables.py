"""Where the hash table of a list of keys is: in the base of the object that has the list's memory.

`key_index.py` makes it and searches it.  Code that moves or replaces elements of a list says so
here, where the list may be searched.
"""

from weakref import WeakKeyDictionary

from runtime.analyses.liveness import Uses
from runtime.engines.native import python_objects as objects
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.text import Text
from runtime.engines.numpy.key_lists import searched_values
from runtime.ir.graph import Value

COUNT = 8  # the place of the number of keys in a table

_found: WeakKeyDictionary[Uses, set[Value]] = WeakKeyDictionary()


def is_searched(emitter: Emitter, value: Value) -> bool:
    """Whether a list of the graph is searched for keys, or one that comes from it is."""
    uses = emitter.ownership.uses
    if uses not in _found:
        _found[uses] = searched_values(uses.graph)
    return value in _found[uses]


def note_moved(emitter: Emitter, changed: Value, memory: str) -> None:
    """Notes that elements of a list, the result of an operation, have moved or are others."""
    if not is_searched(emitter, changed):
        return
    text = emitter.text
    table = table_of(text, memory)
    has_table, going_on = text.label("table"), text.label("on")
    none = text.register(f"icmp eq ptr {table}, null")
    text.line(f"br i1 {none}, label %{going_on}, label %{has_table}")
    text.start(has_table)
    text.line(f"store i64 -1, ptr {place(text, field(text, table, objects.ARRAY_DATA), COUNT)}")
    text.line(f"br label %{going_on}")
    text.start(going_on)


MOVED = f"""
define internal void @table_moved(ptr %old, ptr %new) noinline {{
  %count = load i32, ptr %old
  %is_sole = icmp eq i32 %count, 1
  br i1 %is_sole, label %moves, label %done
moves:
  %from = getelementptr i8, ptr %old, i64 {objects.ARRAY_BASE}
  %to = getelementptr i8, ptr %new, i64 {objects.ARRAY_BASE}
  %table = load ptr, ptr %from
  store ptr %table, ptr %to
  store ptr null, ptr %from
  br label %done
done:
  ret void
}}
"""


def move_table(emitter: Emitter, value: Value, old: str, new: str) -> None:
    """Gives the table of a list to a copy of it, if nothing else uses the list."""
    if is_searched(emitter, value):
        emitter.text.declare("table_moved", MOVED)
        emitter.text.line(f"call void @table_moved(ptr {old}, ptr {new})")


def place(text: Text, address: str, offset: int) -> str:
    """The address of a field."""
    return text.register(f"getelementptr i8, ptr {address}, i64 {offset}")


def field(text: Text, address: str, offset: int) -> str:
    """An address in a field of an object."""
    return text.register(f"load ptr, ptr {place(text, address, offset)}")


def table_of(text: Text, memory: str) -> str:
    """The object with the table of a list, or null."""
    return field(text, memory, objects.ARRAY_BASE)
