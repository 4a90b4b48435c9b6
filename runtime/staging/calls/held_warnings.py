"""Warnings about a recording are issued when it is known that the recording is kept.

    g = open(path)          "open runs once, while the graph is being built" ...
    if x > limit:
        g.read()            ... but each run reads, so in another recording each run opens the file

A recording that is given up (`function/recorded_again.py`) takes its warnings with it, and so does
the trial of a loop.  One that is kept, or fails for good, issues each of them once.
"""

import warnings

from runtime.errors import users_location
from runtime.tracing import trace


class HeldWarnings(list[tuple[str, str, int]]):
    """The warnings of one recording: text, file and line of each."""

    def __init__(self) -> None:
        super().__init__()
        self._filters = list(warnings.filters)

    def are_filtered_alike(self) -> bool:
        """Whether the filters are those with which the recording began."""
        return self._filters == list(warnings.filters)

    def issue(self) -> None:
        """Issues each warning once."""
        told = list(dict.fromkeys(self))
        self.clear()
        for one in told:
            _issue(*one)


def warn_of_recording(text: str) -> None:
    """Warns about what the recording of a graph does, for the user's line.

    Inside a `catch_warnings` of the code that is recorded, the warning is issued at once.
    """
    place = users_location()
    if place is None:
        return
    warning = text, place.filename, place.lineno
    recorder = trace.current()
    held = None if recorder is None else recorder.states().get(HeldWarnings)
    if isinstance(held, HeldWarnings) and held.are_filtered_alike():
        held.append(warning)
    else:
        _issue(*warning)


def _issue(text, filename, line):
    warnings.warn_explicit(text, trace.TracingWarning, filename, line)
