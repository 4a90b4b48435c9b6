"""Functions of NumPy that follow the memory layout of an array.

    np.nditer(x)                                            the elements in the order of memory
    np.lib.stride_tricks.as_strided(x, shape, strides)      a view of the memory

The layout is that of the call for which the graph is recorded (`numpy_api/memory_layout.py`).
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from runtime.errors import MemoryLayoutError, staging_error
from runtime.ir.op import find
from runtime.ir.slot import Slot
from runtime.staging.calls.registry import answers
from runtime.tracing.aliases import unknown_alias, view
from runtime.tracing.numpy_api.memory_layout import known_array
from runtime.tracing.tensor import Tensor, is_staged, record_op, staged


@answers(np.nditer)
def staged_nditer(op: Any, *args: Any, **options: Any) -> Any:
    """The elements of an array, one by one, as arrays without dimensions."""
    if not is_staged(op):
        return np.nditer(op, *args, **options)
    if not isinstance(op, Tensor) or args or options.keys() - {"order"}:
        raise _refused(
            "np.nditer is called with options, or on several arrays, of which one is staged",
            "Loop over np.ndindex(x.shape); np.nditer(x) and np.nditer(x, order='C') work.",
        )
    return _in_order(op, options.get("order", "K"))


def _in_order(array: Tensor, order: str) -> Iterator[Any]:
    if order == "C":
        return (array[(*place, ...)] for place in np.ndindex(array.shape))
    known = known_array(array, "np.nditer: the order of the elements in memory")
    positions = np.nditer(known, ["multi_index"], order=order)
    return (array[(*positions.multi_index, ...)] for _ in positions)


@answers(np.lib.stride_tricks.as_strided)
def staged_as_strided(
    x: Any,
    shape: Sequence[int] | None = None,
    strides: Sequence[int] | None = None,
    subok: bool = False,
    writeable: bool = True,
) -> Any:
    """A view of the memory of an array that is contiguous."""
    if not is_staged(x):
        return np.lib.stride_tricks.as_strided(x, shape, strides, subok, writeable)
    known = known_array(staged(x), "as_strided: the memory")
    shape = known.shape if shape is None else tuple(shape)
    strides = known.strides if strides is None else tuple(strides)
    places = np.zeros(shape, np.intp)
    for axis, (size, stride) in enumerate(zip(shape, strides, strict=True)):
        along = [1] * len(shape)
        along[axis] = size
        places += (np.arange(size) * stride).reshape(along)
    positions, rest = np.divmod(places, known.itemsize)
    is_inside = not places.size or 0 <= positions.min() <= positions.max() < known.size
    if not (known.flags.c_contiguous and is_inside and writeable) or rest.any():
        raise _refused(
            "as_strided is called on a staged array that is not contiguous, or leaves its memory",
            "Use np.lib.stride_tricks.sliding_window_view, or subscripts.",
        )
    base, at = np.ravel(x), {"at": (Slot(0),)}
    (found,) = record_op(find("getitem"), (base, staged(positions)), at)
    if np.unique(positions).size == positions.size:
        return view(found, find("getitem"), base, (staged(positions),), at)
    return unknown_alias(found, (base,), "the result of as_strided")


def _refused(what: str, remedy: str) -> BaseException:
    why = "The order of the elements in memory is not known, and graphs have values only."
    return staging_error(what, why, remedy, MemoryLayoutError)
