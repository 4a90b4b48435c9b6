"""Whether and how arrays are copied where NumPy converts values: `copy=`, `order=`, requirements.

np.asarray(x, order="C")                     x itself if it is contiguous, which a run knows
np.array(x, copy=np._CopyMode.IF_NEEDED)     as `copy=None`
np.require(x, requirements="C")              as `np.asarray(x, order="C")`
"""

from typing import Any

import numpy as np

from runtime.errors import unsupported
from runtime.tracing.numpy_api.dispatch import call_library
from runtime.tracing.tensor import Tensor

REQUIREMENTS = {"A": "", "ALIGNED": "", "C": "C", "F": "F"}
REQUIREMENTS |= {"CONTIGUOUS": "C", "C_CONTIGUOUS": "C", "F_CONTIGUOUS": "F", "FORTRAN": "F"}


def copy_mode(copy: Any) -> bool | None:
    """What an argument `copy` means: True, False, or None for a copy if it is needed.

    Raises `ValueError` for texts, as NumPy does.
    """
    np.array(np.empty(0), copy=copy)
    if isinstance(copy, np._CopyMode):
        return {np._CopyMode.ALWAYS: True, np._CopyMode.NEVER: False}.get(copy)
    return None if copy is None else bool(copy)


def order_of(order: Any) -> str:
    """An argument `order` as one of the letters C, F, A, K.  Raises `ValueError` for others."""
    np.array(np.empty(0), order=order)
    return "K" if order is None else order.upper()


def refuse_to_copy() -> None:
    """Raises the `ValueError` of NumPy about a copy that the user does not want."""
    np.array(np.empty(0), int, copy=False)


def in_order(array: Tensor, order: str) -> Tensor:
    """An array with its elements in an order in memory: itself if they are so, else a copy."""
    if order not in ("C", "F") or not array.ndim:
        return array
    is_fortran = order == "F" and array.ndim > 1
    return call_library(np.asfortranarray if is_fortran else np.ascontiguousarray, (array,), {})


def in_order_uncopied(array: Tensor, order: str) -> Tensor:
    """An array that must have an order already.  Raises `StagingError` if only a run knows."""
    if order in ("C", "F") and array.ndim:
        raise unsupported(f"np.array(copy=False, order={order!r})", "Leave `order` out.")
    return array


def required(array: Tensor, requirements: Any) -> Tensor | None:
    """An array with the properties that `np.require` names; None if graphs do not know them."""
    if isinstance(requirements, str):
        requirements = [requirements]
    orders = {REQUIREMENTS.get(str(one).upper()) for one in requirements} - {""}
    if None in orders or len(orders) > 1:
        return None
    return in_order(array, orders.pop()) if orders else array
