"""Arguments that share memory: a write into one of them is visible through the others.

    f(x, x[::-1]), f writes into its first argument

A graph has values and no memory.  So both arguments become views of one input: the memory itself,
as a flat array of elements.  Each argument selects elements by an array of positions, through which
it is read and written (`tracing/aliases.py`).  A graph is valid for one pattern of sharing only.
"""

from dataclasses import dataclass

import numpy as np

from runtime.errors import SharedMemoryError, staging_error


@dataclass(frozen=True)
class Selection:
    """The elements of a flat array that an argument selects."""

    argument: int
    offset: int
    strides: tuple[int, ...]
    shape: tuple[int, ...]

    def positions(self) -> np.ndarray:
        """The position of each element: integers in the shape of the argument."""
        found = np.full(self.shape, self.offset, np.intp)
        for axis, (stride, size) in enumerate(zip(self.strides, self.shape, strict=True)):
            along = [1] * len(self.shape)
            along[axis] = size
            found += (np.arange(size) * stride).reshape(along)
        return found


@dataclass(frozen=True)
class SharedMemory:
    """A memory of `size` elements, and the arguments that share it."""

    dtype: np.dtype
    size: int
    selections: tuple[Selection, ...]


Pattern = tuple[SharedMemory, ...]


def pattern_of(arrays: tuple, written: frozenset[int]) -> Pattern:
    """The memories that an array which is written into shares with other arrays.

    Raises `StagingError` if such a memory is not contiguous, or its views differ in dtype.
    """
    together: list[set[int]] = []
    for i in written:
        if not isinstance(arrays[i], np.ndarray):
            continue
        group = {i}
        for j, other in enumerate(arrays):
            if j != i and isinstance(other, np.ndarray) and _share(arrays[i], other):
                group.add(j)
        if len(group) > 1:
            for known in [known for known in together if known & group]:
                together.remove(known)
                group |= known
            together.append(group)
    return tuple(_group(arrays, sorted(group)) for group in together)


def memories(arrays: tuple, pattern: Pattern) -> list[np.ndarray]:
    """The flat array of each shared memory."""
    return [
        _owner(arrays[group.selections[0].argument]).reshape(-1, order="A") for group in pattern
    ]


def _share(one, other):
    return np.may_share_memory(one, other) and np.shares_memory(one, other)


def _owner(array):
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def _group(arrays, members):
    owners = [_owner(arrays[i]) for i in members]
    owner = owners[0]
    plain = all(o is owner for o in owners) and all(arrays[i].dtype == owner.dtype for i in members)
    if not plain or not (owner.flags.c_contiguous or owner.flags.f_contiguous):
        raise staging_error(
            "arguments overlap in memory, and one of them is written into",
            "They are views of different dtypes, or of memory that is not contiguous.",
            "Pass a copy of one of them: x.copy().",
            SharedMemoryError,
        )
    start, step = owner.__array_interface__["data"][0], owner.itemsize
    selections = tuple(
        Selection(
            i,
            (arrays[i].__array_interface__["data"][0] - start) // step,
            tuple(stride // step for stride in arrays[i].strides),
            arrays[i].shape,
        )
        for i in members
    )
    return SharedMemory(owner.dtype, owner.size, selections)
