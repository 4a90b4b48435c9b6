"""Refuses a `try` around operations that may raise when the graph runs.

`autograph/staging/try_blocks.py` finds the handlers.
"""

from autograph.staging.try_blocks import refuse_in_try
from runtime.analyses.exceptions import may_raise
from runtime.tracing import trace


def _refuse_what_may_raise(op, types, attributes):
    for error in may_raise(op, types, attributes):
        refuse_in_try(error)


trace.CHECKS.append(_refuse_what_may_raise)
