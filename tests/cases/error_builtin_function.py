"""An error: a built-in function needs the truth value of a staged value."""

import numpy as np


def f(x, y):
    return (1, x, abs(y)).__lt__((1, 2))


STAGED = [(np.int64(2), np.int64(1))]


# == error ==

# ValueNeededError: the truth of the staged value `(1, x, abs(y)).__lt__((1, 2))` (b1) is needed while the graph is being built
#   error_builtin_function.py, line 7, in f
#       return (1, x, abs(y)).__lt__((1, 2))
#              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# Its value is not known while the graph is being built.  The function called here needs the value.
# Use np.where, or another function that works on staged values.  [AG101]
