"""An error: a staged string is used as the key of a new dict."""

import numpy as np


def f(x):
    return {f"it is {x}": 1.0}


STAGED = [(np.int64(4),)]


# == error ==

# ValueNeededError: the staged value `f"it is {x}"` (str) is used like a Python string
#   error_staged_text.py, line 7, in f
#       return {f"it is {x}": 1.0}
#              ^^^^^^^^^^^^^^^^^^^
# Its characters are known only when the graph runs: it can be printed, compared, formatted, and returned.
# Compare it (`if s == 'a':`), or use it outside of the function.  [AG101]
