"""`x.real` and `x.imag`, which code reads and assigns to.

x.real            a view of a complex array, or the array itself
x.real = y        elements of x are written
flag.real         an int, for a Python bool
"""

from typing import Any

import numpy as np

from runtime.ir.types import BOOL
from runtime.tracing.tensor import Tensor


def assign_part(x: Any, name: str, value: Any) -> None:
    """Assigns to `x.real` or `x.imag`."""
    part = {"real": np.real, "imag": np.imag}[name]
    if name == "imag" and x.dtype.kind != "c":
        raise TypeError("array does not have imaginary part to set")
    target = part(x)
    if value is not target:
        target[...] = value


def _part(name: str) -> Any:
    function = getattr(np, name)

    def read(x: Any) -> Any:
        return function(+x if x.type is BOOL else x)

    def write(x: Any, value: Any) -> None:
        assign_part(x, name, value)

    return property(read, write)


Tensor.real, Tensor.imag = _part("real"), _part("imag")  # type: ignore[attr-defined]
