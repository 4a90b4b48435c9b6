"""Which changes of objects some code can make at all: the others are those of another thread.

    def f(x):                           it stores no item and no attribute, and calls nothing that
        return x * len(queue)           may: that `queue` has grown is not its doing

While a graph is recorded, other threads go on.  A change of theirs in data that the function only
reads is no effect of the function: no run repeats it, and nothing puts it back.  Code can make a
change if it has an instruction that does, or calls anything that is not known to make none.
"""

import builtins
import dis
import sys
from collections import deque
from collections.abc import Iterable
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType

from autograph.backend import PYTHON, backend_of
from autograph.functions.bytecode import (
    global_names,
    looked_up_globals,
    operates_in_place,
    stored_attributes,
)
from autograph.functions.code_tables import once_per_code
from autograph.functions.policy import is_users_class
from autograph.staging.held_objects import hooks, is_registered
from autograph.staging.object_state import dictionary

# Packages none of whose functions changes a list, dict, set or object that it is given.
_READING = ("autograph", "cmath", "math", "numpy")
_READING_BUILTINS = frozenset(
    {
        *("abs", "all", "any", "bin", "bool", "bytes", "callable", "chr", "complex", "dict"),
        *("divmod", "enumerate", "float", "format", "frozenset", "globals", "hasattr", "hash"),
        *("hex", "id", "int", "isinstance", "issubclass", "len", "list", "max", "min", "oct"),
        *("ord", "pow", "print", "range", "repr", "reversed", "round", "set", "slice", "sorted"),
        *("str", "sum", "super", "tuple", "type", "zip", "staticmethod", "classmethod", "property"),
    }
)
_CONTAINERS = (dict, list, set, deque)
_CHANGING = frozenset(
    name
    for kind in (*_CONTAINERS, bytearray)
    for name in vars(kind)
    if name not in vars(tuple) and name not in vars(frozenset) and not name.startswith("__")
) - {"get", "items", "keys", "values", "copy", "maxlen", "fromkeys"}
_REFLECTING = frozenset({"__dict__", "__setattr__", "__delattr__", "__setitem__", "__delitem__"})
_STORES = ("STORE_SUBSCR", "DELETE_SUBSCR", "STORE_SLICE")  # the last one since Python 3.12
_STORING = {dis.opmap[name] for name in _STORES if name in dis.opmap}
_BINDING = ("STORE_GLOBAL", "DELETE_GLOBAL")


def has_other_threads() -> bool:
    """Whether another thread may run."""
    return len(sys._current_frames()) > 1


class PossibleChanges:
    """The changes that some functions, and all that they reach, can make."""

    def __init__(
        self, functions: Iterable[FunctionType], owners: Iterable[object], classes: Iterable[type]
    ):
        codes = {function.__code__ for function in functions}
        may_run_again = any("__init__" in global_names(one) for one in codes if not _makes(one))
        self._attributes = {
            name
            for code in codes
            for holder, name in stored_attributes(code)
            if may_run_again or not (_makes(code) and holder == code.co_varnames[0])
        }
        self._globals = {name for code in codes for name in _bound_globals(code)}
        self._stores_items = any(_stores_items(code) for code in codes)
        self._are_known = (
            all(map(_only_calls_what_reads, codes))
            and all(map(_changes_nothing, owners))
            and all(map(_is_plain_class, classes))
        )

    def can_make(self, container: object, keys: Iterable[object]) -> bool:
        """Whether the code can change a container at some keys."""
        kind = type(container)
        if not self._are_known:
            return True
        if kind in _CONTAINERS:
            return self._stores_items
        if kind is FunctionType:
            names = {key.lstrip(".") for key in keys if isinstance(key, str)}
            return not names.isdisjoint(self._globals | self._attributes)
        if is_users_class(kind) and not issubclass(kind, (type, *_CONTAINERS, tuple)):
            return not self._attributes.isdisjoint(keys)
        return True


def _makes(code: CodeType) -> bool:
    """Whether code is that of a constructor, whose first argument is a new object."""
    return code.co_name in ("__init__", "__post_init__") and code.co_argcount > 0


def _only_calls_what_reads(code: CodeType) -> bool:
    names = global_names(code)
    called = {name for name in names if hasattr(builtins, name)}
    return (
        called <= _READING_BUILTINS
        and names.isdisjoint(_CHANGING | _REFLECTING)
        and None not in looked_up_globals(code)
        and not _imports(code)
    )


def _changes_nothing(owner: object) -> bool:
    """Whether an object, which is no container and no user's, changes no other if it is called or
    asked."""
    kind = type(owner)
    if issubclass(kind, (ModuleType, FunctionType, BuiltinFunctionType, type)):
        held = dictionary(owner) or {} if kind is not BuiltinFunctionType else {}
        name = owner.__module__ if kind is BuiltinFunctionType else held.get("__module__")
        if issubclass(kind, ModuleType):
            name = held.get("__name__")
        elif kind is FunctionType:
            name = owner.__globals__.get("__name__")
        known = (*_READING, "builtins") if issubclass(kind, type) else _READING
        package = name.partition(".")[0] if isinstance(name, str) else ""
        return package in known or owner in _BUILTINS
    package = kind.__module__.partition(".")[0]
    is_plain = package in ("builtins", "numpy", "autograph") and not hasattr(kind, "__next__")
    return is_plain or is_registered(owner) or backend_of(owner) is not PYTHON


_BUILTINS = frozenset(getattr(builtins, name) for name in _READING_BUILTINS)


def _is_plain_class(kind: type) -> bool:
    """Whether all that an object of a user's class does is in the methods that were searched."""
    members = [one for base in kind.__mro__ if is_users_class(base) for one in vars(base).values()]
    described = [one for one in members if is_users_class(type(one))]
    return not hooks(kind) and not any(hasattr(type(one), "__set__") for one in described)


def _parts(code: CodeType) -> list[CodeType]:
    nested = [one for one in code.co_consts if isinstance(one, CodeType)]
    return [code, *(part for one in nested for part in _parts(one))]


@once_per_code
def _stores_items(code: CodeType) -> bool:
    """Whether code may change items of a container that it has not made itself."""
    return any(
        operates_in_place(part) or not _STORING.isdisjoint(part.co_code[::2])
        for part in _parts(code)
    )


@once_per_code
def _bound_globals(code: CodeType) -> frozenset[str]:
    """The global variables that code binds or deletes."""
    named = {name for name in looked_up_globals(code) if name is not None}
    bound = {
        step.argval
        for part in _parts(code)
        for step in dis.get_instructions(part)
        if step.opname in _BINDING
    }
    return frozenset(named | bound)


@once_per_code
def _imports(code: CodeType) -> bool:
    """Whether code imports modules itself."""
    opcode = dis.opmap["IMPORT_NAME"]
    return any(opcode in part.co_code[::2] for part in _parts(code))
