"""Grids of indices with staged bounds: `np.mgrid`, `np.ogrid`, `np.indices`, `np.r_`, `np.c_`.

    y, x = np.mgrid[0:n, 0:4]       i64[2, None, 4], unpacked along its first axis
    y, x = np.ogrid[0:n, 0:4]       i64[None, 1] and i64[1, 4]
    np.indices((n, 3))              i64[2, None, 3]

They are composed of ranges by the operations that NumPy uses, so the elements have the same bits.
"""

from typing import Any

import numpy as np

from runtime.errors import unsupported
from runtime.ir.types import INT
from runtime.staging.calls.array_creation import concatenated, full, staged_arange
from runtime.staging.calls.registry import register_call
from runtime.tracing.conversion import cast
from runtime.tracing.numpy_api.dispatch import call_library
from runtime.tracing.tensor import Tensor, is_staged, staged

BUILDERS = (np.r_, np.c_, np.mgrid, np.ogrid)


def is_builder(container: Any) -> bool:
    """Whether a subscript of an object makes an array, as `np.mgrid[0:n]` does."""
    return any(container is one for one in BUILDERS)


def built(builder: Any, key: Any) -> Any:
    """The array that a subscript with staged parts makes: `np.mgrid[0:n, 0:4]`."""
    if builder is np.r_ or builder is np.c_:
        return concatenated(builder, key if isinstance(key, tuple) else (key,))
    name = "np.mgrid" if builder is np.mgrid else "np.ogrid"
    parts = key if isinstance(key, tuple) else (key,)
    if not all(isinstance(part, slice) for part in parts):
        raise unsupported(f"a subscript of {name} that is no slice", f"Write {name}[0:n, 0:m].")
    ranges = [_Range(part, name) for part in parts]
    dtype = np.result_type(*(kind for one in ranges for kind in one.kinds))
    if not isinstance(key, tuple):
        return ranges[0].alone(dtype)
    axes = [one.axis(dtype) for one in ranges]
    if builder is np.ogrid:
        return tuple(_along(axis, place, len(axes)) for place, axis in enumerate(axes))
    return _dense(axes, tuple(one.size for one in ranges))


class _Range:
    """One slice of a grid: `start:stop:step`, or `start:stop:5j` for five numbers."""

    def __init__(self, part: slice, name: str):
        self.start = 0 if part.start is None else part.start
        self.stop, self.step = part.stop, 1 if part.step is None else part.step
        if isinstance(self.step, Tensor) and self.step.dtype.kind == "c":
            raise unsupported(f"a staged complex step in {name}", "Use np.linspace.")
        self.count = int(abs(self.step)) if isinstance(self.step, complex) else None

    @property
    def kinds(self) -> list:
        """What decides about the dtype: dtypes, and Python numbers, which are weak."""
        step = abs(self.step) if self.count is not None else self.step
        return [0, *map(_kind, (self.start, self.stop, step))]

    @property
    def size(self) -> Any:
        """How many numbers there are; a negative number if the bounds are in the wrong order."""
        if self.count is not None:
            return self.count
        size = np.ceil((self.stop - self.start) / (self.step * 1.0))
        return cast(staged(size), INT) if is_staged(size) else int(size)

    def axis(self, dtype: np.dtype) -> Tensor:
        """The numbers as elements of a grid of a dtype."""
        if self.count is not None:
            step = self.step if self.count == 1 else (self.stop - self.start) / (self.count - 1)
            step = abs(step) if isinstance(step, complex) else step
            return staged(np.arange(self.count).astype(dtype)) * step + self.start
        return staged_arange(self.size).astype(dtype) * self.step + self.start

    def alone(self, dtype: np.dtype) -> Any:
        """The numbers of a subscript that is no tuple."""
        if self.count is None:
            return staged_arange(self.start, self.stop, self.step)
        return self.axis(dtype)


def _kind(bound):
    if isinstance(bound, Tensor):
        weak = getattr(bound.type, "kind", None)
        return bound.dtype if weak is None else weak(0)
    return bound


def _along(axis, place, count):
    """The elements of one axis, as an array of as many axes as the grid has."""
    shape = [1] * count
    shape[place] = -1
    return np.reshape(axis, shape)


def _dense(axes, sizes):
    """The elements of each axis for each place of the grid."""
    planes = []
    for place, axis in enumerate(axes):
        plane = full(sizes, 0, axis.dtype)
        plane[...] = _along(axis, place, len(axes))
        planes.append(plane)
    return np.stack(planes)


def staged_indices(dimensions: Any, dtype: Any = int, sparse: bool = False) -> Any:
    """The indices of a grid whose sizes may be staged, also as elements of an array."""
    if not is_staged(dimensions):
        made = np.indices(dimensions, dtype, sparse)
        return tuple(map(staged, made)) if sparse else staged(made)
    if isinstance(dimensions, Tensor):
        if dimensions.ndim == 0:
            return tuple(dimensions)  # which raises the error of NumPy
        if not _are_sizes(dimensions):
            return call_library(np.indices, (dimensions, dtype, sparse), {})
        dimensions = [cast(dimensions[axis], INT) for axis in range(dimensions.shape[0])]
    axes = [staged_arange(size).astype(dtype) for size in dimensions]
    if sparse:
        return tuple(_along(axis, place, len(axes)) for place, axis in enumerate(axes))
    return _dense(axes, tuple(dimensions))


def _are_sizes(array):
    """Whether an array holds a size for each axis, of which there are a known number."""
    return array.dtype.kind in "iu" and array.ndim == 1 and array.shape[0] in range(1, 65)


register_call(np.indices, staged_indices)
