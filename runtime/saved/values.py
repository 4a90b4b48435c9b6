"""Python values, types, signatures and templates of results, as JSON and back.

    3 -> ["int", "3"]        f64[n, 2] -> ["type", "f64[n, 2]"]        (x, [y]) -> ["tuple", ...]

Every value is a list that begins with its kind.  Both tables are closed: a kind that is not in them
is refused, whether it is written or read, and no class is looked up by a name.
"""

from collections import Counter, OrderedDict, defaultdict, deque
from types import SimpleNamespace
from typing import Any

import numpy as np

from runtime.ir.pytree import LEAF, Structure
from runtime.ir.type_text import parse_type
from runtime.ir.types import DTYPE_NAMES, DTYPES, Type
from runtime.saved.classes import RESULTS
from runtime.saved.formed import formed_record, read_formed
from runtime.staging.templates import (
    DICTIONARIES,
    PAIRS,
    WHOLE,
    ArgumentRef,
    Const,
    ContainerTemplate,
    Either,
    FormedOutput,
    OneOf,
    Optional,
    Output,
    Ref,
    Updated,
)
from runtime.tracing.descriptions import described
from runtime.tracing.signature import Constant, Key


class CannotSave(Exception):
    """A value that no file holds; the message says which, and why."""


# The classes of containers, by name.
CONTAINERS = {
    kind.__name__: kind
    for kind in (tuple, list, dict, set, deque, OrderedDict, defaultdict, Counter, bytearray)
}
CONTAINERS["SimpleNamespace"] = SimpleNamespace
CONTAINERS |= RESULTS
PAIRS_WORD = "pairs"  # in place of keys that only a run has
STRUCTURES = {kind.__name__: kind for kind in (tuple, list, dict)}
FACTORIES = {
    kind.__name__: kind for kind in (int, float, complex, bool, str, list, dict, tuple, set)
}

# -- plain values ----------------------------------------------------------------------------------


def plain(value: Any) -> list:
    """A Python value as JSON.  Raises `CannotSave`."""
    kind = type(value)
    if value is None or value is Ellipsis:
        return ["none" if value is None else "ellipsis"]
    if kind is bool or kind is int:
        return [kind.__name__, str(int(value))]
    if kind is float:
        return ["float", value.hex()]
    if kind is complex:
        return ["complex", value.real.hex(), value.imag.hex()]
    if kind is str:
        return ["str", value]
    if kind is bytes:
        return ["bytes", value.hex()]
    if kind is slice or kind is range:
        return [kind.__name__, *map(plain, (value.start, value.stop, value.step))]
    if kind in (tuple, list, set, frozenset):
        return [kind.__name__, *map(plain, value)]
    if kind is dict:
        return ["dict", *([plain(key), plain(part)] for key, part in value.items())]
    if isinstance(value, np.dtype) and value in DTYPE_NAMES:
        return ["dtype", DTYPE_NAMES[value]]
    if isinstance(value, np.generic) and value.dtype in DTYPE_NAMES:
        return ["scalar", DTYPE_NAMES[value.dtype], value.tobytes().hex()]
    raise CannotSave(f"an object of {kind.__qualname__}, which only its code can make")


def read_plain(data: Any) -> Any:
    """The Python value of some JSON.  Raises `ValueError` for JSON that is none."""
    kind, *parts = _tagged(data)
    if kind in ("none", "ellipsis") and not parts:
        return None if kind == "none" else Ellipsis
    if kind in ("bool", "int", "float", "complex", "str", "bytes", "dtype"):
        return _read_text(kind, [_text(part) for part in parts])
    if kind == "slice" or kind == "range":
        start, stop, step = map(read_plain, parts)
        return slice(start, stop, step) if kind == "slice" else range(start, stop, step)
    if kind == "dict":
        return {read_plain(key): read_plain(part) for key, part in map(_pair, parts)}
    if kind == "scalar":
        name, content = map(_text, parts)
        return np.frombuffer(bytes.fromhex(content), DTYPES[name]).reshape(())[()]
    for made in (tuple, list, set, frozenset):
        if kind == made.__name__:
            return made(map(read_plain, parts))
    raise ValueError(f"{kind!r} is not a kind of value")


def _read_text(kind, parts):
    """A value whose JSON holds strings."""
    if kind == "complex":
        real, imaginary = parts
        return complex(float.fromhex(real), float.fromhex(imaginary))
    (text,) = parts
    match kind:
        case "bool":
            return {"0": False, "1": True}[text]
        case "int":
            return int(text)
        case "float":
            return float.fromhex(text)
        case "bytes":
            return bytes.fromhex(text)
        case "dtype":
            return DTYPES[text]
    return text


def _tagged(data):
    if type(data) is not list or not data or type(data[0]) is not str:
        raise ValueError("a value has no kind")
    return data


def _text(data):
    if type(data) is not str:
        raise ValueError("a string is expected")
    return data


def _pair(data):
    if type(data) is not list or len(data) != 2:
        raise ValueError("a pair is expected")
    return data


def _number(data):
    if type(data) is not int or data < 0:
        raise ValueError("a number is expected")
    return data


# -- signatures ------------------------------------------------------------------------------------


def key(found: Key) -> list:
    """The key of an argument as JSON.  Raises `CannotSave` for an object's identity."""
    if isinstance(found, Type):
        return ["type", str(found)]
    if isinstance(found, Constant):
        return ["constant", plain(found.value)]
    raise CannotSave(f"{found}, an object whose class only its code has")


