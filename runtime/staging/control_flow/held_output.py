"""What code that is not converted prints cannot be undone, and would be recorded once.

class Key:
    def __hash__(self):                called by C, once in each iteration
        print("hash", self.value)
        ...

with refused_output():                 in a trial: the loop is unrolled instead
    ...
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import get_ident
from typing import Any

from runtime.staging.loop_trials import not_kept


class RefusedOutput:
    """Stands for a stream of text; a text that the recording thread writes ends the trial."""

    def __init__(self, stream: Any):
        self._stream, self._thread = stream, get_ident()

    def write(self, text: str) -> Any:
        """Writes a text of another thread."""
        if get_ident() == self._thread:
            raise not_kept("code that is not converted prints")
        return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def refused_output() -> Iterator[None]:
    """Ends the trial where something is printed while the block runs."""
    before = sys.stdout
    if before is None or isinstance(before, RefusedOutput):
        yield
        return
    sys.stdout = stand_in = RefusedOutput(before)
    try:
        yield
    finally:
        if sys.stdout is stand_in:
            sys.stdout = before
