"""Warnings of a block, to be compared with those of another."""

import contextlib
import warnings


@contextlib.contextmanager
def recorded_warnings():
    """A list of the warnings of a block.  A ResourceWarning is left out: it is about an object that
    happened to be collected meanwhile, often one of another test."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", ResourceWarning)
        yield found
