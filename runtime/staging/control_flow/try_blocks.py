"""Refuses a `try` around operations that may raise when the graph runs.

`autograph/staging/try_blocks.py` finds the handlers.
"""

from autograph.staging import try_blocks
from runtime.analyses.exceptions import may_raise
from runtime.tracing import trace


def refuse_in_try(error: type[BaseException]) -> None:
    """Raises `StagingError` if a handler or `finally` would have to see the exception."""
    try_blocks.refuse_in_try(error, trace.current())


def _refuse_what_may_raise(op, types, attributes):
    for error in may_raise(op, types, attributes):
        refuse_in_try(error)


trace.CHECKS.append(_refuse_what_may_raise)
