"""An error: a staged value is formatted."""

import numpy as np


def f(x):
    return "it is {}".format(x)


STAGED = [(np.int64(4),)]


# == error ==

# StagingError: <Tensor x: i64> is formatted, but it is staged
#   error_staged_text.py, line 7, in f
#       return "it is {}".format(x)
#              ^^^^^^^^^^^^^^^^^^^^
# Its text is known only when the graph runs.
# Pass it to print as an argument of its own.
