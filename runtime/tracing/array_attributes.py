"""Attributes of arrays that the library reads of every staged value.

x.dtype        of a staged Python int: an AttributeError where the user's code reads it, and the
               dtype that NumPy would give it where the library does
"""

import sys
from collections.abc import Callable
from typing import Any

from runtime.ir.types import TensorType
from runtime.tracing.matching import reads_class


def of_arrays(read: Callable[[Any], Any]) -> property:
    """A property of staged values; the user's code reads that of the value which a run has."""
    name = read.__name__

    def found(value):
        if not isinstance(value.type, TensorType) and reads_class(sys._getframe(1)):
            return value.users_attribute(name)
        return read(value)

    return property(found, doc=read.__doc__)


def of_present(name: str) -> property:
    """The same property of values that may be None: there, the user's code records a check."""
    return property(
        lambda value: (
            value.__getattr__(name) if reads_class(sys._getframe(1)) else getattr(value.type, name)
        )
    )
