"""An error: an option of a NumPy function that graphs do not have."""

import numpy as np


def f(x):
    return np.sum(x, where=[True, False])


STAGED = [(np.zeros(2),)]


# == error ==

# StagingError: np.sum(where=) does not work on staged values
#   error_unsupported_option.py, line 7, in f
#       return np.sum(x, where=[True, False])
#              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# No operation of a graph stands for it.
# Write it with other functions, or do it outside of the function.
