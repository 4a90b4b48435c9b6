"""Values of variables that are on a device until they are read.

    keep(v, array)        the array of a device is the value; the slot `_array` is empty
    v + 1                 reads the slot: the variable has no such attribute, and fetches the value

So all readers find an array of NumPy, and a variable that functions on devices alone use never
leaves them.  Its value is at one place at a time: the slot `_array`, where that is filled.
"""

from typing import Any

import numpy as np


def keep(variable: Any, array: Any) -> None:
    """Makes an array on a device the value of a variable."""
    variable._placed = array
    if not is_on_device(variable):
        del variable._array


def found(variable: Any) -> Any:
    """The value of a variable where it is: on a device, or in the memory of the host."""
    value = _on_host(variable)
    return variable._placed if value is None else value


def is_on_device(variable: Any) -> bool:
    """Whether the value of a variable is on a device."""
    return _on_host(variable) is None


def fetched(variable: Any) -> np.ndarray:
    """The value of a variable whose slot `_array` is empty, which becomes an array of NumPy."""
    value = _on_host(variable)  # another thread may have fetched it
    if value is None:
        value = np.array(variable._placed, order="C")
        variable._array = value
        del variable._placed
    return value


def _on_host(variable: Any) -> Any:
    """The value in the slot `_array`; None if that is empty."""
    try:
        return object.__getattribute__(variable, "_array")
    except AttributeError:
        return None
