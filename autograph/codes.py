"""Sets of code objects, by identity, which keep nothing alive."""

import weakref
from types import CodeType


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
