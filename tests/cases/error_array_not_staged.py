"""An error: a staged element is written into an array that only Python knows."""

import numpy as np


def f(i):
    table = np.frombuffer(bytearray(24))
    table[i] = 1.0


STAGED = [(np.int64(1),)]


# == error ==

# OutsideWriteError: a staged element is written into an array that is not staged
#   error_array_not_staged.py, line 8, in f
#       table[i] = 1.0
#       ^^^^^^^^
# It was created outside of the function.
# Create it in the function, or pass it as an argument.  [AG302]
