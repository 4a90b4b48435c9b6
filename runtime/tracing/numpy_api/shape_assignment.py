"""`x.shape = (2, 3)`: the same array in another shape, under all of its names.

The handle gets a reshaped value.  That is possible for an array that the function has made, as long
as no view of it exists: a view is computed from the shape that the array had.
"""

from typing import Any

import numpy as np

from runtime.errors import OutsideWriteError, staging_error
from runtime.tracing import trace
from runtime.tracing.array_inputs import ArrayInputs
from runtime.tracing.numpy_api.memory_layout import known_array
from runtime.tracing.tensor import Tensor
from runtime.tracing.viewed_arrays import ViewedArrays


def assign_shape(array: Tensor, shape: Any) -> None:
    """Gives an array another shape.

    Raises NumPy's errors, and `StagingError` for arrays that other code can see.
    """
    recorder = trace.current()
    is_plain = recorder is not None and type(array) is Tensor and array.type.shape
    if not is_plain or not _is_own(array, recorder):
        raise staging_error(
            "the attribute 'shape' of a staged array is set",
            "It would change the array under all of its names.",
            "Create another array: x = x.reshape(shape).",
            OutsideWriteError,
        )
    if array.ndim > 1:  # one that has one dimension is contiguous, since it is no view
        _check(known_array(array, "shape: the memory"), shape)
    found = np.reshape(Tensor(*array._at), shape)
    array._at = array._origin = found._at


def _is_own(array, recorder):
    """Whether the function has made an array in the code that is recorded now, without views."""
    is_given = recorder.state(ArrayInputs).input_of(array) is not None
    is_here = array._origin[1] is array._at[1] is recorder.region
    return is_here and not is_given and not recorder.state(ViewedArrays).has(array)


def _check(known, shape):
    other = known.view()
    other.shape = shape  # or NumPy's error
