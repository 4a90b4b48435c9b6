"""An error: a loop turns a vector into a matrix."""

import numpy as np


def f(x, n):
    for i in range(n):
        x = np.stack([x, x])
    return x


STAGED = [(np.array([1.0, 2.0]), np.int64(2))]


# == error ==

# LoopError: x is f64[2] before an iteration of this loop and f64[2, 2, 2, 2, 2, 2, 2, 2, 2] after it
#   error_loop_changes_rank.py, line 7, in f
#       for i in range(n):
#       ^^^^^^^^^^^^^^^^^
# The loop is staged, so a variable must hold values of one kind in all iterations.
# Keep its number of dimensions, or collect the values in a list: ys.append(y)  [AG202]
