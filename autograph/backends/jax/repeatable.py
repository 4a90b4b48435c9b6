"""Whether code can be traced once in place of many times: it calls JAX, and itself, alone.

    w = w - 0.1 * jnp.tanh(w)         the names that it reads: w, an array, and jnp, a module of JAX
    x = next(batches)                 no: each call has another result
    w = model(w)                      no: an object may change in the call

Names are looked up before the code runs.  A name that holds anything else than arrays, numbers,
modules and functions of JAX, or functions of the user of which the same holds, is a reason to say
no.
"""

import builtins
import dis
import functools
from collections.abc import Iterator
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from autograph.backends.jax.abstract import NUMBERS, is_array

PURE_BUILTINS = frozenset(
    map(
        id,
        (abs, bool, complex, enumerate, float, int, len, max, min, range, reversed, round, sum, zip)
        + (dict, list, tuple, divmod, pow, all, any),
    )
)
MISSING = object()


def is_repeatable(function: Any, seen: frozenset = frozenset()) -> bool:
    """Whether a function of the user calls nothing but JAX, pure builtins, and such functions."""
    if function.__code__ in seen:
        return True
    seen |= {function.__code__}
    return all(_is_allowed(value, function.__code__, seen) for value in _read(function))


def _read(function: FunctionType) -> Iterator[Any]:
    """The values of the free and global variables that a function reads."""
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # a variable without a value
            continue
    for name in _globals(function.__code__):
        yield function.__globals__.get(name, getattr(builtins, name, MISSING))


def _globals(code: CodeType) -> Iterator[str]:
    """The names of global variables in code, and in the functions that it defines."""
    for instruction in dis.get_instructions(code):
        if instruction.opname in ("LOAD_GLOBAL", "LOAD_NAME"):
            yield instruction.argval
        elif instruction.opname in ("STORE_GLOBAL", "DELETE_GLOBAL", "IMPORT_NAME"):
            yield ""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _globals(constant)


def _is_allowed(value: Any, code: CodeType, seen: frozenset) -> bool:
    if value is None or isinstance(value, (*NUMBERS, str)) or is_array(value):
        return True
    if isinstance(value, (tuple, list)):
        return all(_is_allowed(one, code, seen) for one in value)
    if isinstance(value, dict):
        return all(_is_allowed(one, code, seen) for one in value.values())
    if isinstance(value, ModuleType):
        is_numpy = value is np and "random" not in _attributes(code)
        return is_numpy or value.__name__.partition(".")[0] == "jax"
    if id(value) in PURE_BUILTINS:
        return True
    if (getattr(value, "__module__", None) or "").partition(".")[0] in ("jax", "jaxlib"):
        return callable(value) and not isinstance(value, functools.partial)
    return type(value) is FunctionType and is_repeatable(value, seen)


def _attributes(code: CodeType) -> set[str]:
    """The names in code, and in the functions that it defines."""
    inside = [one for one in code.co_consts if isinstance(one, CodeType)]
    return set(code.co_names).union(*map(_attributes, inside))
