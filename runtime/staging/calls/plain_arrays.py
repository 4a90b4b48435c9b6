"""Arrays of texts, objects and dates, which no graph can hold: NumPy makes them.

    np.array([word.upper() for word in words])      an ordinary array
    np.full(3, "x"), np.empty(3, dtype=object)      ordinary arrays

They are values like texts and objects themselves: nothing in them is staged.

    np.asarray(memoryview(data))                    an ordinary array, whose memory is that of data
"""

from typing import Any

import numpy as np

from autograph.staging import memory
from runtime.ir.types import DTYPE_NAMES
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.staged_values import shows_staged
from runtime.tracing.array_like import ArrayLike
from runtime.tracing.descriptions import VALUES
from runtime.tracing.tensor import Tensor


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


def shares_memory(value: Any, dtype: Any, order: Any) -> bool:
    """Whether NumPy makes an array that shares memory with a value which is not an array, such
    as an `array.array`: a write into the array is a write there."""
    if isinstance(value, (Tensor, ArrayLike, np.ndarray, np.generic, list, tuple, *VALUES)):
        return False
    has_memory = memory.contents(value) is not None or isinstance(value, bytearray)
    is_exporter = has_memory or hasattr(type(value), "__array_interface__")
    if not is_exporter or shows_staged(value):
        return False
    try:
        return np.asarray(value, dtype, order).base is not None
    except (TypeError, ValueError):
        return False
