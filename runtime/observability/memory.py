"""The memory of a call, as Python's `tracemalloc` counts it: arrays of NumPy, and objects."""

import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

UNITS = ((1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"))


@dataclass(frozen=True)
class Memory:
    """Bytes that a call allocates.

    most    those that it holds at the same time, besides its arguments
    kept    those that it still holds at its end: its result, and variables that have grown
    """

    most: int
    kept: int

    def __str__(self) -> str:
        return f"at most {shown(self.most)} at once, of which {shown(self.kept)} are kept"


def shown(size: int) -> str:
    """A number of bytes in a suitable unit.

    >>> shown(1_536), shown(12)
    ('1.5 KiB', '12 bytes')
    """
    for unit, name in UNITS:
        if size >= unit:
            return f"{size / unit:.1f} {name}"
    return f"{size} bytes"


def measured(call: Callable[[], Any]) -> Memory:
    """The memory of a call; other threads' counts, too."""
    was_tracing = tracemalloc.is_tracing()
    if not was_tracing:
        tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        result = call()
        after, most = tracemalloc.get_traced_memory()
        del result
    finally:
        if not was_tracing:
            tracemalloc.stop()
    return Memory(max(most - before, 0), max(after - before, 0))
