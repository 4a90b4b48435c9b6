"""An error: an array is written into through what is a view of some arrays and a copy of others."""

import numpy as np


def f(x):
    x.T.reshape(-1)[0] = 1.0
    return x


STAGED = [(np.zeros((2, 3)),)]


# == error ==

# TypeError: reshape copies an array here, as it is not contiguous, and gives a view of others; graphs, which have no memory, take it for a view.  Either the array or what reshape made of it is written into: write `reshape(...).copy()` for a copy
