"""Arrays as bytes, in the format of safetensors: a header of JSON, then the elements.

    8 bytes    the length of the header, little-endian
    header     {"kernel": {"dtype": "F64", "shape": [2, 3], "data_offsets": [0, 48]}, ...}
    elements   of all arrays, in the order of the header, without gaps

The format has no 128-bit complex numbers: they are pairs of 64-bit floats, along one more axis.
The manifest has the dtypes and shapes of all arrays, so it says which pairs these are.
"""

import json
import math
from typing import Any

import numpy as np

from runtime.ir.types import DTYPE_NAMES, DTYPES
from runtime.saved.strict_json import decoded

NAMES = {
    "b1": "BOOL",
    **{f"i{n}": f"I{n}" for n in (8, 16, 32, 64)},
    **{f"u{n}": f"U{n}" for n in (8, 16, 32, 64)},
    **{f"f{n}": f"F{n}" for n in (16, 32, 64)},
    "c64": "C64",
}
STORED = {name: DTYPES[short].newbyteorder("<") for short, name in NAMES.items()}
HEADER_BYTES = 2**24
ALIGNMENT = 8


def packed(arrays: dict[str, np.ndarray]) -> bytes:
    """Arrays as bytes."""
    header, parts, start = {}, [], 0
    for name, array in arrays.items():
        stored = _as_stored(array)
        data = np.ascontiguousarray(stored, stored.dtype.newbyteorder("<")).tobytes()
        kind, shape = NAMES[DTYPE_NAMES[stored.dtype]], list(stored.shape)
        offsets = [start, start + len(data)]
        header[name] = {"dtype": kind, "shape": shape, "data_offsets": offsets}
        parts.append(data)
        start += len(data)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % ALIGNMENT)
    return b"".join([len(text).to_bytes(8, "little"), text, *parts])


def _as_stored(array):
    """An array in a dtype that the format has."""
    array = np.ascontiguousarray(array).reshape(np.shape(array))
    if array.dtype == np.complex128:
        return array.view(np.float64).reshape(*array.shape, 2)
    return array


def unpacked(data: bytes) -> dict[str, np.ndarray]:
    """The arrays of some bytes, each with memory of its own.

    Raises `ValueError` unless every byte belongs to one array; the sizes are compared before an
    array is made.
    """
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or not 2 <= length <= min(HEADER_BYTES, len(data) - 8):
        raise ValueError("the length of the header is wrong")
    header = decoded(data[8 : 8 + length])
    if type(header) is not dict:
        raise ValueError("the header is not a table of arrays")
    end, found = 0, {}
    elements = memoryview(data)[8 + length :]
    for name, entry in header.items():
        dtype, shape, end = _checked(name, entry, end, len(elements))
        size = math.prod(shape) * dtype.itemsize
        array = np.frombuffer(elements[end - size : end], dtype).reshape(shape)
        found[name] = np.array(array, dtype.newbyteorder("="), order="C")
    if end != len(elements):
        raise ValueError("some bytes belong to no array")
    return found


def _checked(name: str, entry: Any, start: int, available: int) -> tuple[np.dtype, tuple, int]:
    """The dtype and shape of an array, and where it ends."""
    if type(entry) is not dict or set(entry) != {"dtype", "shape", "data_offsets"}:
        raise ValueError(f"array {name!r} has other entries than dtype, shape and data_offsets")
    kind, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    if type(kind) is not str or kind not in STORED:
        raise ValueError(f"array {name!r} has the unknown dtype {kind!r}")
    is_shape = type(shape) is list and len(shape) <= 32
    if not is_shape or any(type(size) is not int or size < 0 for size in shape):
        raise ValueError(f"array {name!r} has no valid shape")
    dtype = STORED[kind]
    end = start + math.prod(shape) * dtype.itemsize
    if offsets != [start, end] or any(type(one) is not int for one in offsets) or end > available:
        raise ValueError(f"array {name!r} does not begin where the one before it ends")
    return dtype, tuple(shape), end


def as_declared(array: np.ndarray, dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
    """An array of a file in the dtype and shape that the manifest states.

    Raises `ValueError` if the file has another one.
    """
    if dtype == np.complex128 and array.dtype == np.float64 and array.shape == (*shape, 2):
        return array.view(np.complex128).reshape(shape)
    if array.dtype != dtype or array.shape != shape:
        raise ValueError(f"an array is {array.dtype}{list(array.shape)}, not as the manifest says")
    return array
