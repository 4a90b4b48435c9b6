"""Attributes of modules and of objects of other packages that the user's code names.

    settings.level = 3          a module's attribute
    device.ports.append(k)      a list that an object of another package holds

A snapshot of the heap does not look into such objects, except for the attributes that code stores,
and for the containers that it reaches by a name.  Other code may change them at any time, so a
change of one in a staged branch or loop cannot be merged with what the other path leaves there.
"""

import functools
import weakref
from collections import deque
from inspect import getattr_static
from types import (
    BuiltinFunctionType,
    FunctionType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
)

from autograph.functions.bytecode import global_names, stored_attributes
from autograph.functions.policy import is_left_alone, is_users_class, is_users_function
from autograph.staging.iterator_state import is_iterator
from autograph.staging.object_state import MISSING, dictionary

CONTAINERS = (dict, list, set, deque, bytearray)
CALLABLES = (FunctionType, MethodType, BuiltinFunctionType, type, functools.partial)
NO_OWNERS = (*CALLABLES, *CONTAINERS, tuple)


class NamedAttributes:
    """Some attributes of a module or object."""

    __slots__ = ("owner", "names")

    def __init__(self, owner: object, names: frozenset[str]):
        self.owner = owner
        self.names = names

    def read(self) -> dict[str, object]:
        """The attributes that exist; no code of the owner runs."""
        held = dictionary(self.owner) or {}
        return {name: held[name] for name in self.names if name in held}

    def write(self, name: str, value: object) -> None:
        """Sets an attribute, or deletes it if the value is MISSING."""
        held = dictionary(self.owner)
        assert held is not None
        if value is MISSING:
            held.pop(name, None)
        else:
            held[name] = value

    def fill(self, before: dict[str, object]) -> None:
        """Gives the attributes their values before."""
        for name in self.names:
            self.write(name, before.get(name, MISSING))


def named_attributes(owner: object, codes: list) -> NamedAttributes | None:
    """The attributes of a module or foreign object that code stores, or that hold containers,
    iterators, or the user's code."""
    if not _is_owner(owner):
        return None
    held = dictionary(owner)
    assert held is not None
    stored = {name for code in codes for _, name in stored_attributes(code)}
    used = {name for code in codes for name in global_names(code)}
    found = {name for name in used & held.keys() if _is_followed(held[name])}
    names = frozenset(found | stored & (used | held.keys()))
    return NamedAttributes(owner, names) if names else None


def _is_followed(value: object) -> bool:
    if isinstance(value, FunctionType):
        return is_users_function(value)
    return isinstance(value, CONTAINERS) or is_iterator(value)


def acting_attribute(owner: object, path: str, codes: list) -> str | None:
    """An attribute that code sets on a foreign object, where that runs code of the object's class;
    None if there is none.  `path` is the expression with which the user's code reaches it."""
    kind, held = type(owner), path.rpartition(".")[2]
    if isinstance(owner, (ModuleType, *NO_OWNERS)) or is_users_class(kind) or not held:
        return None
    if kind.__module__.partition(".")[0] == "autograph":  # reached through an operator
        return None
    for holder, name in sorted({pair for code in codes for pair in stored_attributes(code)}):
        if holder in (held, "") and _runs_code(kind, name):
            return f"{path.lstrip('.')}.{name}"
    return None


def _runs_code(kind: type, name: str) -> bool:
    """Whether to set an attribute of an object does more than to store it."""
    if kind.__setattr__ is not object.__setattr__:
        return True
    found = getattr_static(kind, name, None)
    is_slot = isinstance(found, MemberDescriptorType) and kind.__flags__ & _HEAP
    return hasattr(type(found), "__set__") and not is_slot


_HEAP = 1 << 9  # Py_TPFLAGS_HEAPTYPE: types created by a class statement


def _is_owner(value: object) -> bool:
    if isinstance(value, ModuleType):
        filename = getattr(value, "__file__", None)
        return not (filename and is_left_alone(filename)) and value.__name__ != "numpy"
    kind = type(value)
    if isinstance(value, (*NO_OWNERS, weakref.ref)) or is_users_class(kind):
        return False
    package = kind.__module__.partition(".")[0]
    return package not in ("numpy", "autograph", "runtime") and bool(dictionary(value) is not None)
