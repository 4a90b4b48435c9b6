"""Marks on code objects, and weak sets and tables of them.

Code objects with the same instructions are equal; sets and tables compare by identity.
"""

import functools
import weakref
from collections.abc import Callable
from types import CodeType
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Mark:
    """A mark on code objects: their last constant, which no instruction reads.

    A marked code object needs no entry in a table, and copies of it are marked, too.
    """

    def __init__(self, name: str, *narrower: "Mark"):
        """`narrower` marks imply this one; `name` is the name of its variable in this module."""
        self._name = name
        self._implied_by = (self, *narrower)

    def on(self, code: CodeType) -> CodeType:
        """`code` with the mark."""
        return code if code in self else code.replace(co_consts=(*code.co_consts, self))

    def __contains__(self, code: CodeType) -> bool:
        constants = code.co_consts
        return bool(constants) and constants[-1] in self._implied_by

    def __reduce__(self) -> str:
        return self._name


BLOCKS = Mark("BLOCKS")  # code that was made from blocks of functions
MADE = Mark("MADE", BLOCKS)  # code of converted functions, and all code inside them


class CodeSet:
    """A weak set of code objects."""

    def __init__(self) -> None:
        self._known: dict[int, weakref.ref] = {}

    def add(self, code: CodeType) -> None:
        """Adds a code object."""
        key, known = id(code), self._known
        known[key] = weakref.ref(code, lambda _: known.pop(key, None))

    def __contains__(self, code: CodeType) -> bool:
        return id(code) in self._known

    def __len__(self) -> int:
        return len(self._known)


class _Entry(weakref.ref):
    """A code object, weakly, with its value in a table."""

    __slots__ = ("key", "value")


class CodeTable(Generic[T]):
    """A weak table with code objects as keys."""

    def __init__(self) -> None:
        self._known: dict[int, Any] = {}  # an `_Entry` each
        known = self._known
        self._forget = lambda entry: known.pop(entry.key, None)

    def __setitem__(self, code: CodeType, value: T) -> None:
        entry: Any = _Entry(code, self._forget)
        entry.key, entry.value = id(code), value
        self._known[entry.key] = entry

    def get(self, code: CodeType) -> T | None:
        """The value for a code object, or None."""
        found = self._known.get(id(code))
        return None if found is None else found.value


def once_per_code(function: Callable[[CodeType], T]) -> Callable[[CodeType], T]:
    """A decorator: the function is called once for each code object, and its result, which is not
    None, is kept as long as the code object exists."""
    table: CodeTable[T] = CodeTable()
    entries = table._known  # looked up here: most calls are about code that is known

    @functools.wraps(function)
    def known(code: CodeType) -> T:
        entry = entries.get(id(code))
        if entry is not None:
            return entry.value
        found = table[code] = function(code)
        return found

    return known
