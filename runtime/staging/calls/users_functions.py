"""The uses of arguments and of the outside in functions that stay unconverted, from their code.

def scaled(x): return x * 2              asks nothing
def checked(x): isinstance(x, float)     inspects its argument
def counted(x): calls[0] += 1            changes something outside of itself
"""

import dis
import sys
from collections.abc import Iterator
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from autograph.functions.bytecode import instructions
from autograph.functions.policy import is_users_function
from runtime.errors import EffectError, staging_error
from runtime.staging.calls.host_arguments import closure_of

ASKED = "isinstance issubclass type id repr str format hasattr callable vars dir globals __class__"
ASKING = frozenset([*ASKED.split(), "print", "open", "input", "exec", "eval", "setattr", "delattr"])
COMPUTING = frozenset(
    ["cmath", "collections", "contextlib", "functools", "itertools", "math", "operator", "typing"]
)
CHANGES = frozenset(
    [
        "print",
        "write",
        "append",
        "extend",
        "insert",
        "pop",
        "remove",
        "clear",
        "update",
        "add",
        "setdefault",
        "sort",
        "reverse",
    ]
)
STORES = ("STORE_SUBSCR", "STORE_SLICE", "STORE_ATTR", "DELETE_SUBSCR", "DELETE_ATTR")


def refuse_changes(function: FunctionType, given_to: str) -> None:
    """Raises `StagingError` for a user's function that a package would call, and that changes
    something outside of itself: only each run knows how often."""
    names = {one.argval for one in instructions(function.__code__) if isinstance(one.argval, str)}
    stores = any(one.opname == "STORE_GLOBAL" for one in instructions(function.__code__))
    if changes_outside(function) or stores or not CHANGES.isdisjoint(names):
        raise staging_error(
            f"{function.__name__}, which {given_to} calls, changes something outside of itself",
            "How often it is called is known only in a run.",
            f"Let it only compute its result, or let each run call all of it: mark the "
            f"function that calls {given_to} with @rt.effect.",
            EffectError,
        )


def changes_outside(function: Any) -> bool:
    """Whether a function may change variables of the function around it, or what they hold; a
    method its object."""
    is_method = isinstance(function, MethodType) and not isinstance(function.__self__, type)
    function = getattr(function, "__func__", function)
    if type(function) is not FunctionType:
        return False
    held = closure_of(function)
    has_memory = is_method or any(isinstance(one, (list, dict, set, np.ndarray)) for one in held)
    found = list(instructions(function.__code__))
    for at, one in enumerate(found):
        if one.opname == "STORE_DEREF" and one.argval in function.__code__.co_freevars:
            return True
        if has_memory and one.opname in STORES and not _is_into_local(found, at):
            return True
    return has_memory and _calls_change(function, found)


def _calls_change(function: FunctionType, found: list) -> bool:
    """Whether a function calls `append`, or another function that changes an object."""
    return any(
        isinstance(one.argval, str)
        and one.argval in CHANGES
        and not _is_of_module(found[at - 1], function)
        for at, one in enumerate(found)
    )


def _is_into_local(found: list, at: int) -> bool:
    """Whether an instruction `value[index] = ...` writes into a local variable's value."""
    if found[at].opname != "STORE_SUBSCR":
        return False
    depth = 0
    for i in range(at - 1, 0, -1):
        depth += dis.stack_effect(found[i].opcode, found[i].arg, jump=False)
        if depth > 0:
            loading = found[i] if depth > 1 else found[i - 1]
            return loading.opname.startswith("LOAD_FAST")
    return False


def _is_of_module(loading: Any, function: FunctionType) -> bool:
    """Whether an instruction loads a module, whose functions change none of the user's objects."""
    is_global = loading.opname in ("LOAD_GLOBAL", "LOAD_NAME")
    return is_global and isinstance(function.__globals__.get(loading.argval), ModuleType)


def asks_nothing(function: Any, seen: frozenset = frozenset()) -> bool:
    """Whether a function of the user's neither asks what its arguments are, nor prints, as far as
    its code and that of the user's functions that it names tells."""
    owner = getattr(function, "__self__", None)
    function = getattr(function, "__func__", function)
    if type(function) is not FunctionType or function in seen:
        return True
    codes = _codes(function.__code__)
    names = {name for code in codes for name in (*code.co_names, *code.co_freevars)}
    if not ASKING.isdisjoint(names):
        return False
    held = [function.__globals__[name] for name in names if name in function.__globals__]
    held += [getattr(type(owner), name, None) for name in names] if owner is not None else []
    return all(_asks_nothing(one, seen | {function}) for one in (*held, *closure_of(function)))


def _asks_nothing(value: Any, seen: frozenset) -> bool:
    if isinstance(value, ModuleType):
        package = value.__name__.partition(".")[0]
        return package in COMPUTING or package not in sys.stdlib_module_names
    is_users = type(value) is FunctionType and is_users_function(value)
    return not is_users or asks_nothing(value, seen)


def _codes(code: CodeType) -> Iterator[CodeType]:
    """A code object and those inside it."""
    yield code
    for one in code.co_consts:
        if isinstance(one, CodeType):
            yield from _codes(one)
