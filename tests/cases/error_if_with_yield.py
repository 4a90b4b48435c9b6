"""An error: a staged condition reaches an `if` that stays Python, because it yields."""

import numpy as np


def positive(xs):
    for x in xs:
        if x > 0:
            yield x


def f(x):
    first, second = positive([x, x + 1])
    return first + second


STAGED = [(np.float64(1.0),)]


# == error ==

# ValueNeededError: the truth of the staged value `x > 0` (b1) is needed while the graph is being built
#   error_if_with_yield.py, line 8, in positive
#       if x > 0:
#          ^^^^^
# Its value is not known while the graph is being built.  This `if` stays Python: it contains `yield`.
# Rewrite it without that, or use np.where.  [AG101]
