"""Graphs as text: a subset of Python.

    def collatz(a: i64):
        p: b1 = not_equal(a, 1)  # collatz.py:3

        def body(a_1: i64, counter: int):
            ...
            return p_1, a_4, counter_1
        a_5, counter_2 = loop(p, a, 0, body=body)  # collatz.py:3
        return counter_2

Operands come first, then attributes and regions by keyword.  Names are those of the user, with a
number if a name is repeated.  A comment gives the line of the source that a node comes from.

Three laws hold for every graph:

    show(parse(text)) == text
    run(parse(show(graph))) == run(graph)
    the text is a Python program: with functions for the ops, it runs
"""

import itertools
from collections.abc import Hashable, Iterator
from typing import Any, NamedTuple

import numpy as np

from runtime.ir import op as ops
from runtime.ir.bindings import bound_constants
from runtime.ir.graph import Graph, Location, Node, Operand, Value, presents_graphs
from runtime.ir.parsing import NAMED_FLOATS
from runtime.ir.parsing import parse as parse
from runtime.ir.types import DTYPE_NAMES, DTYPES, Type

# -- printing --------------------------------------------------------------------------------------


@presents_graphs("text")
def show(graph: Graph) -> str:
    """The text of a graph."""
    return "\n".join(line.text for line in lines_of(graph, ValueNames()))


def names_in_text(graph: Graph) -> "ValueNames":
    """The names of values in the text of a graph."""
    names = ValueNames()
    for _ in lines_of(graph, names):
        pass
    return names


class TextLine(NamedTuple):
    """A line of the text of a graph, and the user's line that it comes from.

    `key` is the same for a line of the same node in the texts of several versions of a graph: its
    first result, or the node if it has none; with the name of a region for the lines around one.
    `constants` are the user's lines that bind constants which the line has (`bindings.py`).
    """

    text: str
    location: Location | None
    key: Hashable
    constants: tuple[Location, ...] = ()


class ValueNames:
    """Unique names for values: the names of the user, numbered if a name is taken."""

    def __init__(self) -> None:
        self._names: dict[Value, str] = {}
        self._regions: dict[tuple[Value | Node, str], str] = {}
        self._numbers: dict[str, Iterator[int]] = {}
        self._taken = {*ops.names(), *NAMED_FLOATS, *DTYPES}

    def __getitem__(self, value: Value) -> str:
        if value not in self._names:
            self._names[value] = self.fresh(value.hint)
        return self._names[value]

    def values(self) -> dict[str, Value]:
        """The values that have a name so far, by name."""
        return {name: value for value, name in self._names.items()}

    def region(self, node: Node, name: str) -> str:
        """The name of a region of a node."""
        key = key_of(node), name
        if key not in self._regions:
            self._regions[key] = self.fresh(name)
        return self._regions[key]

    def fresh(self, stem: str) -> str:
        """`stem`, or `stem_1`, `stem_2`... if it is taken."""
        name = stem
        numbers = self._numbers.setdefault(stem, itertools.count(1))
        while name in self._taken:
            name = f"{stem}_{next(numbers)}"
        self._taken.add(name)
        return name


def key_of(node: Node) -> Value | Node:
    """The identity of a node in several versions of a graph: its first result, if it has one."""
    return node.outputs[0] if node.outputs else node


def lines_of(graph: Graph, names: ValueNames) -> Iterator[TextLine]:
    """The lines of the text of a graph; values that have a name in `names` keep it."""
    return _lines(graph, names, "", graph.name, None, None)


def _lines(
    graph: Graph,
    names: ValueNames,
    indent: str,
    name: str,
    key: Hashable,
    location: Location | None,
    constants: tuple[Location, ...] = (),
) -> Iterator[TextLine]:
    parameters = ", ".join(f"{names[v]}: {v.type}" for v in graph.inputs)
    yield TextLine(f"{indent}def {name}({parameters}):", location, (key, "def"))
    inside = indent + "    "
    for node in graph.nodes:
        mark, regions = key_of(node), {}
        for role, region in node.regions.items():
            yield TextLine("", None, (mark, role, "before"))
            regions[role] = names.region(node, role)
            yield from _lines(
                region, names, inside, regions[role], (mark, role), node.location,
                _constants(node, role),
            )  # fmt: skip
        text = inside + statement(node, regions, names) + _comment(node)
        yield TextLine(text, node.location, mark, _constants(node, ""))
    results = ", ".join(_operand(o, names) for o in graph.outputs)
    text = f"{inside}return {results}".rstrip()
    yield TextLine(text, location, (key, "return"), constants)


def _constants(node: Node, region: str) -> tuple[Location, ...]:
    return tuple(one.location for one in bound_constants(node) if one.region == region)


def statement(node: Node, regions: dict[str, str], names: ValueNames) -> str:
    """The text of a node; `regions` are the names of its regions."""
    parts = [_operand(o, names) for o in node.inputs]
    parts += [f"{name}={attribute_text(value)}" for name, value in node.attributes.items()]
    parts += [f"{name}={shown}" for name, shown in regions.items()]
    text = f"{node.op.name}({', '.join(parts)})"
    match node.outputs:
        case (only,):
            text = f"{names[only]}: {only.type} = {text}"
        case (_, _, *_):
            text = f"{', '.join(names[v] for v in node.outputs)} = {text}"
    return text


def _comment(node: Node) -> str:
    at = node.location and f"{node.location.short}:{node.location.lineno}"
    where = " ".join(filter(None, (at, node.scope)))
    return f"  # {where}" if where else ""


def _operand(operand: Operand, names: ValueNames) -> str:
    return names[operand] if isinstance(operand, Value) else scalar_text(operand)


def scalar_text(number: bool | int | float | complex) -> str:
    """The text of a Python scalar, which `parse` reads back to an equal scalar."""
    if isinstance(number, complex):
        return f"complex({number.real!r}, {number.imag!r})"
    return repr(number)


def attribute_text(value: Any) -> str:
    """The text of an attribute: a literal, a name of a dtype or type, elements of an array."""
    match value:
        case np.ndarray() | np.generic():
            elements = ", ".join(map(scalar_text, np.ravel(value).tolist()))
            return f"array([{elements}], {DTYPE_NAMES[value.dtype]}, {np.shape(value)!r})"
        case np.dtype():
            return DTYPE_NAMES[value]
        case Type():
            return str(value)
        case tuple():
            inside = ", ".join(map(attribute_text, value))
            return f"({inside},)" if len(value) == 1 else f"({inside})"
        case list():
            return f"[{', '.join(map(attribute_text, value))}]"
        case slice():
            return f"slice({', '.join(map(attribute_text, (value.start, value.stop, value.step)))})"
        case np.ufunc():
            return f"ufunc({value.__name__!r})"
        case type():
            outside = value.__module__ != "builtins"
            return f"{value.__module__}.{value.__qualname__}" if outside else value.__qualname__
        case complex():
            return scalar_text(value)
    return repr(value)
