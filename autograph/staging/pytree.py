"""Nested containers as lists of leaves, and back.

    flatten({"a": 1, "b": (2, x)})     ->     [1, 2, x], {"a": *, "b": (*, *)}

Containers are tuples, named tuples, lists, dicts, and the types that a backend registers; all other
values are leaves.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Structure:
    """The shape of nested containers: the type of one, its keys, and the structures inside."""

    kind: type | None  # None for a leaf
    keys: tuple = ()
    children: tuple["Structure", ...] = ()

    def __str__(self) -> str:
        if self.kind is None:
            return "*"
        inside = [str(child) for child in self.children]
        if self.kind is dict:
            pairs = zip(self.keys, inside, strict=True)
            return "{" + ", ".join(f"{key!r}: {child}" for key, child in pairs) + "}"
        if issubclass(self.kind, list):
            return "[" + ", ".join(inside) + "]"
        name = "" if self.kind is tuple else self.kind.__name__
        return f"{name}({', '.join(inside)})"


LEAF = Structure(None)


@dataclass(frozen=True)
class Container:
    """How to take apart, and to make, the containers of a type."""

    children: Callable[[Any], list]
    keys: Callable[[Any], tuple]
    make: Callable[[tuple, list], Any]  # (keys, children) -> container


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
    elif is_list(kind) or isinstance(value, tuple) and (kind is tuple or hasattr(kind, "_fields")):
        keys, children = (), list(value)
    elif kind in _registered:
        keys, children = _registered[kind].keys(value), _registered[kind].children(value)
    else:
        return [value], LEAF
    parts = [flatten(child) for child in children]
    leaves = [leaf for part, _ in parts for leaf in part]
    return leaves, Structure(kind, keys, tuple(structure for _, structure in parts))


def paths(structure: Structure) -> list[str]:
    """The path of each leaf in a structure, as code reads it.

    >>> paths(flatten({"a": 1, "b": (2, 3)})[1])
    ["['a']", "['b'][0]", "['b'][1]"]
    """
    if structure.kind is None:
        return [""]
    keys = structure.keys or range(len(structure.children))
    pairs = zip(keys, structure.children, strict=True)
    return [f"[{key!r}]{path}" for key, child in pairs for path in paths(child)]


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
    kind = structure.kind
    if kind is None:
        yield value
        return
    if kind is dict:
        fits = is_dict(type(value))
    else:
        fits = isinstance(value, list) if issubclass(kind, list) else type(value) is kind
    if not fits:
        raise TypeError(f"{structure} is no {type(value).__name__}")
    if isinstance(value, dict):
        items = list(value.values())
    elif kind in _registered:
        items = _registered[kind].children(value)
    else:
        items = list(list.__iter__(value) if isinstance(value, list) else value)
    for child, item in zip(structure.children, items, strict=True):
        yield from leaves_of(child, item)


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
    if kind in _registered:
        return _registered[kind].make(structure.keys, children)
    return kind(*children)


def transform(function: Callable[[Any], Any], value: Any) -> Any:
    """The same containers with `function` applied to every leaf."""
    leaves, structure = flatten(value)
    return unflatten(structure, map(function, leaves))
