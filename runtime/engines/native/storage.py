"""Where the arrays of machine code are: as objects of NumPy, or in memory of the caller.

    allocated      a new array, and the address of its first element
    constant       the address of the elements of a constant

`runtime/export/library/workspace.py` has the storage of code without Python.
"""

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from runtime.engines.native import python_objects as objects
from runtime.engines.native.ownership import Ownership
from runtime.engines.native.text import Text
from runtime.ir.types import TensorType


class Storage(Protocol):
    """How machine code gets arrays."""

    def allocated(
        self, text: Text, owners: Ownership, kind: TensorType, sizes: Sequence[str]
    ) -> tuple[str, str]:
        """A new array with a reference, and the address of its first element."""
        ...

    def constant(self, text: Text, value: np.ndarray) -> str:
        """The address of the first element of a constant, which is contiguous."""
        ...


class Objects:
    """Arrays are objects of NumPy."""

    def allocated(
        self, text: Text, owners: Ownership, kind: TensorType, sizes: Sequence[str]
    ) -> tuple[str, str]:
        """Calls NumPy's function that makes an array."""
        shape = text.local(f"[{len(sizes)} x i64]")
        for axis, size in enumerate(sizes):
            place = text.register(f"getelementptr i64, ptr {shape}, i64 {axis}")
            text.line(f"store i64 {size}, ptr {place}")
        dtype = dtype_object(text, kind.dtype)
        array = text.object("class_ndarray", np.ndarray)
        make = maker(text)
        owners.share(dtype)  # the function takes a reference
        arguments = f"ptr {array}, ptr {dtype}, i32 {len(sizes)}, ptr {shape}, ptr null, ptr null"
        made = text.register(f"call ptr {make}({arguments}, i32 0, ptr null)")
        text.fail_if_null(made)
        return made, data_of(text, made)

    def constant(self, text: Text, value: np.ndarray) -> str:
        """Takes the memory of the array, which the code keeps alive."""
        name = f"constant_{len(text.objects)}"  # the same in every process
        return data_of(text, text.object(name, value))


def dtype_object(text: Text, dtype: Any) -> str:
    """A symbol for the dtype that NumPy's own arrays of these elements have."""
    own = np.dtype(dtype.type)
    return text.object(f"dtype_{own.num}_{own.kind}{8 * own.itemsize}", own)


def maker(text: Text) -> str:
    """The function of NumPy that makes an array."""
    new = objects.array_function(objects.NEW_FROM_DTYPE)
    declaration = "declare ptr @PyArray_NewFromDescr(ptr, ptr, i32, ptr, ptr, ptr, i32, ptr)"
    return text.declare("PyArray_NewFromDescr", declaration, new)


def data_of(text: Text, array: str) -> str:
    """The address of the first element of an array."""
    place = text.register(f"getelementptr i8, ptr {array}, i64 {objects.ARRAY_DATA}")
    return text.register(f"load ptr, ptr {place}")
