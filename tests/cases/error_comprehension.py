"""An error: a staged condition in a comprehension."""

import numpy as np


def f(x):
    return frozenset(i for i in range(3) if i < x)


STAGED = [(np.int64(1),)]


# == error ==

# IterationError: frozenset() is called with a staged list
#   error_comprehension.py, line 7, in f
#       return frozenset(i for i in range(3) if i < x)
#              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# The number of its elements is known only at run time; only lists, tuples and sets can have such a length.
# Use a set.  [AG207]
