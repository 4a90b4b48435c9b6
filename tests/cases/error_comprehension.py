"""An error: a staged condition in a comprehension."""

import numpy as np


def f(x):
    return tuple(i for i in range(3) if i < x)


STAGED = [(np.int64(1),)]


# == error ==

# StagingError: the truth of <Tensor p: b1> is asked for, but it is staged
#   error_comprehension.py, line 7, in <genexpr>
#       return tuple(i for i in range(3) if i < x)
#                                           ^^^^^
# It has no value while the graph is recorded.  This `comprehension` stays Python: Python makes its elements.
# Write it without that, or compute it with np.where.
