"""Nested containers as lists of leaves, and back.

    flatten({"a": 1, "b": (2, x)})     ->     [1, 2, x], {"a": *, "b": (*, *)}

Containers are tuples, named tuples, lists, dicts, and the types that a backend registers; all other
values are leaves.  A join opens objects of user classes: it takes them apart by their attributes.

    opened(P(1, x))        ->     P with .a = 1, .b = x
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from autograph.backend import Undefined, Unset
from autograph.staging.object_state import attributes, object_with


@dataclass(frozen=True)
class Structure:
    """The shape of nested containers: the type of one, its keys, and the structures inside."""

    kind: type | None  # None for a leaf
    keys: tuple = ()
    children: tuple["Structure", ...] = ()
    of: type | None = None  # the class of an opened object

    def __str__(self) -> str:
        if self.kind is None:
            return "*"
        inside = [str(child) for child in self.children]
        if self.kind is dict:
            pairs = zip(self.keys, inside, strict=True)
            return "{" + ", ".join(f"{key!r}: {child}" for key, child in pairs) + "}"
        if issubclass(self.kind, list):
            return "[" + ", ".join(inside) + "]"
        name = "" if self.kind is tuple else (self.of or self.kind).__name__
        return f"{name}({', '.join(inside)})"


LEAF = Structure(None)


@dataclass(frozen=True)
class Container:
    """How to take apart, and to make, the containers of a type."""

    children: Callable[[Any], list]
    keys: Callable[[Any], tuple]
    make: Callable[[tuple, list], Any]  # (keys, children) -> container
    adapted: Callable[[Any, tuple], Any] | None = None  # another value as one with these keys
    may_be_unbound: bool = False  # it says whether a variable is bound
    close: Callable[[Any], Any] | None = None  # what it stands for in the code


class OpenedObject:
    """An object of a user class, as a container of its attributes."""

    __slots__ = ("kind", "names", "values")

    def __init__(self, kind: type, names: tuple[str, ...], values: list):
        self.kind = kind
        self.names = names
        self.values = values

    @classmethod
    def of(cls, value: Any) -> "OpenedObject":
        """An object as its attributes."""
        held = attributes(value)
        return cls(type(value), tuple(held), list(held.values()))

    def closed(self) -> Any:
        """A new object with these attributes; its constructor does not run."""
        return object_with(self.kind, dict(zip(self.names, self.values, strict=True)))


_registered: dict[type, Container] = {}


def register_container(kind: type, container: Container) -> None:
    """Makes values of exactly this type containers.  Raises `ValueError` if they already are."""
    if _registered.setdefault(kind, container) is not container:
        raise ValueError(f"{kind.__qualname__} is already a container")


def is_list(kind: type) -> bool:
    """Whether values of a type are containers as lists are."""
    return kind is list or issubclass(kind, list) and getattr(kind, "is_container", False)


def is_dict(kind: type) -> bool:
    """Whether values of a type are containers as dicts are."""
    return kind is dict or issubclass(kind, dict) and getattr(kind, "is_container", False)


def flatten(value: Any) -> tuple[list, Structure]:
    """The leaves of nested containers, and their structure."""
    kind = type(value)
    if is_dict(kind):
        kind = dict
        keys, children = tuple(value), list(value.values())
    elif is_list(kind) or kind is tuple or issubclass(kind, tuple) and hasattr(kind, "_fields"):
        keys, children = (), list(value)
    elif kind is OpenedObject:
        keys, children = value.names, value.values
    elif kind in _registered:
        keys, children = _registered[kind].keys(value), _registered[kind].children(value)
    else:
        return [value], LEAF
    parts = [flatten(child) for child in children]
    leaves = [leaf for part, _ in parts for leaf in part]
    of = value.kind if kind is OpenedObject else None
    return leaves, Structure(kind, keys, tuple(structure for _, structure in parts), of)


def paths(structure: Structure) -> list[str]:
    """The path of each leaf in a structure, as code reads it.

    >>> paths(flatten({"a": 1, "b": (2, 3)})[1])
    ["['a']", "['b'][0]", "['b'][1]"]
    """
    if structure.kind is None:
        return [""]
    return [
        step_into(structure, i) + path
        for i, child in enumerate(structure.children)
        for path in paths(child)
    ]


def step_into(structure: Structure, index: int) -> str:
    """The path of a child in a container: `['a']`, `[0]`, `.name`."""
    known = _registered.get(structure.kind)  # type: ignore[arg-type]
    if known is not None and known.adapted is not None:
        return ""  # code reads the value itself
    key = structure.keys[index] if structure.keys else index
    return f".{key}" if structure.kind is OpenedObject else f"[{key!r}]"


def leaves_like(structure: Structure, value: Any) -> list | None:
    """The leaves of a value that has this structure; None if it has another one."""
    try:
        return list(leaves_of(structure, value))
    except (TypeError, ValueError):
        return None


def leaves_of(structure: Structure, value: Any) -> Iterator[Any]:
    """The leaves of a value that has a structure; its lists may be of any list type.

    Raises `TypeError` or `ValueError` if the value has another structure.
    """
    if structure.kind is None:
        yield value
        return
    is_told = isinstance(value, Undefined) and _says_whether_bound(structure.kind)
    if isinstance(value, (Undefined, Unset)) and not is_told:
        yield from [value] * len(paths(structure))
        return
    for child, item in zip(structure.children, _children(structure, value), strict=True):
        yield from leaves_of(child, item)


def _says_whether_bound(kind):
    return kind in _registered and _registered[kind].may_be_unbound


def _children(structure, value):
    """The children of a value that has a structure, in the structure's order."""
    kind = structure.kind
    if kind is OpenedObject:
        if type(value) is structure.of:
            value = OpenedObject.of(value)
        if type(value) is OpenedObject and set(value.names) == set(structure.keys):
            held = dict(zip(value.names, value.values, strict=True))
            return [held[name] for name in structure.keys]
    elif kind in _registered:
        adapted = _registered[kind].adapted
        value = value if adapted is None else adapted(value, structure.keys)
        if type(value) is kind:
            return _registered[kind].children(value)
    elif kind is dict:
        if is_dict(type(value)):
            return list(value.values())
    elif issubclass(kind, list):
        if isinstance(value, list):
            return list(list.__iter__(value))
    elif type(value) is kind:
        return list(value)
    raise TypeError(f"{structure} is no {type(value).__name__}")


