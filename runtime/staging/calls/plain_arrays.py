"""Arrays of texts, objects and dates, which no graph can hold: NumPy makes them.

    np.array([word.upper() for word in words])      an ordinary array
    np.full(3, "x"), np.empty(3, dtype=object)      ordinary arrays

They are values like texts and objects themselves: nothing in them is staged.
"""

from typing import Any

import numpy as np

from runtime.ir.types import DTYPE_NAMES
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.staged_values import shows_staged


def is_of_plain_kind(value: Any, dtype: Any = None) -> bool:
    """Whether a value without staged parts makes an array that no graph can hold."""
    if isinstance(value, TraceList) and value.value is not None or shows_staged(value):
        return False
    if dtype is not None:
        return np.dtype(dtype) not in DTYPE_NAMES
    if isinstance(value, np.ndarray):
        return value.dtype not in DTYPE_NAMES
    try:
        return np.asarray(value).dtype not in DTYPE_NAMES
    except ValueError:  # which NumPy raises, of parts of different lengths
        return True
