"""What the recording of a graph has changed for good: plain values in objects and containers.

    o.name = "a"                the recording writes it, and no run does
    o.items.append(x)           each run appends a value
    if x > 0: raise             the first run ends here: the Python function is called

Such a call of the Python function makes all changes of the program up to the exception.  Within the
call that has recorded the graph, those of the recording are undone before.
"""

from typing import Any

from autograph.staging import memory
from autograph.staging.accessors import accessor_of
from autograph.staging.heap_diff import HeapSnapshot
from autograph.staging.object_state import MISSING
from runtime.tracing.stand_ins import plain


class RecordedChanges:
    """The changes since a snapshot of the heap, which can be undone and made again."""

    def __init__(self, heap: HeapSnapshot | None = None):
        slots = [] if heap is None else heap.changes()
        changed = {id(slot.container): slot.container for slot in slots}.values()
        self._contents = [_Change(one, heap.before(one)) for one in changed] if heap else []
        rewritten = [] if heap is None else list(heap.rewritten())
        self._memory = [(one, heap.contents(one), memory.contents(one)) for one, _ in rewritten]

    @property
    def is_empty(self) -> bool:
        """Whether nothing has changed."""
        return not (self._contents or self._memory)

    def undo(self) -> None:
        """Gives the objects and containers what they held before."""
        for change in self._contents:
            change.write(change.before)
        for one, held, _ in self._memory:
            memory.fill(one, held)

    def redo(self) -> None:
        """Gives them what they held after the recording."""
        for change in self._contents:
            change.write(change.after)
        for one, _, held in self._memory:
            memory.fill(one, held)


class _Change:
    """The contents of a container before and after the recording."""

    def __init__(self, container: Any, before: dict):
        self.container, self.before = container, before
        self.after = accessor_of(container).read(container)

    def write(self, contents: dict) -> None:
        """Gives the container these contents, but for elements that are there and have not changed:
        where the recording had a stand-in, the container has the array again."""
        accessor = accessor_of(self.container)
        now = accessor.read(self.container)
        held = {
            key: now[key] if key in now and self._is_unchanged(key) else plain(value)
            for key, value in contents.items()
        }
        accessor.fill(self.container, held)

    def _is_unchanged(self, key):
        return self.before.get(key, MISSING) is self.after.get(key, MISSING)


NOTHING_RECORDED = RecordedChanges()
