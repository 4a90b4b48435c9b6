"""What the lists of reads of the outside world share: the list of cases, and an object.

A case makes a part of the world.  It returns a function that reads it, one that changes it, and
further ones that restore what the process has had.
"""

CASES = []


def case(function):
    """Adds a case to the list."""
    CASES.append(function)
    return function


class Box:
    """An object with attributes."""

    def __init__(self, **attributes):
        vars(self).update(attributes)
