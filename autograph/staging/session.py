"""A staging session: the state that neutral modules keep while one function is staged.

    session.state(NewObjects)       the state of a module, created on first use
    session.regions                 the blocks that are being staged, the innermost last

A backend's own trace may serve as its session if it has these two; `RegionStack` is one for
backends that have none.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Protocol, TypeVar

S = TypeVar("S")


class StagingSession(Protocol):
    """The part of a backend's trace that the neutral modules use."""

    @property
    def regions(self) -> Sequence[object]:
        """The blocks that are being staged, the outermost first; compared by `==`."""

    def state(self, kind: type[S]) -> S:
        """The state that a module keeps, created by `kind()` on first use."""


class RegionStack:
    """A session with a stack of open regions, each created by `new_region()`."""

    def __init__(self, new_region: Callable[[], Any] = object):
        self._new_region = new_region
        self.regions: list[Any] = [new_region()]
        self._states: dict[type, object] = {}

    def state(self, kind: type[S]) -> S:
        """The state that a module keeps, created by `kind()` on first use."""
        found = self._states.get(kind)
        if found is None:
            found = self._states[kind] = kind()
        return found  # type: ignore[return-value]

    @contextmanager
    def region(self, known: Any = None) -> Iterator[Any]:
        """Opens a new region inside the innermost one, or `known` again."""
        region = self._new_region() if known is None else known
        self.regions.append(region)
        try:
            yield region
        finally:
            self.regions.pop()
