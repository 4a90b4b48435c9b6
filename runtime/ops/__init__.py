"""All ops; importing this package fills the registry."""

from runtime.ops import (
    control,
    effects,
    elementwise,
    index,
    library,
    linalg,
    list_methods,
    lists,
    outside,
    reduce,
    scalars,
    shape,
    special,
    strings,
    written,
)

__all__ = [
    "control",
    "effects",
    "elementwise",
    "index",
    "library",
    "linalg",
    "list_methods",
    "lists",
    "outside",
    "reduce",
    "scalars",
    "shape",
    "special",
    "written",
    "strings",
]
