"""Weak sets and tables of code objects, by identity."""

import weakref
from types import CodeType
from typing import Generic, TypeVar

T = TypeVar("T")


class CodeSet:
    """A weak set of code objects.

    Code objects with the same instructions are equal; the set compares by identity.
    """

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


class CodeTable(Generic[T]):
    """A weak table with code objects as keys."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[weakref.ref, T]] = {}

    def __setitem__(self, code: CodeType, value: T) -> None:
        key, known = id(code), self._known
        known[key] = weakref.ref(code, lambda _: known.pop(key, None)), value

    def get(self, code: CodeType) -> T | None:
        """The value for a code object, or None."""
        found = self._known.get(id(code))
        return None if found is None else found[1]
