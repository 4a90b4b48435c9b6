"""Operands of the same types as those of an example, with values that operations refuse.

hostile(np.array([1.5, 2.5]))     [0, 0], [-1, -1], [90, 90], [nan, nan], [], [1.5], ...
"""

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np

NUMBERS = (0, -1, 90, np.nan, np.inf, -np.inf, 1e308)


def hostile(value: Any) -> Iterator[Any]:
    """Values of the type of a value, and of other sizes."""
    if isinstance(value, np.ndarray):
        yield from _filled(np.full_like, value)
        yield from (value[:0], value[:1], np.concatenate([value, value])) if value.ndim else ()
        yield from (value[:, :0], value[:, :1]) if value.ndim > 1 else ()
    elif isinstance(value, np.generic):
        yield from _filled(lambda one, number: type(one)(number), value)
    elif isinstance(value, list):
        yield from ([], value[:1], value + value)
    if isinstance(value, (list, tuple)):
        for i, one in enumerate(value):
            for other in hostile(one):
                yield type(value)([*value[:i], other, *value[i + 1 :]])


def _filled(make, value):
    for number in NUMBERS:
        with contextlib.suppress(ValueError, OverflowError):
            yield make(value, number)


def hostile_operands(operands: tuple) -> Iterator[tuple]:
    """Operands of which one, or two, are hostile."""
    for i, one in enumerate(operands):
        for other in hostile(one):
            yield (*operands[:i], other, *operands[i + 1 :])
    if len(operands) == 2:
        seconds = list(hostile(operands[1]))
        for first in hostile(operands[0]):
            yield from ((first, second) for second in seconds)
