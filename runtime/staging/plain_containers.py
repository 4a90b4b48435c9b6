"""Lists and arrays that are not staged, at staged subscripts.

a[i] = x        refused: a was created outside of the function, and no graph follows it
"""

from typing import Any

import numpy as np

from runtime.errors import OutsideWriteError, staging_error
from runtime.ir import unsupported
from runtime.ir.types import DTYPE_NAMES
from runtime.staging.lists.merged_sources import GivenContainers
from runtime.staging.lists.trace_list import is_staged_list
from runtime.tracing import trace
from runtime.tracing.array_like import ArrayLike
from runtime.tracing.numpy_api.foreign_calls import BEFORE_OUTSIDE_WRITE
from runtime.tracing.read_as_array import ReadAsArray
from runtime.tracing.tensor import Tensor, is_staged


def not_staged_error(container: Any, described: str) -> BaseException:
    """The error about a staged element that is written into a plain container."""
    for note in BEFORE_OUTSIDE_WRITE:
        note()
    return staging_error(
        f"a staged element is written into {described} that is not staged",
        *_why_not_staged(container),
        OutsideWriteError,
    )


def _why_not_staged(container):
    """Why a list or array is not staged, and a remedy."""
    known = trace.current().state(GivenContainers).known
    if isinstance(container, list) and known and id(container) not in known:
        return (
            "A graph follows the lists that code assigns to variables, and this one was made in "
            "another way.",
            "Make a list of it first: items = list(items).",
        )
    if isinstance(container, np.ndarray) and container.dtype not in DTYPE_NAMES:
        return (
            f"It is an array of {unsupported.named(container.dtype)}, which is a constant of the "
            "graph.",
            "Use a list or a dict, or an array of numbers for each field.",
        )
    return (
        "It was created outside of the function.",
        "Create it in the function, or pass it as an argument.",
    )


def has_staged(key) -> bool:
    """Whether a subscript, or one of its parts, is staged."""
    if isinstance(key, tuple):
        return any(map(has_staged, key))
    if isinstance(key, slice):
        return any(map(has_staged, (key.start, key.stop, key.step)))
    if isinstance(key, list):
        return is_staged_list(key) or is_staged(key)
    return isinstance(key, (Tensor, ArrayLike, ReadAsArray))
