"""The axes that `in_axes` and `out_axes` give to the leaves of arguments and results.

    in_axes=({"w": 0, "b": None}, 1)     the axes 0, None, 1 of a["w"], a["b"] and x

Containers of axes are a prefix of the containers of the values: one axis is for all leaves inside.
"""

import inspect
from collections.abc import Callable
from typing import Any

from runtime.ir.pytree import LEAF, Structure

Axes = Any  # an int, None, or containers of them
MISSING = object()


def matched(axes: Axes, structure: Structure, called: str) -> list:
    """The axis of each leaf of a structure, from containers of axes that are a prefix of it.

    Raises `ValueError` if they do not match.
    """
    is_axis = axes is None or axes is MISSING or isinstance(axes, int)
    if is_axis or structure == LEAF:
        if not is_axis:
            raise ValueError(f"{called} of vmap has {axes!r} but there is one value")
        return [axes] * leaf_count(structure)
    children = list(axes.values()) if isinstance(axes, dict) else list(axes)
    fits = len(children) == len(structure.children)
    if isinstance(axes, dict):
        fits = fits and structure.kind is dict and set(axes) == set(structure.keys)
        children = [axes[key] for key in structure.keys] if fits else children
    if not fits:
        raise ValueError(f"{called} of vmap has {axes!r} but there is {structure}")
    pairs = zip(children, structure.children, strict=True)
    return [axis for child, inside in pairs for axis in matched(child, inside, called)]


def leaf_count(structure: Structure) -> int:
    """The number of leaves of a structure."""
    return 1 if structure.kind is None else sum(map(leaf_count, structure.children))


def leaf_names(structure: Structure, function: Callable) -> list[str]:
    """A name for each leaf of the arguments, such as `x` or `x['w']`."""
    try:
        parameters = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        parameters = []
    args, kwargs = structure.children
    count = len(args.children)
    known = [*parameters[:count], *(f"argument_{i}" for i in range(len(parameters), count))]
    named = [
        *zip(known, args.children, strict=True),
        *zip(kwargs.keys, kwargs.children, strict=True),
    ]
    return [path for name, child in named for path in _paths(name, child)]


def _paths(path, structure):
    if structure.kind is None:
        return [path]
    keys = structure.keys or range(len(structure.children))
    pairs = zip(keys, structure.children, strict=True)
    return [inner for key, child in pairs for inner in _paths(f"{path}[{key!r}]", child)]