def read_key(data: Any) -> Key:
    """The key of an argument.  Raises `ValueError`."""
    kind, part = _tagged(data)
    if kind == "type":
        return parse_type(_text(part))
    if kind != "constant":
        raise ValueError(f"{kind!r} is not a kind of argument")
    value = read_plain(part)
    return Constant(type(value), described(value), value)


def structure(found: Structure) -> list:
    """The structure of arguments as JSON.  Raises `CannotSave` for a user's containers."""
    if found.kind is None:
        return ["leaf"]
    name = found.kind.__name__
    if STRUCTURES.get(name) is not found.kind:
        raise CannotSave(f"an object of {found.kind.__qualname__}, a class that only its code has")
    return [name, list(map(plain, found.keys)), list(map(structure, found.children))]


def read_structure(data: Any) -> Structure:
    """The structure of arguments.  Raises `ValueError`."""
    name, *parts = _tagged(data)
    if name == "leaf" and not parts:
        return LEAF
    keys, children = parts
    kind = STRUCTURES[name]
    if type(keys) is not list or type(children) is not list:
        raise ValueError("a structure has lists of keys and parts")
    found = Structure(kind, tuple(map(read_plain, keys)), tuple(map(read_structure, children)))
    if len(found.keys) != (len(found.children) if kind is dict else 0):
        raise ValueError("a structure has other keys than parts")
    return found


# -- templates of results --------------------------------------------------------------------------


def template(found: Any, states: Any) -> list:
    """A template as JSON; `states(variable)` is the number of a variable.  Raises `CannotSave`."""

    def part(inner):
        return template(inner, states)

    match found:
        case Output(optional):
            return ["output", optional]
        case ArgumentRef(path):
            return ["argument", list(map(plain, path))]
        case Updated(index, is_view):
            return ["updated", index, is_view]
        case Const(value):
            return ["constant", plain(value)]
        case Ref(serial):
            return ["same", serial]
        case Optional(present):
            return ["optional", part(present)]
        case Either(one, other):
            return ["either", part(one), part(other)]
        case OneOf(options):
            return ["one of", list(map(part, options))]
        case ContainerTemplate():
            return _container(found, part)
        case FormedOutput(kind, _):
            return formed_record(kind, plain, CannotSave)
    if hasattr(found, "reference"):
        return ["variable", states(found.value)]
    raise CannotSave(f"a {type(found).__name__}")


def _container(found, part):
    name = found.kind.__name__
    if CONTAINERS.get(name) is not found.kind:
        raise CannotSave(f"an object of {found.kind.__qualname__}, a class that only its code has")
    default = found.default
    if found.kind is defaultdict and default is not None:
        if FACTORIES.get(getattr(default, "__name__", "")) is not default:
            raise CannotSave("a defaultdict with a factory of its own")
        default = default.__name__
    keys: Any = PAIRS_WORD if found.keys is PAIRS else list(map(plain, found.keys))
    parts = list(map(part, found.parts))
    return ["container", name, keys, parts, found.serial, default]


def read_template(data: Any, states: list) -> Any:
    """A template, for the variables of a program.  Raises `ValueError`."""

    def part(inner):
        return read_template(inner, states)

    match _tagged(data):
        case ["output", bool(optional)]:
            return Output(optional)
        case ["argument", [*path]]:
            return ArgumentRef(tuple(map(read_plain, path)))
        case ["formed", str(text), record]:
            return read_formed(text, record, read_plain)
        case ["updated", int(index), bool(is_view)]:
            return Updated(_number(index), is_view)
        case ["constant", value]:
            return Const(read_plain(value))
        case ["same", int(serial)]:
            return Ref(_number(serial))
        case ["optional", present]:
            return Optional(part(present))
        case ["either", one, other]:
            return Either(part(one), part(other))
        case ["one of", [*options]] if options:
            return OneOf(tuple(map(part, options)))
        case ["variable", int(index)]:
            return Const(states[_number(index)])
        case ["container", str(name), "pairs", [*parts], serial, default]:
            return _read_container(name, PAIRS, list(map(part, parts)), serial, default)
        case ["container", str(name), [*keys], [*parts], serial, default]:
            read = tuple(map(read_plain, keys))
            return _read_container(name, read, list(map(part, parts)), serial, default)
    raise ValueError("a template of a result is expected")


def _read_container(name, keys, parts, serial, default):
    kind = CONTAINERS[name]
    if serial is not None:
        _number(serial)
    if kind is deque:
        default = default if default is None else _number(default)
    elif default is not None:
        default = FACTORIES[_text(default)]
    _check_keys(kind, keys, len(parts))
    base = object if kind is SimpleNamespace else None
    if base is object and not all(type(one) is str for one in keys):
        raise ValueError("an attribute has no name")
    return ContainerTemplate(kind, keys, tuple(parts), serial, default, base)


def _check_keys(kind, keys, count):
    """Raises `ValueError` unless a container has so many parts by such keys."""
    if keys is PAIRS:  # lists of the keys and of the values that a run has; of a set, the elements
        wanted = 2 if kind in DICTIONARIES else 1 if kind is set else None
    elif kind.__name__ in RESULTS:
        wanted = None if keys else len(kind._fields)
    elif issubclass(kind, dict) or kind is SimpleNamespace:
        wanted = len(keys)
    elif keys == (WHOLE,) and kind in (deque, list, tuple):
        wanted = 1
    else:
        wanted = None if keys else count
    if count != wanted:
        raise ValueError("a container has other keys than parts")
