"""An error: an array is written into through a view that graphs do not follow."""

import numpy as np


def f(x):
    x.reshape(-1)[0] = 1.0
    return x


STAGED = [(np.zeros((2, 3)),)]


# == error ==

# StagingError: an array is written into through a view that reshape made of it
#   error_write_through_view.py, line 7, in f
#       x.reshape(-1)[0] = 1.0
#       ^^^^^^^^^^^^^^^^
# Graphs follow such a view only where it is read.
# Write into the array itself.
