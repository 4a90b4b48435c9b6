"""An error: a staged string is used as a dict key."""

import numpy as np


def f(x, names):
    return names[f"it is {x}"]


STAGED = [(np.int64(4), {"it is 4": 1.0})]


# == error ==

# ValueNeededError: staged value `v` (str) is used like a Python string
#   error_staged_text.py, line 7, in f
#       return names[f"it is {x}"]
#              ^^^^^^^^^^^^^^^^^^^
# Its characters are known only when the graph runs: it can be printed, compared, formatted, and returned.
# Compare it (`if s == 'a':`), or use it outside of the function.  [AG101]
