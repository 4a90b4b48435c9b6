"""Arguments that functions are differentiated with respect to: scalars and arrays in containers.

    [w, b], {"w": w}, Point(x, y)           lists, dicts, tuples and named tuples
    OrderedDict(...), defaultdict(...)      and their subclasses in the standard library
    Parameters(w=..., b=...)                objects of a dataclass
    rt.register_pytree(Tree, ...)           objects of a class that the user registers
    rt.Variable(w)                          its value

Lists, dicts, tuples and registered objects are rebuilt around new leaves.  Another object or an
ordered dict keeps its identity: its fields hold the new leaves while the function runs, and have
their own values again afterwards, unless the function has changed them.  Derivatives are in
containers of the same types.
"""

from collections.abc import Callable, Iterator
from typing import Any

from runtime.ir.pytree import LEAF, flatten, unflatten
from runtime.ir.pytree import leaves_of as parts_of
from runtime.ir.records import fields_of, is_record, is_registered, with_fields, write_field
from runtime.state.variable import Variable
from runtime.transforms.user_lists import plain_lists, user_lists


def leaves_of(value: Any) -> Iterator[Any]:
    """The leaves of nested containers and objects."""
    for leaf in flatten(plain_lists(value))[0]:
        if is_record(leaf):
            for part in fields_of(leaf).values():
                yield from leaves_of(part)
        else:
            yield leaf


def mapped(function: Callable[[Any], Any], value: Any) -> Any:
    """The same containers and objects, newly made, with `function` applied to each leaf.

    Lists are Python lists: `user_lists` makes them lists of staged code.
    """
    leaves, structure = flatten(plain_lists(value))
    found = []
    for leaf in leaves:
        if is_record(leaf):
            fields = fields_of(leaf).items()
            found.append(with_fields(leaf, {name: mapped(function, part) for name, part in fields}))
        else:
            found.append(function(leaf))
    return unflatten(structure, found)


def value_of(leaf: Any) -> Any:
    """The staged value of a variable; other leaves are returned unchanged."""
    return leaf.staged_value() if isinstance(leaf, Variable) else leaf


def described(value: Any) -> str:
    """The containers of a value as messages show them."""
    if is_record(value):
        return type(value).__name__
    structure = flatten(plain_lists(value))[1]
    return "a value" if structure == LEAF else str(structure)


def pairs_of(one: Any, other: Any) -> Iterator[tuple[Any, Any]]:
    """The corresponding leaves of two values.  Raises `TypeError` if their containers differ."""
    leaves, structure = flatten(plain_lists(one))
    others, its_structure = flatten(plain_lists(other))
    if structure != its_structure:
        raise TypeError(described(one), described(other))
    for leaf, pair in zip(leaves, others, strict=True):
        if not is_record(leaf) and not is_record(pair):
            yield leaf, pair
        elif type(leaf) is not type(pair) or fields_of(leaf).keys() != fields_of(pair).keys():
            raise TypeError(described(leaf), described(pair))
        else:
            fields = fields_of(pair)
            for name, part in fields_of(leaf).items():
                yield from pairs_of(part, fields[name])


def opened(value: Any, opens: Callable[[Any], bool] = is_record) -> Any:
    """The same containers, with dicts of their parts in place of objects and other dicts."""
    leaves, structure = flatten(plain_lists(value))
    found = [
        {name: opened(part, opens) for name, part in fields_of(leaf).items()}
        if opens(leaf)
        else leaf
        for leaf in leaves
    ]
    return unflatten(structure, found)


def closed(like: Any, value: Any) -> Any:
    """The inverse of `opened`: objects and dicts as in `like`, newly made from a value's dicts."""
    leaves, structure = flatten(plain_lists(like))
    if not any(map(is_record, leaves)):
        return value
    parts = []
    for leaf, part in zip(leaves, parts_of(structure, value), strict=True):
        if is_record(leaf) and type(part) is dict:
            fields = fields_of(leaf).items()
            part = with_fields(leaf, {name: closed(one, part[name]) for name, one in fields})
        parts.append(part)
    return unflatten(structure, parts)


class Replacements:
    """Arguments whose leaves are replaced for a call, those of objects in place."""

    def __init__(self, function: Callable[[Any], Any]):
        self._function = function
        self._changed: list[tuple[Any, Any, Any, Any]] = []

    def replaced(self, value: Any) -> Any:
        """A value with `function` applied to its leaves, in the order of `leaves_of`."""
        leaves, structure = flatten(plain_lists(value))
        return user_lists(unflatten(structure, [self._leaf(leaf) for leaf in leaves]))

    def _leaf(self, leaf):
        if not is_record(leaf):
            return self._function(leaf)
        if is_registered(leaf):
            fields = fields_of(leaf).items()
            return with_fields(leaf, {name: self.replaced(part) for name, part in fields})
        for name, part in fields_of(leaf).items():
            new = self.replaced(part)
            if new is not part:
                self._changed.append((leaf, name, part, new))
                write_field(leaf, name, new)
        return leaf

    def restore(self) -> None:
        """Gives objects their own fields again; those that the call has changed stay."""
        for value, name, part, new in reversed(self._changed):
            if fields_of(value).get(name) is new:
                write_field(value, name, part)
        self._changed.clear()
