"""Explains a value of a graph, by its name in the printed graph.

>>> from runtime.ir.text import parse
>>> graph = parse('''
... def f(x: f64[3]):
...     y: f64[3] = multiply(x, 2)  # model.py:7
...     s: f64 = sum(y)  # model.py:8
...     return s
... ''')
>>> print(graph.explain("y"))
y: f64[3] = multiply(x, 2)
  multiply   Product.
  line       model.py, line 7
  operands   x: f64[3]   an input of f
             2           a scalar
  used by    s: f64 = sum(y)   model.py, line 8
  region     f
"""

import difflib
import linecache
from dataclasses import dataclass, field

from autograph.errors import shown_name
from runtime.ir.graph import Graph, Location, Node, Operand, Value, presents_graphs
from runtime.ir.text import ValueNames, names_in_text, scalar_text, statement


@dataclass
class _Definitions:
    """Where the values of a graph are defined and used, and the path of each region."""

    maker: dict[Value, Node | None] = field(default_factory=dict)
    home: dict[Value, str] = field(default_factory=dict)
    users: dict[Value, list[Node]] = field(default_factory=dict)
    results_of: dict[Value, list[str]] = field(default_factory=dict)

    def add(self, graph: Graph, path: str) -> None:
        """Adds a graph or region with its path."""
        for value in graph.inputs:
            self.maker[value], self.home[value] = None, path
        for node in graph.nodes:
            for operand in dict.fromkeys(node.inputs):
                if isinstance(operand, Value):
                    self.users.setdefault(operand, []).append(node)
            for name, region in node.regions.items():
                where = f" ({_line(node.location)})" if node.location else ""
                self.add(region, f"`{name}` of the {node.op.name}{where}, in {path}")
            for value in node.outputs:
                self.maker[value], self.home[value] = node, path
        for operand in dict.fromkeys(graph.outputs):
            if isinstance(operand, Value):
                self.results_of.setdefault(operand, []).append(path)


@presents_graphs("explanation")
def explain(graph: Graph, name: str) -> str:
    """A few lines about a value: its op, the user's line, its operands and its uses.

    Raises `ValueError` if no value of the printed graph has this name.
    """
    names, definitions = names_in_text(graph), _Definitions()
    values = names.values()
    if name not in values:
        near = difflib.get_close_matches(name, values, 3)
        hint = f"; there is {', '.join(near)}" if near else ""
        raise ValueError(f"no value of {graph.name} is called {name!r}{hint}")
    definitions.add(graph, graph.name)
    value = values[name]
    node = definitions.maker[value]
    if node is None:
        lines = [f"{name}: {value.type}", *_rows("", [f"an input of {definitions.home[value]}"])]
    else:
        lines = [_shown(node, names), *_about(node, names, definitions)]
    uses = [_use(user, names) for user in definitions.users.get(value, [])]
    uses += [f"the result of {path}" for path in definitions.results_of.get(value, [])]
    lines += _rows("used by", uses or ["nothing"])
    lines += _rows("region", [definitions.home[value]])
    return "\n".join(lines)


def _about(node, names, definitions):
    """Rows about a node: its op, line, scope and operands."""
    doc = [line.strip() for line in node.op.doc.strip().splitlines()]
    yield from _rows(node.op.name, doc)
    if node.location is not None:
        yield from _rows("line", [_where(node.location), *_source(node.location)])
    if node.scope:
        yield from _rows("scope", [node.scope])
    operands = [_operand(o, names, definitions) for o in dict.fromkeys(node.inputs)]
    yield from _rows("operands", _aligned(operands) or ["nothing"])


def _operand(operand: Operand, names: ValueNames, definitions: _Definitions) -> tuple[str, str]:
    if not isinstance(operand, Value):
        return scalar_text(operand), "a scalar"
    node = definitions.maker[operand]
    shown = f"{names[operand]}: {operand.type}"
    if node is None:
        return shown, f"an input of {definitions.home[operand]}"
    return shown, f"the result of {node.op.name}" + (
        f", {_where(node.location)}" if node.location else ""
    )


def _use(node, names):
    return _shown(node, names) + (f"   {_where(node.location)}" if node.location else "")


def _shown(node, names):
    return statement(node, {name: "..." for name in node.regions}, names)


def _line(location):
    return f"line {location.lineno}"


def _where(location: Location) -> str:
    function = f", in {location.function}" if location.function else ""
    return f"{shown_name(location.filename)}, {_line(location)}{function}"


def _source(location):
    text = linecache.getline(location.filename, location.lineno).strip()
    return [text] if text else []


def _aligned(pairs):
    width = max((len(left) for left, _ in pairs), default=0)
    return [f"{left:<{width}}   {right}" for left, right in pairs]


def _rows(title, texts):
    """A titled row, and further ones below it."""
    width = max(9, len(title))
    for i, text in enumerate(texts):
        yield f"  {title if i == 0 else '':<{width}}  {text}"
