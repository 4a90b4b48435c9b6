"""The truth of an object that no backend stages, which its own method may stage.

class Meter:
    def __bool__(self):
        return bool(self.value > 1)

if meter: ...                 the method is converted, and may return a staged truth
"""

from autograph import backend as backends
from autograph.functions.frames import as_user


def own_truth(value):
    """The truth of an object: a bool, or a staged value that its method returns."""
    found = backends.active().own_truth(value) if backends.staged_blocks else NotImplemented
    return as_user(bool, value)(value) if found is NotImplemented else found
