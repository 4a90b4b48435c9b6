"""The exceptions that an operation may raise in a run, although its types are right.

    x[i]                 IndexError, unless the index is known to be in range
    np.linalg.inv(x)     LinAlgError
    int(x), 1 / n        ValueError; ZeroDivisionError, of Python scalars

Staging queries them if an operation is inside a `try`: the graph has no handlers
(`staging/control_flow/try_blocks.py`).  Operations that only warn (NumPy's division by zero) raise
nothing, unless `np.errstate` says so.
"""

from typing import Any

from runtime.ir.op import Op
from runtime.ir.traits import Exceptions
from runtime.ir.types import Type


def may_raise(op: Op, types: tuple[Type, ...], attributes: dict[str, Any]) -> Exceptions:
    """The exceptions that an execution of the op may raise, by its record (`Traits.raises`)."""
    raises = op.traits.raises
    return raises(types, attributes) if callable(raises) else raises
