"""Guards on lists, tuples, dicts, sets and deques: their types, their keys, and all that they hold.

    limits = [1, 2.5]                   one condition on all items
    models = {"a": model, "b": W}       one on the keys; then each value is looked into

Containers of the user's classes, and dicts by objects, are read through lists of their contents
(`contents.py`), so that no method of the user's runs.
"""

import collections
from typing import Any

from runtime.function.guards.captured_arrays import PlaceKey, TupleItems, item_place
from runtime.function.guards.contents import (
    PLAIN,
    PLAIN_DICTS,
    factory_of,
    is_plain_key,
    items_of,
    keys_of,
    values_of,
)
from runtime.function.guards.record_builder import RecordBuilder
from runtime.tracing.descriptions import described, kind_name
from runtime.tracing.signature import is_value


class ContainerGuards(RecordBuilder):
    """The part of a walk that looks into containers."""

    numbers: frozenset[PlaceKey] = frozenset()  # the places of numbers that become inputs

    def visit(self, value: Any, read: tuple, path: str, place: Any) -> None:
        """Reads something by (kind, source, constant), and looks into it."""
        raise NotImplementedError

    def object(self, value: Any, variable: str, path: str) -> None:
        """Looks at the attributes of an object."""
        raise NotImplementedError

    def contents(self, value, variable, path, reader):
        """Reads the contents of an object, which cannot be replaced."""
        self.visit(reader(value), ("contents", variable, reader), path, None)

    def container(self, value, variable, path, place):
        """Lists and the like: their type, and the values that they hold."""
        kind = type(value)
        self.require("class", variable, kind, path, kind_name(kind))
        self.environment.whole.add(id(value))
        if issubclass(kind, dict):
            self.dict(value, variable, path)
        elif issubclass(kind, (set, frozenset)):
            self.set(value, variable, path)
        else:
            self.sequence(value, variable, path, place)
        is_own = kind.__module__.partition(".")[0] == __name__.partition(".")[0]
        if not (is_own or kind in PLAIN or kind in PLAIN_DICTS):  # a cookie has attributes, too
            self.object(value, variable, path)
        if issubclass(kind, collections.defaultdict):
            factory = value.default_factory
            self.visit(factory, ("contents", variable, factory_of), f"{path}.default_factory", None)

    def dict(self, value, variable, path):
        """The keys of a dict, and its values."""
        keys, values = keys_of(value), values_of(value)
        if type(value) not in PLAIN_DICTS or not all(map(is_plain_key, keys)):
            self.contents(value, variable, path, keys_of)
            held = self.read("contents", variable, values_of, path)
            self.items(values, held, path, [item_place(value, key) for key in keys])
            return
        self.require("keys", variable, tuple(keys), path, described(keys))
        if all(map(is_value, values)) and not self.has_number(value, keys):
            self.require("dict_values", variable, values, path, described(values))
            return
        for key, item in zip(keys, values, strict=True):
            shown = f"{path}[{described(key)}]"
            self.visit(item, ("item", variable, key), shown, item_place(value, key))

    def has_number(self, container: Any, keys: Any) -> bool:
        """Whether a number in a container is an input of the graph."""
        return any((id(container), key) in self.numbers for key in keys)

    def set(self, value, variable, path):
        """The elements of a set; objects in it are compared by identity."""
        if type(value) in PLAIN and all(map(is_plain_key, value)):
            self.require("items", variable, frozenset(value), path, described(value))
        else:
            self.contents(value, variable, path, items_of)

    def sequence(self, value, variable, path, place):
        """The items of a list, tuple or deque."""
        kind, held, items = type(value), variable, items_of(value)
        if kind not in PLAIN:
            held = self.read("contents", variable, items_of, path)
        if issubclass(kind, tuple):
            replaced = TupleItems(value, place)
            places = [replaced.item_place(i) for i in range(len(items))]
        else:
            places = [item_place(value, i) for i in range(len(items))]
        self.items(value if kind is tuple else items, held, path, places)

    def items(self, items, variable, path, places):
        """Looks into each of some items, which a variable of the guard holds in a sequence."""
        has_number = any(place is not None and place.key in self.numbers for place in places)
        if all(map(is_value, items)) and not has_number:
            self.require("items", variable, items, path, described(items))
            return
        self.require("length", variable, len(items), path, described(items))
        for i, (item, place) in enumerate(zip(items, places, strict=True)):
            self.visit(item, ("item", variable, i), f"{path}[{i}]", place)
