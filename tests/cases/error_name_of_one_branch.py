"""An error: a name that only one branch binds is used without its condition."""

import numpy as np


def f(x):
    if x > 0:
        y = x * 2
    return y + 1


STAGED = [(np.float64(-1.0),)]


# == error ==

# UnboundLocalError: cannot access local variable 'y' where it is not associated with a value
