"""An error: a NumPy function that graphs do not have."""

import numpy as np


def f(x):
    return np.apply_along_axis(abs, 0, x)


STAGED = [(np.zeros(3),)]


# == error ==

# StagingError: np.apply_along_axis does not work on staged values
#   error_unsupported_function.py, line 7, in f
#       return np.apply_along_axis(abs, 0, x)
#              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# No operation of a graph stands for it.
# The nearest function that does is np.take_along_axis.
