"""An error: compiled code converts a staged value to a Python scalar."""

import operator

import numpy as np


def f(x):
    return operator.index(x)


STAGED = [(np.int64(4),)]


# == error ==

# ValueNeededError: staged value `x` (i64) cannot be converted to a Python number
#   error_number_of_staged_value.py, line 9, in f
#       return operator.index(x)
#              ^^^^^^^^^^^^^^^^^
# Its value is not known while the graph is being built.  The function called here needs the value.
# Use np.where, or another function that works on staged values.  [AG101]
