"""The table of definitions, and the kinds of operands that they take."""

from collections.abc import Callable
from typing import Any

import numpy as np

DEFINITIONS: dict[str, Callable[..., Any]] = {}


def defines(*names: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers the definition of some ops, by their names."""

    def register(function):
        DEFINITIONS.update(dict.fromkeys(names, function))
        return function

    return register


def is_row(x: Any) -> bool:
    """Whether an operand is an array of numbers with one axis."""
    return getattr(x, "ndim", None) == 1 and x.dtype.kind in "iuf"


def is_float(x: Any) -> bool:
    """Whether an operand has single or double precision."""
    return getattr(x, "dtype", np.dtype("i8")).char in "fd"
