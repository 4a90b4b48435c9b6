"""Objects and dicts that hold the parts of a value, beside the containers of `pytree.py`.

    OrderedDict(w=x), defaultdict(float, w=x)     parts by key
    Parameters(w=x)                               an object of a dataclass: its fields
    register_pytree(Tree, ...)                    objects of a class that the user registers

They are identified by themselves in signatures, not by their contents.  Transformations take them
apart (`transforms/trees.py`).
"""

import dataclasses
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from autograph.staging.object_state import attributes, object_with, write_attribute

T = TypeVar("T")
DICTIONARIES = (OrderedDict, defaultdict)
_registered: dict[type, tuple[Callable[..., Any], Callable[..., Any]]] = {}


def register_pytree(
    kind: type[T],
    flatten: Callable[[T], tuple[Iterable[Any], Any]],
    unflatten: Callable[[Any, list[Any]], T],
) -> type[T]:
    """Makes objects of a class containers: derivatives are taken with respect to their parts.

    `flatten` returns the parts of an object, and anything else that describes it; `unflatten` makes
    an object from the latter and a list of parts.  A function that is differentiated or mapped gets
    objects that `unflatten` has made.  Returns the class.  Raises `ValueError` if it is registered
    already.

    >>> class Point:
    ...     def __init__(self, x, y):
    ...         self.x, self.y = x, y
    >>> cls = register_pytree(Point, lambda p: ((p.x, p.y), None), lambda _, parts: Point(*parts))
    """
    if _registered.setdefault(kind, (flatten, unflatten)) != (flatten, unflatten):
        raise ValueError(f"{kind.__qualname__} is registered already")
    return kind


def is_registered(value: Any) -> bool:
    """Whether a value is an object of a registered class."""
    return type(value) in _registered


def is_record(value: Any) -> bool:
    """Whether a value is a container of one of these kinds, other than those of `pytree.py`."""
    if is_registered(value):
        return True
    is_object = dataclasses.is_dataclass(value) and not isinstance(value, type)
    return is_object or type(value) in DICTIONARIES


def is_mapping(value: Any) -> bool:
    """Whether a value is such a container, and no object of a dataclass."""
    return type(value) in DICTIONARIES or is_registered(value)


def fields_of(value: Any) -> dict[Any, Any]:
    """The parts of an object, or of a dict, by name, key or position."""
    if is_registered(value):
        return dict(enumerate(_registered[type(value)][0](value)[0]))
    if isinstance(value, dict):
        return dict(value.items())
    held, names = attributes(value), [field.name for field in dataclasses.fields(value)]
    return {name: held[name] for name in names if name in held}


def write_field(value: Any, name: Any, part: Any) -> None:
    """Replaces a part of an object or dict in place."""
    if isinstance(value, dict):
        dict.__setitem__(value, name, part)
    else:
        write_attribute(value, name, part)


def with_fields(value: Any, fields: dict[Any, Any]) -> Any:
    """Another object or dict like a value, with other parts.

    No constructor of the user runs, except for a class that is registered.
    """
    if is_registered(value):
        take_apart, make = _registered[type(value)]
        return make(take_apart(value)[1], list(fields.values()))
    if isinstance(value, defaultdict):
        return defaultdict(value.default_factory, fields)
    if isinstance(value, OrderedDict):
        return OrderedDict(fields)
    return object_with(type(value), {**attributes(value), **fields})
