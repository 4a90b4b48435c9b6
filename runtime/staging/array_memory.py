"""Contents of NumPy arrays that are not staged, compared before and after staged blocks.

names = np.array(["a", "b"])        graphs have no texts: the array is NumPy's own
if x > limit:
    names[0] = "z"                  found, and refused
"""

from typing import Any

import numpy as np

from autograph.staging.memory import register_memory


def _read(array: np.ndarray) -> Any:
    plain = np.ndarray.view(array, np.ndarray)
    masked = isinstance(array, np.ma.MaskedArray)
    mask = np.ma.getmaskarray(array).tobytes() if masked else None
    # An array of objects consists of their addresses, and the copy keeps them alive.
    held = _Kept(plain.copy()) if plain.dtype.hasobject else None
    elements = tuple(plain.ravel().tolist()) if plain.dtype.kind == "T" else plain.tobytes()
    return plain.shape, str(plain.dtype), elements, mask, held


class _Kept:
    """An array that is not compared."""

    def __init__(self, array: np.ndarray):
        self.array = array

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Kept)

    __hash__ = None  # type: ignore[assignment]


def _write(array: np.ndarray, contents: Any) -> None:
    shape, dtype, elements, mask, held = contents
    plain = np.ndarray.view(array, np.ndarray)
    if plain.shape != shape or str(plain.dtype) != dtype or not plain.flags.writeable:
        return
    if held is not None:
        plain[...] = held.array
    elif isinstance(elements, tuple):
        plain[...] = np.array(elements, plain.dtype).reshape(shape)
    else:
        plain[...] = np.frombuffer(elements, plain.dtype).reshape(shape)
    if mask is not None:
        array.mask = np.frombuffer(mask, np.ma.getmaskarray(array).dtype).reshape(shape)


register_memory(np.ndarray, _read, _write)
