"""An error: an option of a NumPy function that graphs do not support."""

import numpy as np


def f(x):
    return np.median(x, overwrite_input=True)


STAGED = [(np.zeros(2),)]


# == error ==

# UnsupportedError: median(overwrite_input=True) does not work on staged values
#   error_unsupported_option.py, line 7, in f
#       return np.median(x, overwrite_input=True)
#              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# Graphs have no operation for it.
# Write it with other functions, or do it outside of the function.  [AG103]
