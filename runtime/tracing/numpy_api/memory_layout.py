"""The memory layout of staged arrays: what `x.strides` and `x.flags` show.

    x.strides                         those of the call that is recorded
    x.flags.c_contiguous, x.flags["F"]

NumPy decides the layout of a result by the layouts of the operands.  So it is computed from the
arrays of the call for which the graph is recorded, and the graph is valid for arguments of the same
shapes and layouts only: `LayoutsRead` has the inputs whose layouts the guard compares.
"""

from typing import Any

import numpy as np

from runtime.errors import MemoryLayoutError, OutsideWriteError, staging_error
from runtime.ir.graph import Value
from runtime.tracing import trace
from runtime.tracing.aliases import Kind, kind_of
from runtime.tracing.call_values import CallValues
from runtime.tracing.constant_values import UNKNOWN, constant_value
from runtime.tracing.tensor import Tensor

Layout = tuple[tuple[int, ...], tuple[int, ...], bool, bool]


def layout_of(array: Any) -> Layout:
    """The shape and the strides of an array, and whether it is writeable and aligned."""
    return array.shape, array.strides, array.flags.writeable, array.flags.aligned


class LayoutsRead:
    """The inputs of a graph whose layouts decide what code has read, each with its layout."""

    def __init__(self) -> None:
        self.known: dict[Value, Layout] = {}


def known_array(tensor: Tensor, name: str) -> Any:
    """An array of the same layout as a staged one; its attribute `name` is read.

    Raises `StagingError` where the layout is not known.
    """
    origin = tensor.origin()
    known = constant_value(origin._value)
    if known is not UNKNOWN:
        return known
    recorder = trace.current()
    is_plain = recorder is not None and kind_of(tensor) in (Kind.FRESH, Kind.VIEW)
    if not is_plain or recorder.depends_on_run or recorder.is_mapped:
        raise _not_known(name)
    found = recorder.state(CallValues).with_inputs(origin._value, recorder)
    if found is None:
        raise _not_known(name)
    array, inputs = found
    read = recorder.state(LayoutsRead).known
    read.update((value, layout_of(given)) for value, given in inputs)
    return array


def _not_known(name):
    return staging_error(
        f"{name!r} of a staged array is not known",
        "It depends on the memory layout of the array, and graphs have values only.",
        "Use it outside of the function.",
        MemoryLayoutError,
    )


class StagedFlags:
    """`x.flags` of a staged array: the flags that the layout decides."""

    def __init__(self, tensor: Tensor):
        self._array = known_array(tensor, "flags")

    def __getattr__(self, name: str) -> bool:
        if name == "owndata":
            raise _not_known("flags.owndata")
        return getattr(self._array.flags, name)

    def __setattr__(self, name: str, value: Any) -> None:
        if name == "_array":
            object.__setattr__(self, name, value)
            return
        raise staging_error(
            f"flags.{name} of a staged array is set",
            "It would change how other code may use the array.",
            "Set it outside of the function.",
            OutsideWriteError,
        )

    def __getitem__(self, key: str) -> bool:
        if key in ("O", "OWNDATA"):
            raise _not_known("flags['OWNDATA']")
        return self._array.flags[key]


def strides(tensor: Tensor) -> tuple[int, ...]:
    """The strides of an array."""
    array: np.ndarray = known_array(tensor, "strides")
    return array.strides
