"""An error: a staged string is used as the key of a dict that other code has made."""

import numpy as np

KNOWN = {}


def f(x):
    KNOWN[f"it is {x}"] = 1.0
    return x


STAGED = [(np.int64(4),)]


# == error ==

# ValueNeededError: the staged value `f"it is {x}"` (str) is used like a Python string
#   error_staged_text.py, line 9, in f
#       KNOWN[f"it is {x}"] = 1.0
#       ^^^^^^^^^^^^^^^^^^^
# Its characters are known only when the graph runs: it can be printed, compared, formatted, and returned.
# Compare it (`if s == 'a':`), or use it outside of the function.  [AG101]
