"""The memory layout of arrays, as far as the bits of sums depend on it.

    layout_of(x.T)          memory of the shape of x, with reversed axes
    layout_of(x[:, 1])      memory[:, 0] of an array of two columns
    copied(x[::-1])         a copy whose elements lie backwards in memory

NumPy and BLAS add in an order that depends on strides, so a copy with other strides may have other
sums in the last bit.  A copy keeps the order of the axes, their direction, and which of them are
next to each other in memory; all other distances become as small as possible, so that a copy takes
at most twice the memory of its elements for each axis.
"""

from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Layout:
    """An array as a view of contiguous memory: `memory[part].transpose(axes)`.

    `sizes` is the shape of the memory.  It has one axis more than the array where the elements of
    its last axis are not next to each other; `part` ends with an index of that axis then.
    """

    sizes: tuple[int, ...]
    part: tuple[slice | int, ...]
    axes: tuple[int, ...]

    @property
    def is_whole(self) -> bool:
        """Whether the array has all elements of the memory, in their order."""
        return all(one == slice(None) for one in self.part)

    @property
    def is_ordered(self) -> bool:
        """Whether the axes of the array are those of the memory, in their order."""
        return self.axes == tuple(range(len(self.axes)))

    def of(self, memory: np.ndarray) -> np.ndarray:
        """The array in some memory of the shape `sizes`."""
        return memory[self.part].transpose(self.axes)


def layout_of(array: np.ndarray) -> Layout | None:
    """The layout of an array; None if it is contiguous in C order, or repeats elements."""
    if array.flags.c_contiguous or not array.size or 0 in array.strides:
        return None
    order = sorted(range(array.ndim), key=lambda axis: (-abs(array.strides[axis]), axis))
    if array.flags.f_contiguous:  # whatever the strides of axes of one element
        order = list(range(array.ndim))[::-1]
    sizes: list[int] = []
    behind = array.itemsize
    for axis in reversed(order):
        size, stride = array.shape[axis], abs(array.strides[axis])
        if stride != behind and sizes:
            sizes[-1] += 1  # some elements of the axis after this one are not in the array
        elif stride != behind:
            sizes = [2]
        sizes.append(size)
        behind = stride * size
    sizes.reverse()
    part: list[slice | int] = [
        part_of_axis(array.shape[axis], size, array.strides[axis] < 0)
        for axis, size in zip(order, sizes, strict=False)
    ]
    part += [0] * (len(sizes) - array.ndim)
    return Layout(tuple(sizes), tuple(part), tuple(map(order.index, range(array.ndim))))


def part_of_axis(shown: int, size: int, is_reversed: bool) -> slice:
    """The subscript of one axis, of which the last element may not be in the array."""
    if is_reversed:
        return slice(None, None, -1) if shown == size else slice(-2, None, -1)
    return slice(None) if shown == size else slice(None, -1)


def copied(array: np.ndarray) -> np.ndarray:
    """A copy of an array in its layout."""
    layout = layout_of(array)
    if layout is None:
        return array.copy("K")
    return layout.of(memory_of(array, layout))


def memory_of(array: np.ndarray, layout: Layout) -> np.ndarray:
    """New memory of a layout that holds the elements of an array."""
    memory = np.empty(layout.sizes, array.dtype)
    if not layout.is_whole:
        memory.fill(0)
    layout.of(memory)[...] = array
    return memory
