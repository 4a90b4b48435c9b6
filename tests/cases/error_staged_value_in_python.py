"""An error: code that is not converted needs the truth value of a staged value."""

import numpy as np

import autograph


@autograph.do_not_convert
def sign(x):
    return 1 if x > 0 else -1


def f(x):
    return sign(x)


STAGED = [(np.float64(-1.0),)]


# == error ==

# ValueNeededError: the truth of staged value `p` (b1) is needed while the graph is being built
#   error_staged_value_in_python.py, line 10, in sign
#       return 1 if x > 0 else -1
#                   ^^^^^
# Its value is not known while the graph is being built.  This `def` stays Python: it is decorated with do_not_convert.
# Rewrite it without that, or use np.where.  [AG101]
