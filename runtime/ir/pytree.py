"""Nested containers as lists of leaves, and back.

    flatten({"a": 1, "b": (2, x)})     ->     [1, 2, x], {"a": *, "b": (*, *)}

Containers are tuples, named tuples, lists and dicts; everything else is a leaf.
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

    def __str__(self):
        if self.kind is None:
            return "*"
        inside = [str(child) for child in self.children]
        if self.kind is dict:
            return (
                "{" + ", ".join(f"{k!r}: {c}" for k, c in zip(self.keys, inside, strict=True)) + "}"
            )
        if issubclass(self.kind, list):
            return "[" + ", ".join(inside) + "]"
        name = "" if self.kind is tuple else self.kind.__name__
        return f"{name}({', '.join(inside)})"


LEAF = Structure(None)


def is_list(kind: type) -> bool:
    """Whether values of a type are containers as lists are."""
    return kind is list or getattr(kind, "is_container", False)


def flatten(value: Any) -> tuple[list, Structure]:
    """The leaves of nested containers, and their structure."""
    kind = type(value)
    if kind is dict:
        keys, children = tuple(value), list(value.values())
    elif is_list(kind) or isinstance(value, tuple) and (kind is tuple or hasattr(kind, "_fields")):
        keys, children = (), list(value)
    else:
        return [value], LEAF
    parts = [flatten(child) for child in children]
    leaves = [leaf for part, _ in parts for leaf in part]
    return leaves, Structure(kind, keys, tuple(structure for _, structure in parts))


def leaves_like(structure: Structure, value: Any) -> list | None:
    """The leaves of a value as those of a structure; None where it has another one."""
    try:
        return list(leaves_of(structure, value))
    except (TypeError, ValueError):
        return None


def leaves_of(structure: Structure, value: Any) -> Iterator[Any]:
    """The leaves of a value that has a structure, in which lists may be of either kind."""
    if structure.kind is None:
        yield value
        return
    kind = structure.kind
    if not (isinstance(value, list) if issubclass(kind, list) else type(value) is kind):
        raise TypeError(f"{structure} is no {type(value).__name__}")
    if isinstance(value, dict):
        items = list(value.values())
    else:
        items = list(list.__iter__(value) if isinstance(value, list) else value)
    for child, item in zip(structure.children, items, strict=True):
        yield from leaves_of(child, item)


def unflatten(structure: Structure, leaves: Iterable) -> Any:
    """The nested containers of a structure, filled with leaves."""
    return _filled(structure, iter(leaves))


def _filled(structure, leaves):
    if structure.kind is None:
        return next(leaves)
    children = [_filled(child, leaves) for child in structure.children]
    if structure.kind is dict:
        return dict(zip(structure.keys, children, strict=True))
    if structure.kind is tuple or issubclass(structure.kind, list):
        return structure.kind(children)
    return structure.kind(*children)


def transform(function: Callable[[Any], Any], value: Any) -> Any:
    """The same containers with `function` applied to every leaf."""
    leaves, structure = flatten(value)
    return unflatten(structure, map(function, leaves))
