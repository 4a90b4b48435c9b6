"""The steps after a run that has raised an exception: its explanation, and the arrays as before."""

import numpy as np

LOST = (
    "What the function has written into attributes, items or variables before this exception may "
    "be lost: it had effects that cannot be left out when it is called again to find out."
)


def explain_as(failure, found):
    """Gives an exception of a run the cause and the context of the same one in Python."""
    is_known = failure.__cause__ is not None or failure.__context__ is not None
    if type(found) is type(failure) and not is_known:
        failure.__cause__, failure.__context__ = found.__cause__, found.__context__
        failure.__suppress_context__ = found.__suppress_context__


def restore(overwritten):
    """Gives arrays the contents that they had before a run, the last write first."""
    for array, before in reversed(overwritten):
        np.copyto(array, before)
