"""The records of all ops.

Importing this package fills the registry in `ir/op.py`.
"""

from runtime.ops import (
    adjoint,
    adjoint_lists,
    control_flow,
    conversion,
    cotangents,
    counter_rng,
    creation,
    effects,
    elementwise,
    impure,
    index,
    library,
    linalg,
    list_methods,
    lists,
    ragged,
    reduce,
    scalars,
    shape,
    special,
    strings,
    updates,
)

__all__ = [
    "adjoint",
    "adjoint_lists",
    "control_flow",
    "conversion",
    "cotangents",
    "counter_rng",
    "creation",
    "effects",
    "elementwise",
    "impure",
    "index",
    "library",
    "linalg",
    "list_methods",
    "lists",
    "ragged",
    "reduce",
    "scalars",
    "shape",
    "special",
    "strings",
    "updates",
]
