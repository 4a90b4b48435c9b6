"""An error: an attribute that only one branch sets."""

import numpy as np


class Table:
    pass


def f(x):
    table = Table()
    if x > 0:
        table.positive = x
    return hasattr(table, "positive")


STAGED = [(np.float64(1.0),)]


# == error ==

# OneSidedError: table.positive exists after one path through a staged branch or loop, but not after another
#   error_attribute_of_one_branch.py, line 12, in f
#       if x > 0:
#       ^^^^^^^^
# Whether a key or attribute exists must be known while the graph is being built: `in`, `len`, `get` and `hasattr` depend on it.
# Give it a value before the branch or loop.  [AG203]
