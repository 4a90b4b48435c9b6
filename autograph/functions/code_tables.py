"""Sets and tables of code objects, by identity, which keep none of them alive."""

import weakref
from types import CodeType
from typing import Generic, TypeVar

T = TypeVar("T")


class CodeSet:
    """Code objects that something is to be remembered about for as long as they are there.

    Code objects are equal where they do the same; here only the object itself counts.
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
    """What is remembered about code objects for as long as they are there."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[weakref.ref, T]] = {}

    def __setitem__(self, code: CodeType, value: T) -> None:
        key, known = id(code), self._known
        known[key] = weakref.ref(code, lambda _: known.pop(key, None)), value

    def get(self, code: CodeType) -> T | None:
        """What is remembered, or None."""
        found = self._known.get(id(code))
        return None if found is None else found[1]
