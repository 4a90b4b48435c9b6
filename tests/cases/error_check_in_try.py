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

# HandledInRunError: ValueError, which only a run can raise, is inside a `try`
#   error_check_in_try.py, line 8, in f
#       if x > 3:
#       ^^^^^^^^
# Exceptions raised while a graph runs cannot be caught inside it.
# Test the condition outside the `try`, or choose the result with `if`.  [AG204]
