"""Positions and selections of elements, and their order."""

import numpy as np

import autograph
from runtime.export.library.definitions.table import defines, is_float, is_row


@defines("argmax")
def place_of_maximum(x):
    """The first position of the largest element; a nan is larger than any number."""
    if not is_row(x):
        return NotImplemented
    if len(x) == 0:
        raise ValueError("attempt to get argmax of an empty sequence")
    place, best = 0, x[0]
    for i in range(1, len(x)):
        if best == best and not x[i] <= best:
            place, best = i, x[i]
    return np.int64(place)


@defines("argmin")
def place_of_minimum(x):
    """The first position of the smallest element; a nan is smaller than any number."""
    if not is_row(x):
        return NotImplemented
    if len(x) == 0:
        raise ValueError("attempt to get argmin of an empty sequence")
    place, best = 0, x[0]
    for i in range(1, len(x)):
        if best == best and not x[i] >= best:
            place, best = i, x[i]
    return np.int64(place)


@defines("flatnonzero", "nonzero")
def places_of_truths(x):
    """The positions of elements that are not zero."""
    if getattr(x, "ndim", 0) != 1:
        return NotImplemented
    found, count = np.zeros(len(x), np.int64), 0
    for i in range(len(x)):
        if x[i]:
            found[count] = i
            count += 1
    return found[:count]


@defines("count_nonzero")
def count_of_truths(x):
    """How many elements are not zero."""
    if getattr(x, "ndim", 0) != 1:
        return NotImplemented
    count = 0
    for i in range(len(x)):
        if x[i]:
            count += 1
    return np.int64(count)


@defines("searchsorted")
def place_in_order(x, value):
    """The first position before which a number keeps the order of the elements."""
    if not (is_row(x) and is_float(x)) or getattr(value, "ndim", 0):
        return NotImplemented
    low, high = 0, len(x)
    while low < high:
        middle = (low + high) // 2
        if x[middle] < value or value != value and x[middle] == x[middle]:
            low = middle + 1
        else:
            high = middle
    return np.int64(low)


@autograph.convert
def selected(x, at):
    """`x[at]`: the elements at some positions, or those where `at` is true."""
    if not is_row(x) or getattr(at, "ndim", 0) != 1:
        return NotImplemented
    if at.dtype.kind == "b":
        return _compressed(x, at)
    found = np.zeros(len(at), x.dtype)
    for i in range(len(at)):
        found[i] = x[at[i]]
    return found


@defines("take")
def taken(x, at):
    """The elements at some positions."""
    if getattr(at, "ndim", 0) != 1 or at.dtype.kind not in "iu":
        return NotImplemented
    return selected(x, at)


@autograph.convert
def _compressed(x, at):
    if len(at) != len(x):
        raise IndexError("boolean index did not match indexed array along axis 0")
    found, count = np.zeros(len(x), x.dtype), 0
    for i in range(len(x)):
        if at[i]:
            found[count] = x[i]
            count += 1
    return found[:count]


@defines("flip")
def flipped(x):
    """The elements from the last to the first."""
    if not is_row(x):
        return NotImplemented
    found = np.zeros(len(x), x.dtype)
    for i in range(len(x)):
        found[i] = x[len(x) - 1 - i]
    return found


@defines("sort")
def in_order(x):
    """The elements in ascending order, nan last."""
    return _in_order(x) if is_row(x) else NotImplemented


@autograph.convert
def _in_order(x):
    """Merges runs of 1, 2, 4, ... elements."""
    given, found, width = x.copy(), np.zeros(len(x), x.dtype), 1
    while width < len(x):
        start = 0
        while start < len(x):
            middle = min(start + width, len(x))
            end = min(middle + width, len(x))
            low, high = start, middle
            for i in range(start, end):
                if (
                    high == end
                    or low < middle
                    and not (
                        given[high] < given[low]
                        or given[low] != given[low]
                        and given[high] == given[high]
                    )
                ):
                    found[i] = given[low]
                    low += 1
                else:
                    found[i] = given[high]
                    high += 1
            start = end
        given[:] = found
        width *= 2
    return given


@defines("median")
def middle(x):
    """The element in the middle, or the mean of the two there; nan if one is."""
    if not (is_row(x) and is_float(x)):
        return NotImplemented
    return _middle(x)


@autograph.convert
def _middle(x):
    ordered, count = _in_order(x), len(x)
    if count == 0 or ordered[count - 1] != ordered[count - 1]:
        found = x.dtype.type(np.nan)
    elif count % 2 == 1:
        found = ordered[count // 2]
    else:
        found = (ordered[count // 2 - 1] + ordered[count // 2]) / x.dtype.type(2)
    return found


@defines("concatenate")
def joined(*parts):
    """The elements of some arrays, one array after the other."""
    arrays = parts[:-1] if isinstance(parts[-1], int) else parts  # without the axis
    if len({getattr(one, "dtype", None) for one in arrays}) > 1 or not all(map(is_row, arrays)):
        return NotImplemented
    return _joined(arrays)


@autograph.convert
def _joined(arrays):
    total = 0
    for one in arrays:
        total = total + len(one)
    found, start = np.zeros(total, arrays[0].dtype), 0
    for one in arrays:
        for i in range(len(one)):
            found[start + i] = one[i]
        start = start + len(one)
    return found
