"""The messages about values that a variable cannot hold.

the variable 'w' of f64[2] is assigned an array of shape (3,)
A variable keeps its shape, and assigned values are not broadcast.
Assign an array of shape (2,), or create another variable: rt.Variable(x).
"""

from typing import Any

import numpy as np

from autograph.errors import with_article
from runtime.ir import unsupported


def not_held(dtype: np.dtype[Any]) -> str:
    """About an initial value of a dtype that graphs do not support."""
    remedy = "Pass numbers: rt.Variable(np.asarray(x, np.float64))"
    if dtype.kind in "USTO":
        remedy += ".  Keep texts and objects in a Python list."
    what = f"an rt.Variable is created from an array of {unsupported.named(dtype)}"
    return f"{what}\n{unsupported.SUPPORTED}\n{remedy}"


def another_dtype(variable: str, dtype: np.dtype[Any], given: Any) -> str:
    """About a value of a dtype, or of a class of numbers, that has another kind."""
    name = given.__name__ if isinstance(given, type) else given.name
    return (
        f"the {variable} is assigned {with_article(name)}\n"
        f"A variable keeps its dtype, and {name} is not of the same kind.\n"
        f"Convert it: np.asarray(x).astype(np.{dtype.name}).  Or create the variable with another "
        "dtype: rt.Variable(initial, dtype=...)."
    )


def another_shape(variable: str, wanted: tuple[Any, ...], given: tuple[Any, ...]) -> str:
    """About a value of another shape, whose sizes may be unknown."""
    is_known = all(isinstance(size, int) for size in given)
    shown = f"of shape {given}" if is_known else f"of a shape other than {wanted}"
    remedy = f"Assign an array of shape {wanted}, or create another variable: rt.Variable(x)."
    if is_known and _is_broadcast(given, wanted):
        remedy = f"Assign np.broadcast_to(x, {wanted}), or write into it: v[...] = x."
    return (
        f"the {variable} is assigned an array {shown}\n"
        f"A variable keeps its shape, and assigned values are not broadcast.\n{remedy}"
    )


def _is_broadcast(given, wanted):
    try:
        return np.broadcast_shapes(given, wanted) == wanted
    except ValueError:
        return False
