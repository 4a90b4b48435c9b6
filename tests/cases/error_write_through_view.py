"""An error: a write through a function that returns views of some arrays and copies of others."""

import numpy as np


def f(x):
    x.T.reshape(-1)[0] = 1.0
    return x


STAGED = [(np.zeros((2, 3)),)]


# == error ==

# TypeError: reshape returns a copy of this array, not a view, and one of them is written into
# The array is not contiguous.  For contiguous arrays reshape returns a view, as graphs assume.
# Write `reshape(...).copy()` if a copy is intended, or write into the array itself.
