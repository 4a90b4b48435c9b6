"""Which NumPy functions work on staged values: an allow-list, never a catch-all.

A catch-all would be wrong: functions that write into their argument, or that draw random numbers,
would seem to work.
"""

import difflib
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from runtime.errors import unsupported
from runtime.ir.op import Op, records
from runtime.ops.library import LIBRARY, is_library_op
from runtime.ops.updates import AFTER

# The functions that are composed of others, and their replacements (`decompositions.py`).
COMPOSED: dict[Any, Callable] = {}


def composed(original: Any) -> Callable[[Callable], Callable]:
    """Registers the decorated function as the replacement of a NumPy function."""

    def register(function):
        COMPOSED[original] = function
        return function

    return register


def alias(*pairs: tuple[Any, Any]) -> None:
    """Registers functions as other names of each other: (name, function) pairs."""
    for original, other in pairs:
        if original is not other:
            COMPOSED[original] = _calling(other)


def _calling(function):
    return lambda *args, **kwargs: function(*args, **kwargs)


@cache
def functions_with_ops() -> dict[Any, Op]:
    """The NumPy functions that have an op of their own."""
    return {op.numpy: op for op in records() if op.numpy is not None and not is_library_op(op)}


def supported_functions() -> list:
    """The functions that work on staged values."""
    return [*functions_with_ops(), *LIBRARY, *COMPOSED, *AFTER]


# Functions that need to know the elements, with the reason and a remedy.  They work where a call
# is recorded that has them (`staging/calls/eigenvalues.py`).
REAL_OR_COMPLEX = (
    "Its result is real or complex depending on the elements, and a graph has one dtype.  The "
    "elements are not known here: in a branch, a loop or a batch, or without an array."
)
UNFIT: dict[Any, tuple[str, str]] = {
    np.linalg.eig: (
        REAL_OR_COMPLEX,
        "Use np.linalg.eigh for symmetric matrices; for others, call it outside of the function.",
    ),
    np.linalg.eigvals: (
        REAL_OR_COMPLEX,
        "Use np.linalg.eigvalsh for symmetric matrices; for others, call it outside of the "
        "function.",
    ),
    np.roots: (REAL_OR_COMPLEX, "Call it outside of the function, or write a Newton iteration."),
}


SIMILAR = 0.75  # names, at least, one of which may be meant by the other


def unsupported_function(function: Any) -> BaseException:
    """The error about a function that does not work on staged values.

    It names the function with the most similar name, and the call that each run can make.
    """
    if function in UNFIT:
        why, instead = UNFIT[function]
        return unsupported(_path(function), instead, why)
    known = {f.__name__: f for f in supported_functions()}
    near = difflib.get_close_matches(function.__name__, known, 1, SIMILAR)
    other = f"Use {_path(known[near[0]])} if you mean that, or let" if near else "Let"
    call = f"rt.library_call({_path(function)}, ...)"
    return unsupported(_path(function), f"{other} each run call it: {call}.")


def _path(function):
    """How a user writes a NumPy function."""
    module = getattr(function, "__module__", None) or "numpy"
    public = module in ("numpy.linalg", "numpy.fft")
    return f"{module.replace('numpy', 'np', 1) if public else 'np'}.{function.__name__}"