def unflatten(structure: Structure, leaves: Iterable) -> Any:
    """The nested containers of a structure, filled with leaves."""
    return _filled(structure, iter(leaves))


def _filled(structure: Structure, leaves: Iterator) -> Any:
    kind = structure.kind
    if kind is None:
        return next(leaves)
    children = [_filled(child, leaves) for child in structure.children]
    if kind is dict:
        return dict(zip(structure.keys, children, strict=True))
    if kind is tuple or issubclass(kind, list):
        return kind(children)
    if kind is OpenedObject:
        return OpenedObject(structure.of, structure.keys, children)
    if kind in _registered:
        return _registered[kind].make(structure.keys, children)
    return kind(*children)


def closed(value: Any, make: Callable[[OpenedObject], Any] = OpenedObject.closed) -> Any:
    """A value with objects in place of opened ones; `make` creates one of its attributes."""
    kind = type(value)
    if kind is OpenedObject:
        value.values = [closed(one, make) for one in value.values]
        return make(value)
    if kind is tuple or issubclass(kind, tuple) and hasattr(kind, "_fields"):
        found = [closed(one, make) for one in value]
        same = all(new is old for new, old in zip(found, value, strict=True))
        return value if same else kind(found) if kind is tuple else kind(*found)
    if kind in _registered:
        children = [closed(one, make) for one in _registered[kind].children(value)]
        known = _registered[kind]
        made, close = known.make(known.keys(value), children), known.close
        return made if close is None else close(made)
    if is_dict(kind):
        dict.update(value, {key: closed(one, make) for key, one in dict.items(value)})
    elif is_list(kind):
        list.__setitem__(value, slice(None), [closed(x, make) for x in list.__iter__(value)])
    return value


def transform(function: Callable[[Any], Any], value: Any) -> Any:
    """The same containers with `function` applied to every leaf."""
    leaves, structure = flatten(value)
    return unflatten(structure, map(function, leaves))
