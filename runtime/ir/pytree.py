"""Nested containers as lists of leaves, and back; see `autograph/staging/pytree.py`."""

from autograph.staging.pytree import (
    LEAF,
    Structure,
    flatten,
    is_dict,
    is_list,
    leaves_like,
    leaves_of,
    transform,
    unflatten,
)

__all__ = [
    "LEAF",
    "Structure",
    "flatten",
    "is_dict",
    "is_list",
    "leaves_like",
    "leaves_of",
    "transform",
    "unflatten",
]
