"""An error: a staged list with elements of two types."""

import numpy as np


def f(x, n):
    z = []
    for i in range(n):
        z.append(x)
        z.append([i])
    return z


STAGED = [(np.float64(1.0), np.int64(2))]


# == error ==

# ElementError: a staged list cannot hold a list of staged values beside elements of type f64
#   error_list_of_two_types.py, line 8, in f
#       for i in range(n):
#       ^^^^^^^^^^^^^^^^^
# The elements of a staged list are scalars, arrays, strings, or tuples or lists of them, all of one type.
# Use a list for each type.  [AG303]
