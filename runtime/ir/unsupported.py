"""Dtypes that graphs do not support: how messages name them, and a remedy for each.

>>> import numpy as np
>>> print(named(np.dtype("<U5")), "|", remedy(np.dtype("<U5"), "words"))
texts (dtype <U5) | Pass a list of texts, which is a constant of the graph: words.tolist()
"""

from typing import Any

import numpy as np

SUPPORTED = "Graphs support bools, integers, floats up to float64, and complex numbers."

NAMES = {
    "O": "objects",
    "U": "texts",
    "S": "bytes",
    "M": "dates",
    "m": "time differences",
    "T": "texts",
}


def named(dtype: np.dtype[Any]) -> str:
    """A dtype as messages name it."""
    if dtype.names is not None:
        return f"records with the fields {', '.join(dtype.names)}"
    name = NAMES.get(dtype.kind)
    return f"the dtype {dtype}" if name is None else f"{name} (dtype {dtype})"


def remedy(dtype: np.dtype[Any], name: str) -> str:
    """Code that makes a supported array of one that is called `name`."""
    if dtype.names is not None:
        fields = ", ".join(f"{field!r}: {name}[{field!r}]" for field in dtype.names[:2])
        more = ", ..." if len(dtype.names) > 2 else ""
        return f"Pass its fields, each an array: {{{fields}{more}}}"
    match dtype.kind:
        case "O":
            return f"Convert it if it holds numbers: {name}.astype(np.float64).  Else pass a list."
        case "U" | "S" | "T":
            return f"Pass a list of texts, which is a constant of the graph: {name}.tolist()"
        case "M" | "m":
            return f"Pass the number of units, and convert the result back: {name}.astype(np.int64)"
        case "V":
            return f"View its bytes as numbers: {name}.view(np.uint8)"
        case "c" if dtype.itemsize > 16:
            return f"Convert it: {name}.astype(np.complex128)"
        case "f" if dtype.itemsize > 8:
            return f"Convert it: {name}.astype(np.float64)"
    return f"Convert it: {name}.astype(np.{dtype.newbyteorder('=').name})"
