"""The arrays into which a pure function of a package writes, since its arguments say so.

scipy.linalg.solve(a, b, overwrite_a=True)             a
scipy.ndimage.gaussian_filter(x, 2.0, output=y)        y
scaler.transform(x, copy=False)                        x

A function that only computes with its arguments and writes into them is called while the graph is
recorded, which follows its writes:

def fill(array):
    array[:] = 7
"""

import inspect
import numbers
from types import FunctionType, NoneType
from typing import Any

import numpy as np

from autograph.functions.bytecode import instructions
from runtime.errors import OutsideWriteError, staging_error, unsupported
from runtime.ir.types import is_array
from runtime.ops.library_call import public_name
from runtime.tracing.tensor import Tensor

PREFIX = "overwrite_"
TARGETS = ("out", "output")  # parameters for arrays that take the result
FLAGS = (("copy", False), ("inplace", True), ("in_place", True))

# Instructions of functions that only write into items of their arguments: they call nothing, and
# reach nothing else.
WRITES = ("STORE_SUBSCR", "STORE_SLICE")
OTHERS = "RESUME CACHE NOP POP_TOP COPY SWAP LOAD_CONST LOAD_FAST STORE_FAST LOAD_FAST_LOAD_FAST "
OTHERS += "BUILD_SLICE BUILD_TUPLE BINARY_SUBSCR BINARY_SLICE BINARY_OP RETURN_VALUE RETURN_CONST"
ALLOWED = frozenset((*WRITES, *OTHERS.split()))


def only_writes_arguments(function: Any, args: tuple, kwargs: dict) -> bool:
    """Whether a call only computes with its arguments and writes into items of them."""
    if type(function) is not FunctionType:
        return False
    defaults = (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
    values = (*args, *kwargs.values(), *defaults)
    if not all(isinstance(one, (Tensor, numbers.Number, NoneType)) for one in values):
        return False
    found = list(instructions(function.__code__))
    in_place = any(one.opname == "BINARY_OP" and one.argrepr.endswith("=") for one in found)
    names = {one.opname for one in found}
    return not in_place and names <= ALLOWED and not names.isdisjoint(WRITES)


def written_places(
    function: Any, args: tuple, kwargs: dict, operands: list[Any]
) -> tuple[int, ...]:
    """The places among the operands of the arrays that a call writes into.

    Raises `StagingError` for an array that was created outside of the function, and for a
    variable.
    """
    given = _given(function, args, kwargs)
    targets = [given.get(name) for name in TARGETS]
    names = [name.removeprefix(PREFIX) for name in given if name.startswith(PREFIX) and given[name]]
    first = next(iter(args), None)
    for name in names:
        same = [value for key, value in given.items() if key.startswith(name[:1])]
        targets.append(given[name] if name in given else next(iter(same), first))
    targets += [first for name, value in FLAGS if name in given and given[name] is value]
    return tuple(dict.fromkeys(_place(function, one, operands) for one in targets if _holds(one)))


def is_target(kwargs: dict) -> bool:
    """Whether a call returns the array that is given to take the result."""
    return any(kwargs.get(name) is not None for name in TARGETS)


def _given(function: Any, args: tuple, kwargs: dict) -> dict[str, Any]:
    try:
        bound = inspect.signature(function).bind(*args, **kwargs).arguments
    except (TypeError, ValueError):
        return dict(kwargs)
    nested = [value for value in bound.values() if type(value) is dict]
    return {**bound, **{key: one for value in nested for key, one in value.items()}}


def _holds(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return any(map(_holds, value))
    return isinstance(value, np.ndarray) or isinstance(value, Tensor) and is_array(value.type)


def _place(function: Any, value: Any, operands: list[Any]) -> int:
    name = public_name(function)
    if isinstance(value, (tuple, list)):
        raise unsupported(f"{name} with several arrays to write into")
    place = next((i for i, one in enumerate(operands) if one is value), None)
    if place is None or not isinstance(value, Tensor):
        raise staging_error(
            f"{name} is to write into an array that is not staged",
            "That array was created outside of the function, and no run would change it.",
            "Create it in the function, or pass it as an argument.",
            OutsideWriteError,
        )
    return place
