"""What an operation may raise in a run, although its types are right.

    x[i]                 IndexError, unless the run's index is known to be inside
    np.linalg.inv(x)     LinAlgError
    int(x), 1 / n        ValueError; ZeroDivisionError, of numbers of Python's

Asked where an operation stands in a `try`: the graph has no handlers
(`staging/control_flow/try_blocks.py`).  What only warns (NumPy's division by zero) raises nothing,
unless `np.errstate` says so.
"""

from typing import Any

import numpy as np

from runtime.analyses.speculation import is_inside
from runtime.ir.op import Op
from runtime.ir.types import INT, PythonType, TensorType, Type

Kinds = tuple[type[Exception], ...]

INDEXING = {"getitem", "setitem", "take", "list_get", "list_set", "list_pop"}
DIVISIONS = {"divide", "floor_divide", "remainder", "divmod"}
SHAPING = {"reshape", "reshape_to", "concatenate", "stack", "list_stack"}


def may_raise(op: Op, types: tuple[Type, ...], attributes: dict[str, Any]) -> Kinds:
    """The exceptions that a run may raise there."""
    match op.name:
        case name if name in INDEXING:
            inside = name == "getitem" and len(types) == 1 and is_inside(attributes["at"], types[0])
            return () if inside else (IndexError,)
        case name if name in DIVISIONS:
            all_pythons = all(isinstance(kind, PythonType) for kind in types)
            return (ZeroDivisionError,) if all_pythons else ()
        case "number":
            whole = attributes["type"] is INT and types[0].dtype.kind in "fc"
            return (ValueError, OverflowError) if whole else ()
        case name if name in SHAPING:
            return () if all(map(_is_known, types)) else (ValueError,)
        case "text_call" | "list_asked" | "list_made":
            return (ValueError, IndexError)
        case "again" | "recursive":
            return (RecursionError,)
    module = getattr(op.numpy, "__module__", None)
    if module == "numpy.linalg":
        return (np.linalg.LinAlgError,)
    return (ValueError, OverflowError) if module == "math" else ()


def _is_known(kind):
    return not isinstance(kind, TensorType) or all(isinstance(size, int) for size in kind.shape)
