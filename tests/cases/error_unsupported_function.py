"""An error: a NumPy function that graphs do not support."""

import numpy as np


def f(x):
    return np.poly(x)


STAGED = [(np.zeros(3),)]


# == error ==

# UnsupportedError: np.poly does not work on staged values
#   error_unsupported_function.py, line 7, in f
#       return np.poly(x)
#              ^^^^^^^^^^
# Graphs have no operation for it.
# The nearest function that does is np.polyval.  [AG103]
