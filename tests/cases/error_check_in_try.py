"""An error: a handler around code whose exceptions only a run can raise."""

import numpy as np


def f(x):
    try:
        if x > 3:
            raise ValueError("too large")
    except ValueError:
        x = 0
    return x


STAGED = [(np.int64(4),)]


# == error ==

# StagingError: ValueError, which only a run can raise, stands in a `try`
#   error_check_in_try.py, line 8, in f
#       if x > 3:
#       ^^^^^^^^
# The graph has no handlers: `except` and `finally` would not see it.
# Test the condition outside of the `try`, or choose the result with `if`.
