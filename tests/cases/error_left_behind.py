"""An error: a staged value is left in an object."""

import numpy as np


class Model:
    total = 0.0


MODEL = Model()


def f(x):
    MODEL.total = MODEL.total + x


STAGED = [(np.float64(1.0),)]


# == error ==

# StagingError: MODEL.total is left with a staged value when the function is done
#   error_left_behind.py, line 13, in f
#       def f(x):
# It has no value outside of the graph, and no later call would change it.
# Return the value, and store it where the function is called.
