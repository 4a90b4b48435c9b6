"""The lowerings: for each op that XLA runs, the function that computes it with JAX.

    @lowers("sqrt")
    def sqrt(run, node, x):
        return jnp.sqrt(x)

A lowering gets the run of a piece (`evaluation.py`), the node, and the operands, and returns the
result, or a tuple of results.  It raises `NotLowered` for operands that it has no code for; such a
node stays in the NumPy program.
"""

from collections.abc import Callable
from typing import Any

Lowering = Callable[..., Any]  # (run, node, *operands) -> results
LOWERINGS: dict[str, Lowering] = {}


class NotLowered(Exception):
    """A node has no equivalent in XLA; the text says why."""


def lowers(*names: str) -> Callable[[Lowering], Lowering]:
    """Registers a function as the lowering of ops: a decorator."""

    def register(lowering: Lowering) -> Lowering:
        for name in names:
            if LOWERINGS.setdefault(name, lowering) is not lowering:
                raise ValueError(f"there are two lowerings of {name} for XLA")
        return lowering

    return register
