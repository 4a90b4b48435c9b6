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
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    MemberDescriptorType,
    MethodType,
    ModuleType,
)

from autograph.functions.bytecode import global_names, operates_in_place, stored_attributes
from autograph.functions.policy import is_left_alone, is_users_class, is_users_function
from autograph.staging.iterator_state import is_iterator
from autograph.staging.object_state import MISSING, dictionary

CONTAINERS = (dict, list, set, deque, bytearray)
CALLABLES = (FunctionType, MethodType, BuiltinFunctionType, type, functools.partial)
IN_PLACE = tuple(
    f"__i{name}__"
    for name in [
        "add",
        "sub",
        "mul",
        "matmul",
        "truediv",
        "floordiv",
        "mod",
        "pow",
        "and",
        "or",
        "xor",
        "lshift",
        "rshift",
    ]
)
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


class NamesInCode:
    """The attributes that some code stores, and the names that it uses."""

    def __init__(self, codes: list[CodeType]):
        self._codes = codes

    @functools.cached_property
    def pairs(self) -> set[tuple[str, str]]:
        """The names of the attributes that code stores, each after the name of its owner."""
        return {pair for code in self._codes for pair in stored_attributes(code)}

    @functools.cached_property
    def by_holder(self) -> dict[str, set[str]]:
        """The names of the attributes that code stores, by the name of their owner."""
        found: dict[str, set[str]] = {}
        for holder, name in self.pairs:
            found.setdefault(holder, set()).add(name)
        return found

    @functools.cached_property
    def stored(self) -> set[str]:
        """The attributes that are stored."""
        return {name for _, name in self.pairs}

    @functools.cached_property
    def used(self) -> set[str]:
        """The names that may be looked up."""
        return {name for code in self._codes for name in global_names(code)}

    @functools.cached_property
    def stored_and_used(self) -> set[str]:
        """The attributes that are stored, and whose names code uses otherwise, too."""
        return self.stored & self.used

    @functools.cached_property
    def operate_in_place(self) -> bool:
        """Whether there is an operator such as `+=`."""
        return any(map(operates_in_place, self._codes))


def named_attributes(owner: object, names: NamesInCode) -> NamedAttributes | None:
    """The attributes of a module or foreign object that code stores, or that hold containers,
    iterators, or the user's code."""
    if not _is_owner(owner):
        return None
    held = dictionary(owner)
    assert held is not None
    fewer, more = (held, names.used) if len(held) < len(names.used) else (names.used, held)
    found = {name for name in list(fewer) if name in more and _is_followed(held[name])}
    if _is_compiled_function(type(owner)):
        return NamedAttributes(owner, frozenset(names.stored)) if names.stored else None
    if names.operate_in_place and _changes_in_place(type(owner)):
        found = set(held)
    chosen = frozenset(found | names.stored & held.keys() | names.stored_and_used)
    return NamedAttributes(owner, chosen) if chosen else None


def _changes_in_place(kind: type) -> bool:
    """Whether an operator such as `+=` may change objects of a class."""
    return kind is not ModuleType and any(hasattr(kind, name) for name in IN_PLACE)


def _is_followed(value: object) -> bool:
    if type(value) is FunctionType:
        return is_users_function(value)
    return issubclass(type(value), CONTAINERS) or is_iterator(value)


def acting_attribute(owner: object, path: str, names: NamesInCode) -> str | None:
    """An attribute that code sets on a foreign object, where that runs code of the object's class;
    None if there is none.  `path` is the expression with which the user's code reaches it."""
    kind, held = type(owner), path.rpartition(".")[2]
    if issubclass(kind, (ModuleType, *NO_OWNERS)) or is_users_class(kind) or not held:
        return None
    if kind.__module__.partition(".")[0] == "autograph":  # reached through an operator
        return None
    for name in sorted({*names.by_holder.get(held, ()), *names.by_holder.get("", ())}):
        if _runs_code(kind, name):
            return f"{path.lstrip('.')}.{name}"
    return None


def _runs_code(kind: type, name: str) -> bool:
    """Whether to set an attribute of an object does more than to store it."""
    if kind.__setattr__ is not object.__setattr__ and not _is_compiled_function(kind):
        return True
    found = next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)
    is_slot = isinstance(found, MemberDescriptorType) and kind.__flags__ & _HEAP
    return hasattr(type(found), "__set__") and not is_slot


def _is_compiled_function(kind: type) -> bool:
    """Whether objects of a class are functions written in C, such as `np.sin`: to set an attribute
    of one stores it, although their classes say how."""
    is_static = not kind.__flags__ & _HEAP
    return is_static and "__call__" in vars(kind) and not issubclass(kind, weakref.ProxyTypes)


_HEAP = 1 << 9  # Py_TPFLAGS_HEAPTYPE: types created by a class statement


def _is_owner(value: object) -> bool:
    if isinstance(value, ModuleType):
        held = dictionary(value) or {}  # to ask a lazy module for a name would import it
        filename = held.get("__file__")
        return not (filename and is_left_alone(filename)) and held.get("__name__") != "numpy"
    kind = type(value)
    if issubclass(kind, (*NO_OWNERS, weakref.ref)) or is_users_class(kind):
        return False
    package = kind.__module__.partition(".")[0]
    if _is_compiled_function(kind):
        return dictionary(value) is not None
    return package not in ("numpy", "autograph", "runtime") and bool(dictionary(value) is not None)
