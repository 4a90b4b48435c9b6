"""State that libraries hold for a program: which of it is looked at.

sys.argv, settings.RATE            data of a module: guarded
time.time, json.loads              functions, which tests replace: guarded
np.sum, math.floor, math.pi        of numerical modules: not guarded, taken to be constant
Path.read_text, Random.randint     methods of classes written in Python: guarded
os.environ, ChainMap(a, b)         objects that consist of what they hold: looked into
"""

import argparse
import collections
import enum
import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextvars import ContextVar
from types import (
    DynamicClassAttribute,
    FunctionType,
    GetSetDescriptorType,
    MemberDescriptorType,
    ModuleType,
    SimpleNamespace,
)
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from autograph.functions.policy import is_named, is_users_class, is_users_file
from autograph.staging.held_objects import is_infrastructure, is_searched, serves_library
from autograph.staging.object_state import MISSING, attributes, dictionary
from runtime.function.guards.contents import PLAIN
from runtime.state.variable import HoldsVariables
from runtime.tracing.signature import is_value

# Classes whose `repr` and `==` read all attributes, of whatever names.
NAMESPACES = (argparse.Namespace, SimpleNamespace)

# Classes of libraries whose objects consist of their attributes.
WHOLE = (
    argparse.Namespace,
    collections.ChainMap,
    collections.UserDict,
    collections.UserList,
    collections.UserString,
    enum.Enum,  # its `value` is a property, which reads an attribute
    np.poly1d,
    type(os.environ),
)

# Packages whose functions and constants are never replaced.
FIXED = {
    *("builtins", "cmath", "collections", "dataclasses", "enum", "functools", "itertools", "math"),
    *("abc", "contextlib", "copy", "heapq", "bisect", "operator", "types", "typing", "warnings"),
    *("autograph", "numexpr", "numpy", "opt_einsum", "runtime", "scipy"),
}

# Those whose attributes no guard looks at, since hot code names them.
CONSTANT = {
    *("builtins", "cmath", "math", "abc", "typing", "types"),
    *("autograph", "numexpr", "numpy", "opt_einsum", "runtime", "scipy"),
}
# Functions of NumPy that read the outside, which tests replace, and their modules.
READING = {"load", "loadtxt", "genfromtxt", "fromfile", "memmap", "save", "savez", "savetxt"}
STREAMS = "numpy.random"

IS_IMMUTABLE = 1 << 8  # Py_TPFLAGS_IMMUTABLETYPE: no code can replace an attribute
REPLACED_METHODS = (FunctionType, property, classmethod, staticmethod, DynamicClassAttribute)


def is_read_whole(value: Any, are_shown: bool) -> bool:
    """Whether code of libraries, which is not searched, may read all attributes of an object;
    `are_shown` says whether the user's code may show or compare objects."""
    kind = type(value)
    if kind is SimpleNamespace:
        return are_shown
    if issubclass(kind, (HoldsVariables, *WHOLE)):
        return True
    if is_searched(value):
        return issubclass(kind, PLAIN)
    return serves_library(kind) and not is_infrastructure(value)


def is_store(value: Any) -> bool:
    """Whether a variable that code only adds to is not read: it holds a container or a number, and
    not a module, a function or an object, whose `add` may be any function."""
    is_container = issubclass(type(value), PLAIN) and not is_users_class(type(value))
    return is_container or is_value(value)


def is_users_module(module: ModuleType) -> bool:
    """Whether a module is the user's own: by its file, or because a program has made it."""
    held = dictionary(module) or {}
    filename = held.get("__file__")
    if isinstance(filename, str):
        return is_users_file(filename)
    return held.get("__spec__") is None and held.get("__name__") not in sys.builtin_module_names


def is_replaceable(module: ModuleType, value: Any) -> bool:
    """Whether an attribute of a library's module may be another one in the next call."""
    name = (dictionary(module) or {}).get("__name__")
    if not isinstance(name, str) or name.partition(".")[0] not in CONSTANT or name == STREAMS:
        return True
    if name == "numpy" and getattr(value, "__name__", None) in READING:
        return True
    return isinstance(value, (ModuleType, list, dict, set))


def has_replaceable_methods(kind: type) -> bool:
    """Whether tests may replace methods of a library's class."""
    is_constant = kind.__module__.partition(".")[0] in CONSTANT
    return not (kind.__flags__ & IS_IMMUTABLE or is_constant or is_users_class(kind))


def replaceable_methods(kind: type, names: Iterable[str]) -> Iterator[tuple[str, Any, list[type]]]:
    """The methods and properties among some names, and the classes that may get another one: those
    of libraries, up to the class that defines it."""
    for name in sorted(names):
        classes: list[type] = []
        for base in kind.__mro__:
            found = vars(base).get(name)
            is_replaceable = has_replaceable_methods(base)
            if found is None:
                classes += [base] if is_replaceable else []
                continue
            is_known = is_replaceable and isinstance(found, REPLACED_METHODS)
            if is_known or classes:
                yield name, found if is_known else None, [*classes, *([base] if is_known else [])]
            break


def is_fixed(entity: Any) -> bool:
    """Whether a function or class is of a package that is converted, and is never replaced."""
    return is_named(entity) and entity.__module__.partition(".")[0] in FIXED


def value_in_context(variable: ContextVar) -> Any:
    """The value of a context variable; a marker if it has none."""
    return variable.get(MISSING)


def referent(proxy: Any) -> Any:
    """The object that a weak proxy stands for; None if it was freed."""
    try:
        return proxy.__init__.__self__
    except (ReferenceError, AttributeError):
        return None


def is_used_up(value: Any) -> bool:
    """Whether an object is an iterator or generator, which reading uses up; streams are not."""
    kind = type(value)
    is_iterator = any("__next__" in vars(base) for base in kind.__mro__)
    return is_iterator and not is_users_class(kind) and not issubclass(kind, io.IOBase)


# -- attributes that are not in a dictionary -------------------------------------------------------


def names_held(value: Any) -> list[str]:
    """The names of the attributes of an object or class, by which code may find them."""
    is_class = issubclass(type(value), type)
    held = (dictionary(value) or {}) if is_class else attributes(value)
    return [name for name in held if not name.startswith("__")]


def is_plain(value: Any) -> bool:
    """Whether an attribute is a plain value, or a tuple of such."""
    return is_value(value) or type(value) is tuple and all(map(is_plain, value))


Reader = Callable[[Any], Any]

_OF_EVERY_CLASS = {"__class__", "__dict__", "__weakref__", "__mro__", "__bases__"}
_readers: WeakKeyDictionary[type, dict[str, Reader]] = WeakKeyDictionary()


def attribute_readers(kind: type) -> dict[str, Reader]:
    """Readers for the attributes that libraries define for objects of a class: those kept in C,
    and properties, if no method of a user's class can run in them."""
    known = _readers.get(kind)
    if known is None:
        known = _readers[kind] = dict(_attribute_readers(kind))
    return known


def _attribute_readers(kind: type) -> Iterator[tuple[str, Reader]]:
    kinds = (GetSetDescriptorType, MemberDescriptorType)
    computed = () if is_users_class(kind) else (property,)
    seen = set(_OF_EVERY_CLASS)
    for base in kind.__mro__:
        for name, found in list(vars(base).items()):
            is_hidden = name in seen
            seen.add(name)
            if (
                not is_hidden
                and not is_users_class(base)
                and isinstance(found, (*kinds, *computed))
            ):
                yield name, _reader(found)


def _reader(found: Any) -> Reader:
    def read(value: Any) -> Any:
        try:
            return found.__get__(value, type(value))
        except Exception:
            return MISSING

    return read
