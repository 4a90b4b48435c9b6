"""An error: a key that only one branch adds."""

import numpy as np


def f(x):
    table = {}
    if x > 0:
        table["positive"] = x
    return "positive" in table


STAGED = [(np.float64(1.0),)]


# == error ==

# OneSidedError: table['positive'] exists after one path through a staged branch or loop, but not after another
#   error_key_of_one_branch.py, line 8, in f
#       if x > 0:
#       ^^^^^^^^
# Whether a key or attribute exists must be known while the graph is being built: `in`, `len`, `get` and `hasattr` depend on it.
# Give it a value before the branch or loop.  [AG203]
