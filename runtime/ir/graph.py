"""The graph: values, nodes that compute them, and regions, which are graphs inside nodes.

    value   ::=  a type, and a name hint: the name that the user gives it
    operand ::=  value | Python scalar
    node    ::=  outputs = op(operands, attributes, regions)  # file.py:12
    graph   ::=  name, inputs, nodes, outputs

Nodes are in program order, and effects happen in that order.  A region is a graph; it may use
values of the graphs that enclose it, as a nested function may use the variables of its enclosing
functions.  Each value is defined once, before its uses (static single assignment).
"""

import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from operator import is_
from typing import Any, NamedTuple, TypeVar

from autograph.errors import SourceLocation, shown_name
from runtime.ir.types import PYTHON_TYPES, Type

PYTHON_SCALARS = (bool, int, float, complex)
UNNAMED = ("v", "p")  # the hints of values that the user gives no name; p if they are bools


class Location(NamedTuple):
    """A line of the user's source, and the columns of the expression in it, if they are known."""

    filename: str
    lineno: int
    function: str = ""
    columns: tuple[int, int] | None = None

    @property
    def line(self) -> tuple[str, int]:
        """The file and line alone."""
        return self.filename, self.lineno

    @property
    def in_message(self) -> SourceLocation:
        """The same location, as error messages show it."""
        columns = self.columns or (None, None)
        return SourceLocation(self.filename, self.lineno, self.function, *columns)

    @property
    def short(self) -> str:
        """The file without its folder, or the cell of a notebook: `model.py`, `In[3]`."""
        return os.path.basename(shown_name(self.filename, with_label=False))

    def __str__(self) -> str:
        return f"{self.filename}:{self.lineno}"


class Value:
    """The result of a node or an input of a graph.  Values are compared by identity."""

    __slots__ = ("hint", "type")

    def __init__(self, type: Type, hint: str = "v") -> None:
        self.type = type
        self.hint = hint

    def __repr__(self) -> str:
        return f"<{self.hint}: {self.type}>"


Operand = Value | bool | int | float | complex


class Binding(NamedTuple):
    """The statement that gives a variable its value at the start or the end of a region.

    `name` is the hint of the variable, and `region` the region that ends with the value; "" stands
    for the value with which a loop starts.
    """

    name: str
    region: str
    location: Location


@dataclass(eq=False, slots=True)
class Node:
    """One operation.  `attributes` are Python constants and `regions` are graphs, both by name.

    `bindings` are the places of constants of branches and loops, which no node computes
    (`bindings.py`); the text of a graph leaves them out.
    """

    op: Any  # an `Op`, whose module imports this one
    inputs: tuple[Operand, ...]
    outputs: tuple[Value, ...]
    attributes: dict[str, Any] = field(default_factory=dict)
    regions: dict[str, "Graph"] = field(default_factory=dict)
    location: Location | None = None
    scope: str = ""
    bindings: tuple[Binding, ...] = ()

    @property
    def output(self) -> Value:
        """The result of a node that has one result."""
        (value,) = self.outputs
        return value


@dataclass(eq=False, slots=True)
class Graph:
    """A function of its inputs and, for a region, of values of the enclosing graphs."""

    name: str
    inputs: list[Value] = field(default_factory=list)
    nodes: list[Node] = field(default_factory=list)
    outputs: list[Operand] = field(default_factory=list)

    def __str__(self) -> str:
        return str(_presentations["text"](self))

    __repr__ = __str__

    def explain(self, name: str) -> str:
        """Explains the value that the text of the graph calls `name` (`observability/explain.py`).

        Raises `ValueError` if no value has that name.
        """
        return str(_presentations["explanation"](self, name))

    def as_graph_def(self) -> dict[str, Any]:
        """The graph as a dictionary that JSON can hold (`observability/graph_def.py`)."""
        return dict(_presentations["graph_def"](self))

    def to_dot(self) -> str:
        """The graph as a program for Graphviz; branches and loops are nested clusters."""
        return str(_presentations["dot"](self))

    def to_svg(self, depth: int | None = None) -> str:
        """The graph as an SVG picture (`observability/pictures/`).

        Branches and loops nested deeper than `depth` are folded; 0 folds all.
        """
        return str(_presentations["svg"](self, depth))

    def _repr_html_(self) -> str:
        return str(_presentations["html"](self))


_presentations: dict[str, Callable[..., Any]] = {}
_Presentation = TypeVar("_Presentation", bound=Callable[..., Any])


def presents_graphs(kind: str) -> Callable[[_Presentation], _Presentation]:
    """Registers a function as the way in which graphs are presented: a decorator.

    `kind` is "text" (`str(graph)`), "explanation" (`graph.explain`), "graph_def"
    (`graph.as_graph_def`), "dot" (`graph.to_dot`), "svg" (`graph.to_svg`) or "html" (in notebooks).
    The modules that define them import this one, not the other way round.
    """

    def register(function: _Presentation) -> _Presentation:
        if _presentations.setdefault(kind, function) is not function:
            raise ValueError(f"graphs already have a presentation called {kind!r}")
        return function

    return register


def operand_type(operand: Operand) -> Type:
    """The type of an operand: a value or a Python scalar."""
    return operand.type if isinstance(operand, Value) else PYTHON_TYPES[type(operand)]


def walk(graph: Graph) -> Iterator[Node]:
    """All nodes of a graph and of its regions, each before the nodes inside it."""
    for node in graph.nodes:
        yield node
        for region in node.regions.values():
            yield from walk(region)


