"""An error: a handler around code whose exceptions only a run can raise, after an effect."""

import numpy as np


def f(x):
    print("checking")
    try:
        if x > 3:
            raise ValueError("too large")
    except ValueError:
        x = 0
    return x


STAGED = [(np.int64(4),)]


# == error ==

# HandledInRunError: ValueError, which only a run can raise, is inside a `try`
#   error_check_in_try.py, line 9, in f
#       if x > 3:
#       ^^^^^^^^
# Python computes the result of such a call, and would repeat effects of the run.
# Test the condition outside the `try`, or choose the result with `if`.  [AG204]
