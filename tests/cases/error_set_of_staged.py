"""An error: a staged value is added to a set."""

import numpy as np


SEEN = set()


def f(x):
    SEEN.add(x)


STAGED = [(np.float64(1.0),)]


# == error ==

# HashNeededError: the staged value `x` (f64) cannot be an element of a set or a key of a dict
#   error_set_of_staged.py, line 10, in f
#       SEEN.add(x)
#       ^^^^^^^^^^^
# Its hash depends on its value, which is known only at run time.
# Use a dict or a set that the function makes, a list, or a key that is known.  [AG104]
