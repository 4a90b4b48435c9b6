"""An error: the branches leave arrays of different rank."""

import numpy as np


def f(x):
    if x[0] > 0:
        y = np.zeros(2)
    else:
        y = x[0]
    return y


STAGED = [(np.array([1.0, 2.0]),)]


# == error ==

# BranchError: y is f64[2] after one branch of this `if` and f64 after the other
#   error_branches_of_different_rank.py, line 7, in f
#       if x[0] > 0:
#       ^^^^^^^^^^^
#   y = f64[2]   line 8
#   y = f64      line 10
# The condition is staged, so both branches must leave values of one kind.
# Make arrays of one shape: np.full((2,), y) repeats a number.  [AG201]
