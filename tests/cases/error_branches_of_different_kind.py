"""An error: the branches leave a dict and bytes."""

import numpy as np


def f(x):
    if x[0] > 0:
        y = {"low": x[0]}
    else:
        y = b"high"
    return y


STAGED = [(np.array([1.0, 2.0]),)]


# == error ==

# BranchError: y is a dict with the key 'low' after one branch of this `if` and b'high' after the other
#   error_branches_of_different_kind.py, line 7, in f
#       if x[0] > 0:
#       ^^^^^^^^^^^
# The condition is staged, so both branches must leave values of one kind.
# Use one type of container for y, with the same elements on both sides.  [AG201]
