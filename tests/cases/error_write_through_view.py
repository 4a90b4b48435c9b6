"""An error: an array is written into through what is a view of some arrays and a copy of others."""

import numpy as np


def f(x):
    x.T.reshape(-1)[0] = 1.0
    return x


STAGED = [(np.zeros((2, 3)),)]


# == error ==

# TypeError: what reshape makes of this array is a copy, and one of them is written into
# The array is not contiguous.  Of others it is a view, for which graphs take it.
# Write `reshape(...).copy()` where a copy is meant, or write into the array itself.
