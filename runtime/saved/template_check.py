"""Checks the template of a result, before a call rebuilds the result from it.

["same", 5]            the container 5 comes before it
["argument", [1, k]]   there is a second argument, which has a part k
["updated", 2, False]  the third input of the graph, into which it writes
"""

from collections.abc import Collection, Iterator
from types import SimpleNamespace
from typing import Any

from runtime.ir.pytree import Structure
from runtime.ir.types import Type
from runtime.staging.templates import (
    DICTIONARIES,
    PAIRS,
    ArgumentRef,
    ContainerTemplate,
    Either,
    FormedOutput,
    OneOf,
    Optional,
    Output,
    Ref,
    Updated,
)


def check_template(template: Any, arguments: Structure, written: Collection[int]) -> None:
    """Raises `ValueError` for a template that no run can follow.

    `arguments` is the structure of those of a call; `written` are the inputs that runs write into.
    """
    _Check(arguments, written).visit(template)


def stated_types(template: Any) -> Iterator[Type | None]:
    """For each output of the graph that a template takes, in order, the type that it states."""
    match template:
        case FormedOutput(kind, _):
            yield kind
        case Output(optional):
            yield from [None] * (1 + optional)
        case Updated(_, is_view):
            yield from [None] * is_view
        case Optional(present):
            yield None
            yield from stated_types(present)
        case Either(one, other):
            yield None
            yield from stated_types(one)
            yield from stated_types(other)
        case OneOf(parts):
            yield None
            for part in parts:
                yield from stated_types(part)
        case ContainerTemplate(_, _, parts):
            for part in parts:
                yield from stated_types(part)


class _Check:
    """Visits the parts in the order in which a run makes them."""

    def __init__(self, arguments: Structure, written: Collection[int]):
        self.arguments, self.written = arguments, written
        self.made: set[int] = set()  # the serial numbers of containers so far

    def visit(self, template: Any) -> None:
        match template:
            case Optional(present):
                self.visit(present)
            case Either(one, other):
                self.visit(one)
                self.visit(other)
            case OneOf(options):
                for option in options:
                    self.visit(option)
            case ArgumentRef(path):
                self.check_path(path)
            case Updated(index):
                if index not in self.written:
                    raise ValueError("a result is an input that is not written into")
            case Ref(serial):
                if serial not in self.made:
                    raise ValueError("a result is a container that there is not")
            case ContainerTemplate():
                self.check_container(template)

    def check_path(self, path: tuple) -> None:
        place = self.arguments
        if not path:
            raise ValueError("a result is an argument without a number")
        for key in path:
            keys = list(place.keys) if place.kind is dict else range(len(place.children))
            number = next((i for i, one in enumerate(keys) if _is_same(one, key)), None)
            if number is None:
                raise ValueError("a result is a part that no argument has")
            place = place.children[number]

    def check_container(self, template: ContainerTemplate) -> None:
        kind = template.kind
        if kind in DICTIONARIES and template.keys is not PAIRS:
            set(template.keys)  # raises TypeError for keys that no dict can have
        if kind is SimpleNamespace and any(name.startswith("__") for name in template.keys):
            raise ValueError("an attribute has a special name")
        is_made_first = not issubclass(kind, tuple)
        if is_made_first:
            self.made.add(template.serial)  # type: ignore[arg-type]
        for part in template.parts:
            self.visit(part)
        if not is_made_first:
            self.made.add(template.serial)  # type: ignore[arg-type]


def _is_same(one: Any, other: Any) -> bool:
    return type(one) is type(other) and one == other
