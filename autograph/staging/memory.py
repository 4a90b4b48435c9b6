"""Objects that keep their contents in memory of their own, not as Python objects.

    array.array("d", [1, 2])        two doubles
    mmap.mmap(-1, 8)                eight bytes
    Point(3, 4)                     a ctypes structure

Assignments, operators (`a *= 2`) and functions of libraries change them without a call that could
be rewritten.  So their bytes are compared.  A backend registers further types.
"""

import weakref
from array import array
from collections.abc import Callable
from typing import Any

Read = Callable[[Any], Any]  # the contents, as values that `==` compares without the user's code
Write = Callable[[Any, Any], None]

_registered: dict[type, tuple[Read, Write]] = {}
_known: weakref.WeakKeyDictionary[type, tuple[Read, Write] | None] = weakref.WeakKeyDictionary()


def register_memory(kind: type, read: Read, write: Write) -> None:
    """Registers how contents of a type are read, and put back."""
    _registered[kind] = read, write
    _known.clear()  # objects of the type may have been met before


def is_known(kind: type) -> bool:
    """Whether objects of a class keep contents in memory of their own."""
    return _functions_of(kind) is not None


def contents(value: object) -> Any:
    """The contents of an object; None if it keeps none in memory of its own."""
    known = _functions_of(type(value))
    try:
        return None if known is None else known[0](value)
    except (TypeError, ValueError, BufferError):  # it is closed, or released
        return None


def fill(value: object, held: Any) -> None:
    """Gives an object its contents of before."""
    known = _functions_of(type(value))
    assert known is not None
    known[1](value, held)


def _functions_of(kind: type) -> tuple[Read, Write] | None:
    try:
        return _known[kind]
    except KeyError:
        pass
    found = next((_registered[base] for base in kind.__mro__ if base in _registered), None)
    is_written_in_c = any(base.__module__ in ("_ctypes", "mmap") for base in kind.__mro__)
    if found is None and is_written_in_c:
        found = _bytes, _write_bytes
    _known[kind] = found
    return found


def _bytes(value):
    return memoryview(value).tobytes()


def _write_bytes(value, held):
    view = memoryview(value)
    if view.nbytes == len(held) and not view.readonly:
        view.cast("B")[:] = held


def _write_array(value, held):
    value[:] = array(value.typecode, held)


register_memory(array, _bytes, _write_array)
register_memory(memoryview, _bytes, _write_bytes)
