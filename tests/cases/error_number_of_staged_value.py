"""An error: compiled code converts a staged value to a Python scalar."""

import operator

import numpy as np


def f(x):
    return operator.index(x)


STAGED = [(np.int64(4),)]


# == error ==

# ArgumentError: operator.index is given the staged value `x` (i64) as argument 1, `a`
#   error_number_of_staged_value.py, line 9, in f
#       return operator.index(x)
#              ^^^^^^^^^^^^^^^^^
# It needs the value, which is known only when the graph runs.
# Use x itself: subscripts and ranges take staged ints.  [AG102]
