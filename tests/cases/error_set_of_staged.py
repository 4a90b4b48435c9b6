"""An error: a staged value is put into a set."""

import numpy as np


SEEN = set()


def f(x):
    SEEN.add(x)


STAGED = [(np.float64(1.0),)]


# == error ==

# StagingError: <Tensor x: f64>, which is staged, is put into a set or is the key of a dict
#   error_set_of_staged.py, line 10, in f
#       SEEN.add(x)
#       ^^^^^^^^^^^
# Where it belongs there depends on its value, which only a run can tell.
# Use a list or an array, or a key that is known.
