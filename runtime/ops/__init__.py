"""All ops; importing this package fills the registry."""

from runtime.ops import (
    control,
    drawn,
    effects,
    elementwise,
    index,
    library,
    linalg,
    list_methods,
    lists,
    outside,
    reduce,
    shape,
    special,
    strings,
    written,
)

__all__ = [
    "control",
    "drawn",
    "effects",
    "elementwise",
    "index",
    "library",
    "linalg",
    "list_methods",
    "lists",
    "outside",
    "reduce",
    "shape",
    "special",
    "written",
    "strings",
]
