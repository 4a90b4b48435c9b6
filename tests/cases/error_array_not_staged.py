"""An error: a staged element is written into an array of the module."""

import numpy as np


TABLE = np.zeros(3)


def f(i):
    TABLE[i] = 1.0


STAGED = [(np.int64(1),)]


# == error ==

# StagingError: a staged element is written into an array that is not staged
#   error_array_not_staged.py, line 10, in f
#       TABLE[i] = 1.0
#       ^^^^^^^^
# It was made outside of the code that is recorded.
# Make it in the function, or pass it as an argument.
