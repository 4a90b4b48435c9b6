"""Arrays of other kinds as arguments: of other libraries, and of the other byte order.

    f(torch.ones(3))                 a graph of f32[3]: the tensor's memory, without a copy
    f(np.arange(3, dtype=">f8"))     a graph of f64[3]: native copies

Arrays of other libraries come in by DLPack, and results are arrays of NumPy, which these libraries
take by DLPack.  What a run writes into such an argument is in the memory of the other library.

Arrays of the other byte order are numbers like any others, as those read from files.  What the run
writes into a copy is written into the array, and results that are views of the copy are views of
the array.  Results that are not views have the native byte order, as NumPy's operations have; so
have copies, whose byte order NumPy keeps.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.errors import with_article
from runtime.errors import DtypeError, users_location
from runtime.ir.pytree import transform
from runtime.ir.types import DTYPE_NAMES
from runtime.tracing.array_like import ArrayLike
from runtime.tracing.tensor import Tensor

CPU = 1  # the number of the device in the DLPack protocol
OURS = (np.ndarray, np.generic, Tensor, ArrayLike)

# -- arrays of other libraries ---------------------------------------------------------------------


def with_dlpack(bound: tuple) -> tuple:
    """The arguments with arrays of NumPy in place of those of other libraries, also in tuples.

    Raises `TypeError` for an array in the memory of another device.
    """
    if not any(map(_may_be_foreign, bound)):
        return bound
    return tuple(map(_from_dlpack, bound))


def _may_be_foreign(value):
    return type(value) is tuple or hasattr(type(value), "__dlpack__")


def _from_dlpack(value):
    if type(value) is tuple:
        return with_dlpack(value)
    if not hasattr(type(value), "__dlpack__") or isinstance(value, OURS):
        return value
    device, _ = value.__dlpack_device__()
    if device != CPU:
        name = type(value).__name__
        what = f"{with_article(name)} in the memory of another device is passed to a function"
        why = f"Graphs compute in the memory of the CPU; this is device {int(device)} of DLPack."
        raise DtypeError.about(what, users_location(), why, "Move it to the CPU before the call.")
    return np.from_dlpack(value)


# -- arrays of the other byte order ----------------------------------------------------------------


def is_swapped(value: Any) -> bool:
    """Whether a value is an array of numbers in the other byte order."""
    return (
        type(value) is np.ndarray
        and not value.dtype.isnative
        and value.dtype.newbyteorder("=") in DTYPE_NAMES
    )


def swapped_in(bound: tuple) -> list[np.ndarray]:
    """The arrays of the other byte order among the arguments of a call, and in tuples of them."""
    found: list[np.ndarray] = []
    for value in bound:
        if is_swapped(value):
            found.append(value)
        elif type(value) is tuple:
            found += swapped_in(value)
    return found


def called_natively(call: Callable[[tuple], Any], bound: tuple, arrays: list[np.ndarray]) -> Any:
    """The result of a call with native copies of some arrays, into which its writes go."""
    copies = {id(array): _native(array) for array in arrays}
    before = {key: copy.tobytes() for key, copy in copies.items()}
    pairs = [(array, copies[id(array)]) for array in arrays]
    try:
        result = call(_replaced(bound, copies))
    finally:
        for array, copy in pairs:
            if copy.tobytes() != before[id(array)]:
                array[...] = copy
    return transform(lambda leaf: _of_arrays(leaf, pairs), result)


def without_swapped(bound: tuple) -> tuple:
    """The arguments with native copies of the arrays of the other byte order."""
    return _replaced(bound, {id(array): _native(array) for array in swapped_in(bound)})


def _native(array):
    return array.astype(array.dtype.newbyteorder("="), order="K")


def _replaced(value, copies):
    if type(value) is tuple:
        return tuple(_replaced(part, copies) for part in value)
    return copies.get(id(value), value)


def _of_arrays(leaf, pairs):
    """A result; an array or a view of it in place of the copy or a view of the copy."""
    if not isinstance(leaf, np.ndarray):
        return leaf
    for array, copy in pairs:
        if leaf is copy:
            return array
        if np.may_share_memory(leaf, copy) and array.strides == copy.strides:
            offset = leaf.__array_interface__["data"][0] - copy.__array_interface__["data"][0]
            return np.lib.stride_tricks.as_strided(
                _at(array, offset, leaf.dtype), leaf.shape, leaf.strides
            )
    return leaf


def _at(array, offset, dtype):
    """The memory of an array from an offset in bytes on, as one element of the other byte order."""
    place = np.unravel_index(offset // array.itemsize, array.shape)
    element = array[tuple(slice(i, i + 1) for i in place)].reshape(-1)
    part = offset % array.itemsize // dtype.itemsize
    return element.view(dtype.newbyteorder("S"))[part : part + 1]
