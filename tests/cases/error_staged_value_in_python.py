"""An error: code that is not converted needs the truth value of a staged value."""

import numpy as np


def sign(x):
    assert locals()
    return 1 if x > 0 else -1


def f(x):
    return sign(x)


STAGED = [(np.float64(-1.0),)]


# == error ==

# ValueNeededError: the truth of the staged value `x > 0` (b1) is needed while the graph is being built
#   error_staged_value_in_python.py, line 8, in sign
#       return 1 if x > 0 else -1
#                   ^^^^^
# Its value is not known while the graph is being built.  This `def` stays Python: `locals()` looks at the local variables of the function.
# Rewrite it without that, or use np.where.  [AG101]
