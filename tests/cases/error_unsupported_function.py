"""An error: a NumPy function that graphs do not support."""

import numpy as np


def f(x):
    return np.isnat(x)


STAGED = [(np.zeros(3),)]


# == error ==

# UnsupportedError: np.isnat does not work on staged values
#   error_unsupported_function.py, line 7, in f
#       return np.isnat(x)
#              ^^^^^^^^^^^
# Graphs have no operation for it.
# Use np.isnan if you mean that, or let each run call it: rt.library_call(np.isnat, ...).  [AG103]
