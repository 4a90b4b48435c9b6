"""Runs of random programs of which everything that a run shows is compared, warnings too.

A graph does not compute values that nothing uses, so it may warn less often than Python, never
more; advice of the library about large graphs is left out.

    is_refused(source, name, arguments, "native")       fails if a call differs from Python
"""

from collections import Counter

from loading import load
from outcomes import check_same, outcome, same_exactly
from warning_records import recorded_warnings

import runtime as rt
from runtime.tracing.trace import TracingWarning

ADVICE = (rt.RetracingWarning, TracingWarning)


def seen(function, arguments):
    """The outcome of a call, and its warnings with their lines."""
    with recorded_warnings() as caught:
        found = outcome(function, arguments)
    told = [
        (w.category.__name__, str(w.message), w.lineno)
        for w in caught
        if not issubclass(w.category, ADVICE)
    ]
    return found, Counter(told)


def is_refused(source: str, name: str, given, engine: str) -> bool:
    """Whether a program is refused; fails if one of its calls differs from Python."""
    function = load(source, name).f
    staged = rt.function(function, engine=engine)
    for arguments in given:
        wanted, expected = seen(function, arguments)
        found, told = seen(staged, arguments)
        if isinstance(found.error, rt.StagingError):
            return True
        try:
            check_same(found, wanted, same_exactly)
            assert told <= expected, f"warnings {told}, in Python {expected}"
        except Exception as error:
            error.add_note(f"{name}\n{arguments}\n{source}")
            raise
    return False