def used_values(graph: Graph) -> Iterator[Value]:
    """The values that a graph and its regions use, once for each use."""
    for node in graph.nodes:
        yield from (v for v in node.inputs if isinstance(v, Value))
        for region in node.regions.values():
            yield from used_values(region)
    yield from (v for v in graph.outputs if isinstance(v, Value))


def defined_values(graph: Graph) -> Iterator[Value]:
    """The inputs of a graph and the results of its own nodes, without those inside regions."""
    yield from graph.inputs
    for node in graph.nodes:
        yield from node.outputs


def captures(region: Graph) -> list[Value]:
    """The values of enclosing graphs that a region uses, in order of first use."""
    inside: set[Value] = set()
    pending = [region]
    while pending:
        graph = pending.pop()
        inside.update(defined_values(graph))
        pending += [r for node in graph.nodes for r in node.regions.values()]
    return list(dict.fromkeys(v for v in used_values(region) if v not in inside))


def substitute(graph: Graph, replacements: dict[Value, Operand]) -> None:
    """Replaces the uses of some values in a graph and its regions."""

    def replaced(operand: Operand) -> Operand:
        while isinstance(operand, Value) and operand in replacements:
            operand = replacements[operand]
        return operand

    for node in graph.nodes:
        node.inputs = tuple(map(replaced, node.inputs))
        for region in node.regions.values():
            substitute(region, replacements)
    graph.outputs = list(map(replaced, graph.outputs))


def copy(graph: Graph, values: dict[Value, Operand] | None = None) -> Graph:
    """A copy of a graph with new values; `values` maps values of enclosing graphs to operands."""
    known = dict(values or {})

    def fresh(value: Value) -> Value:
        known[value] = new = Value(value.type, value.hint)
        return new

    def use(operand: Operand) -> Operand:
        return known.get(operand, operand) if isinstance(operand, Value) else operand

    new = Graph(graph.name, [fresh(v) for v in graph.inputs])
    for node in graph.nodes:
        inputs = tuple(map(use, node.inputs))
        regions = {name: copy(region, known) for name, region in node.regions.items()}
        outputs = tuple(map(fresh, node.outputs))
        attributes = dict(node.attributes)
        place = node.location, node.scope, node.bindings
        new.nodes.append(Node(node.op, inputs, outputs, attributes, regions, *place))
    new.outputs = list(map(use, graph.outputs))
    return new


# -- verification ----------------------------------------------------------------------------------


class InvalidGraph(ValueError):
    """A graph breaks a rule of this module; the message names the node and the rule."""


def verify(graph: Graph, known: dict[Node, tuple[Any, ...]] | None = None) -> None:
    """Checks that each value is defined once, before its uses, and each node by its type rule.

    Raises `InvalidGraph`.  `known` caches the inputs of the type rule for each node, which is
    applied again only to nodes that have changed.
    """
    _Verification({} if known is None else known).check(graph)


class _Verification:
    """The verification of one graph."""

    def __init__(self, known: dict[Node, tuple[Any, ...]]) -> None:
        self.known = known
        self.defined: set[Value] = set()
        self.visible: set[Value] = set()

    def check(self, graph: Graph) -> None:
        for value in graph.inputs:
            self.define(value, f"graph {graph.name}")
        for node in graph.nodes:
            for operand in node.inputs:
                if operand not in self.visible:
                    self.check_operand(operand, node)
            self.check_regions(node)
            self.check_rule(node)
            for value in node.outputs:
                self.define(value, node)
        for operand in graph.outputs:
            if operand not in self.visible:
                self.check_operand(operand, f"the result of {graph.name}")
        self.visible.difference_update(defined_values(graph))

    def define(self, value: Value, by: Node | str) -> None:
        if value in self.defined:
            raise InvalidGraph(f"{_name_of(by)} defines {value!r}, which is already defined")
        self.defined.add(value)
        self.visible.add(value)

    def check_operand(self, operand: Operand, by: Node | str) -> None:
        if isinstance(operand, Value):
            raise InvalidGraph(f"{_name_of(by)} uses {operand!r}, which is not defined there")
        if type(operand) not in PYTHON_SCALARS:
            reason = "which is neither a value nor a Python scalar"
            raise InvalidGraph(f"{_name_of(by)} uses {operand!r}, {reason}")

    def check_regions(self, node: Node) -> None:
        flow = node.op.control_flow
        for name, region in node.regions.items():
            if flow is None or name not in flow.regions:
                raise InvalidGraph(
                    f"{_name_of(node)} has a region {name!r} that its op does not declare"
                )
            self.check(region)

    def check_rule(self, node: Node) -> None:
        checked = rule_inputs(node)
        known = self.known.get(node, ())
        if not node.regions and len(known) == len(checked) and all(map(is_, known, checked)):
            return
        expected, actual = node.op.infer_node(node), tuple(value.type for value in node.outputs)
        if expected != actual:
            found, inferred = _listed(actual), _listed(expected)
            raise InvalidGraph(f"{_name_of(node)} returns {found}, but its rule infers {inferred}")
        self.known[node] = checked


def rule_inputs(node: Node) -> tuple[Any, ...]:
    """Everything that decides whether a node without regions keeps its type rule."""
    return (
        node.op,
        *map(operand_type, node.inputs),
        *node.attributes,
        *node.attributes.values(),
        *(value.type for value in node.outputs),
    )


def _name_of(by: Node | str) -> str:
    """The name of a node in a message."""
    return f"{by.op.name} ({by.location or 'no location'})" if isinstance(by, Node) else by


def _listed(types: Iterable[Type]) -> str:
    return ", ".join(map(str, types)) or "nothing"
