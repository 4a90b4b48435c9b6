"""Arrays of numbers at equal distances, and identity matrices."""

import numpy as np

from runtime.export.library.definitions.table import defines, is_float


@defines("arange")
def numbers(start, stop, step):
    """Every step-th number from start to stop."""
    if not (type(start) is int and type(step) is int and step > 0) or is_float(stop):
        return NotImplemented
    count = stop - start if step == 1 else (stop - start + step - 1) // step
    found = np.zeros(max(count, 0), np.int64)
    for i in range(count):
        found[i] = start + i * step
    return found


@defines("linspace")
def spaced(start, stop, count=50):
    """Numbers at equal distances."""
    if not (type(start) in (int, float) and type(stop) in (int, float)):
        return NotImplemented
    start, stop = float(start), float(stop)
    if start == stop:
        return NotImplemented
    found = np.zeros(count)
    if count == 1:
        found[0] = start
    elif count > 1:
        step = np.float64(stop - start) / (count - 1)
        for i in range(count):
            found[i] = i * step + start
        found[count - 1] = stop
    return found


@defines("eye")
def identity(count):
    """Ones on the diagonal."""
    found = np.zeros((count, count))
    for i in range(count):
        found[i, i] = 1.0
    return found
