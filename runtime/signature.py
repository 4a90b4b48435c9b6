"""Signatures: which calls of a function can share a graph.

    f(np.ones((2, 3)), 4)          f64[2, 3], 4
    f(np.zeros((2, 3)), 4)         the same graph
    f(np.ones((2, 3)), 4.0)        another one: 4 and 4.0 are different values

Arrays and NumPy scalars are staged; they count by dtype and shape.  Numbers of Python's, strings
and None are constants of the graph and count by type and value (1, 1.0, True and -0.0 are four
values).  Any other object counts as itself.  Containers count by their structure.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from runtime.structure import Structure, flatten
from runtime.types import DTYPE_NAMES, Type, type_of

CONSTANTS = (bool, int, float, complex, str, bytes, type(None))


@dataclass(frozen=True)
class Constant:
    """A plain value that is part of a signature."""

    kind: type
    text: str  # tells -0.0 from 0.0 and finds nan equal to nan
    value: Any = field(compare=False)

    def __str__(self):
        return self.text


@dataclass(frozen=True)
class Identity:
    """An object that is part of a signature as itself; it is kept alive by it."""

    address: int
    value: Any = field(compare=False)

    def __str__(self):
        return f"<{type(self.value).__name__}>"


Key = Type | Constant | Identity


@dataclass(frozen=True)
class Signature:
    """The structure of a call's arguments, and what is known about each leaf."""

    structure: Structure
    keys: tuple[Key, ...]

    def __str__(self):
        return ", ".join(map(str, self.keys))


def key_of(leaf: Any) -> Key:
    """What counts about one argument.  Raises `TypeError` for arrays that cannot be staged."""
    if isinstance(leaf, (np.ndarray, np.generic)):
        if leaf.dtype not in DTYPE_NAMES:
            raise TypeError(
                f"an argument is an array of dtype {leaf.dtype}, which cannot be staged; "
                "graphs carry numbers and bools"
            )
        return type_of(leaf)
    if type(leaf) in CONSTANTS:
        return Constant(type(leaf), repr(leaf), leaf)
    return Identity(id(leaf), leaf)


def signature_of(arguments: Any) -> tuple[list, Signature]:
    """The leaves of a call's arguments, and its signature."""
    leaves, structure = flatten(arguments)
    return leaves, Signature(structure, tuple(map(key_of, leaves)))
