"""What aliases remembered before a trial of a loop changed it, to be undone with the trial."""

from typing import Any


class AliasHistory:
    """What aliases remembered before they changed, as long as a trial may be undone."""

    def __init__(self) -> None:
        self._changes: list[tuple[Any, Any, Any]] = []
        self._trials = 0

    def add(self, alias: Any) -> None:
        """Notes what an alias remembers, which is about to change."""
        if self._trials:
            self._changes.append((alias, alias._now, alias._seen))

    def begin(self) -> int:
        """Begins a trial; returns its position."""
        self._trials += 1
        return len(self._changes)

    def undo(self, position: int) -> None:
        """Makes the aliases remember what they did at the beginning of a trial."""
        for alias, now, seen in reversed(self._changes[position:]):
            alias._now, alias._seen = now, seen
        del self._changes[position:]

    def end(self, position: int) -> None:
        """Ends a trial."""
        self._trials -= 1
        if not self._trials:
            self._changes.clear()
