"""An error: a set is changed in a staged branch."""

import numpy as np


def f(x):
    seen = set()
    if x > 0:
        seen.add(1)
    return len(seen)


STAGED = [(np.float64(1.0),)]


# == error ==

# ContainerError: a set is changed in a staged branch or loop (an element of seen)
#   error_set_changed.py, line 8, in f
#       if x > 0:
#       ^^^^^^^^
# Only changes of lists, dicts, attributes and arrays can be staged.
# Use a list or an array, or change it outside the branch or loop.  [AG305]
