"""An error: a NumPy function that graphs do not have."""

import numpy as np


def f(x):
    return np.nanpercentile(x, 50)


STAGED = [(np.zeros(3),)]


# == error ==

# StagingError: np.nanpercentile does not work on staged values
#   error_unsupported_function.py, line 7, in f
#       return np.nanpercentile(x, 50)
#              ^^^^^^^^^^^^^^^^^^^^^^^
# No operation of a graph stands for it.
# Write it with other functions, or do it outside of the function.
