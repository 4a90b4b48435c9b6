"""An error: a staged condition in a comprehension."""

import numpy as np


def f(x):
    return tuple(i for i in range(3) if i < x)


STAGED = [(np.int64(1),)]


# == error ==

# StagingError: a tuple is made of <staged list[int]>
#   error_comprehension.py, line 7, in f
#       return tuple(i for i in range(3) if i < x)
#              ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
# How many elements it has, only a run can tell; of staged values, only lists grow.
# Use a list.
