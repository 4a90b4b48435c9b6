"""Normal numbers of `RandomState` of NumPy: the polar method makes two, of which it keeps one.

    kept + 0     whether there is a number (32 bits)
    kept + 8     the number

NumPy does not export its function, so machine code computes the same.  Both are checked on a
generator first: where the number is, and that the results have the same bits.

G. Marsaglia and T. A. Bray, A convenient method for generating normal variables, SIAM Review 6
(1964).
"""

import ctypes
import math
from functools import cache
from typing import Any

import numpy as np

from runtime.engines.native.python_objects import HEADER, function_address

KEPT = 16  # bytes
CHECKED = 100  # numbers


def kept_by(generator: Any) -> int | None:
    """The address of the number that a generator keeps; None where it is not known."""
    offset = _offset()
    if offset is None:
        return None
    found, state = id(generator) + offset, generator.get_state(legacy=False)
    return found if _read(found) == (state["has_gauss"], state["gauss"]) else None


def logarithm() -> int:
    """The address of the logarithm that NumPy calls."""
    return function_address(ctypes.CDLL(None).log)


def _read(address: int) -> tuple[int, float]:
    is_kept = ctypes.c_int32.from_address(address).value
    return is_kept, ctypes.c_double.from_address(address + 8).value


@cache
def _offset() -> int | None:
    """Where in a `RandomState` the number is: after a pointer to another part of the object."""
    sample = np.random.RandomState(3)
    size = type(sample).__basicsize__
    inside = range(id(sample), id(sample) + size)
    places = range(HEADER, size - 8 - KEPT, 8)
    words = {at: ctypes.c_size_t.from_address(id(sample) + at).value for at in places}
    found = [at + 8 for at, word in words.items() if word in inside]
    before = [_read(id(sample) + at) for at in found]
    sample.standard_normal()
    state = sample.get_state(legacy=False)
    after = [_read(id(sample) + at) for at in found]
    if before != [(0, 0.0)] or after != [(1, state["gauss"])] or not _has_the_same_bits():
        return None
    return found[0]


def _has_the_same_bits() -> bool:
    """Whether NumPy computes each operation by itself, as machine code does."""
    numbers, plain = np.random.RandomState(5), np.random.RandomState(5)
    kept: list[float] = []
    for _ in range(CHECKED):
        unit = kept.pop() if kept else _polar(plain, kept)
        if numbers.normal(0.1, 3.7) != 0.1 + 3.7 * unit:
            return False
    return True


def _polar(plain: Any, kept: list[float]) -> float:
    square = 0.0
    while square >= 1.0 or square == 0.0:
        x = 2.0 * plain.random_sample() - 1.0
        y = 2.0 * plain.random_sample() - 1.0
        square = x * x + y * y
    factor = math.sqrt(-2.0 * math.log(square) / square)
    kept.append(factor * x)
    return float(factor * y)
