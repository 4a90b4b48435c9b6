"""An error: a set that other code has made is changed in a staged branch."""

import numpy as np


SEEN = set()


def f(x):
    if x > 0:
        SEEN.add(1)
    return len(SEEN)


STAGED = [(np.float64(1.0),)]


# == error ==

# ContainerError: a set is changed in a staged branch or loop (an element of SEEN)
#   error_set_changed.py, line 10, in f
#       if x > 0:
#       ^^^^^^^^
# Only changes of lists, dicts, attributes and arrays can be staged.
# Use a list or an array, or change it outside the branch or loop.  [AG305]
