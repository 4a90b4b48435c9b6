"""The boxes and lines of a picture, without their places.

    graph        -> drawing: boxes, and lines between them
    node         -> box with the text of the node
    region       -> drawing inside the box of its node

A drawing begins with a box for each input, and for each value that it takes from outside; it ends
with a box for each result.  So a line never crosses the border of a drawing.  A constant with which
a loop starts has a box of its own, if the line that binds it is known (`counter = 0`).
"""

import linecache
from collections.abc import Iterator
from dataclasses import dataclass, field

from runtime.ir.bindings import BoundConstant, bound_constants
from runtime.ir.graph import Graph, Location, Node, Operand, Value, captures
from runtime.ir.regions import is_loop
from runtime.ir.text import ValueNames, names_in_text, scalar_text, statement

LONGEST = 44  # characters of the text of a box
INPUT, CAPTURE, CONSTANT, RESULT = "input", "capture", "constant", "result"
OPERATION, REGIONS = "operation", "regions"


@dataclass(eq=False)
class Box:
    """Something that is drawn: an input, a constant, an operation, a result; or regions, side by
    side.

    `drawings` are those of the regions, by name; `folded` says that they are left out.  Sizes and
    places are filled by `layout.py`, in pixels; the place is that of the upper left corner.
    """

    kind: str
    text: str
    tooltip: str
    location: Location | None = None
    drawings: dict[str, "Drawing"] = field(default_factory=dict)
    folded: bool = False
    width: float = 0.0
    height: float = 0.0
    x: float = 0.0
    y: float = 0.0

    @property
    def center(self) -> float:
        """The middle between its left and right edges."""
        return self.x + self.width / 2


@dataclass(eq=False)
class Edge:
    """A line from a value's box to a box that uses it; one of order joins effects."""

    start: Box
    end: Box
    tooltip: str = ""
    is_order: bool = False
    points: list[tuple[float, float]] = field(default_factory=list)
    path: list[Box] = field(default_factory=list)  # its boxes and bends, filled by `layout.py`


@dataclass(eq=False)
class Drawing:
    """A graph or region as boxes and lines; of a loop's body, the results are the next inputs."""

    title: str
    boxes: list[Box] = field(default_factory=list)
    edges: list[Edge] = field(default_factory=list)
    repeats: bool = False
    width: float = 0.0
    height: float = 0.0
    x: float = 0.0
    y: float = 0.0
    layers: list[list[Box]] = field(default_factory=list)  # with bends, filled by `layout.py`


def drawing_of(graph: Graph, depth: int | None = None) -> Drawing:
    """The drawing of a graph; regions nested deeper than `depth` are folded."""
    return _Drawer(names_in_text(graph), depth).drawing(graph, graph.name, 0, False)


def nesting(graph: Graph) -> int:
    """How deep regions are nested in a graph: 0 if there are none."""
    inside = [region for node in graph.nodes for region in node.regions.values()]
    return 1 + max(map(nesting, inside)) if inside else 0


class _Drawer:
    """Makes the drawings of one graph; its values have the names of the graph's text."""

    def __init__(self, names: ValueNames, depth: int | None) -> None:
        self.names, self.depth = names, depth

    def drawing(
        self, graph: Graph, title: str, level: int, repeats: bool, owner: Node | None = None
    ) -> Drawing:
        made, makers = Drawing(title, repeats=repeats), dict[Value, Box]()
        outside = [(value, CAPTURE) for value in captures(graph)]
        for value, kind in [*((v, INPUT) for v in graph.inputs), *outside]:
            makers[value] = Box(kind, self.names[value], f"{self.names[value]}: {value.type}")
            made.boxes.append(makers[value])
        last = None  # the box of the last effect
        for node in graph.nodes:
            box = self.box(node, level)
            for start in _constants(node, ""):
                made.boxes.append(self.constant(start))
                made.edges.append(Edge(made.boxes[-1], box, start.name))
            made.boxes.append(box)
            made.edges += self.edges(_used(node), makers, box)
            makers.update(dict.fromkeys(node.outputs, box))
            if node.op.effect is not None:
                if last is not None:
                    made.edges.append(Edge(last, box, "in this order", True))
                last = box
        lines = _lines_of_results(graph, title, owner)
        for operand, line in zip(graph.outputs, lines, strict=True):
            tooltip = "\n".join(filter(None, (f"result: {self.shown(operand)}", _where(line))))
            box = Box(RESULT, _cut(self.shown(operand)), tooltip, line)
            made.boxes.append(box)
            made.edges += self.edges([operand], makers, box)
        return made

    def box(self, node: Node, level: int) -> Box:
        drawings = {}
        if self.depth is None or level < self.depth:
            for role, region in node.regions.items():
                drawings[role] = self.drawing(region, role, level + 1, is_loop(node), node)
        text = statement(node, {}, self.names)
        tooltip = "\n".join(filter(None, (text, _where(node.location))))
        is_folded = bool(node.regions) and not drawings
        kind = REGIONS if node.regions else OPERATION
        return Box(kind, _cut(text), tooltip, node.location, drawings, is_folded)

    def constant(self, one: BoundConstant) -> Box:
        text = f"{one.name} = {scalar_text(one.constant)}"
        return Box(CONSTANT, _cut(text), f"{text}\n{_where(one.location)}", one.location)

    def edges(self, operands: list[Operand], makers: dict[Value, Box], end: Box) -> Iterator[Edge]:
        for value in dict.fromkeys(o for o in operands if isinstance(o, Value)):
            yield Edge(makers[value], end, f"{self.names[value]}: {value.type}")

    def shown(self, operand: Operand) -> str:
        return self.names[operand] if isinstance(operand, Value) else scalar_text(operand)


def _used(node):
    """The operands of a node, and the values that its regions take from outside."""
    inside = [value for region in node.regions.values() for value in captures(region)]
    return [*node.inputs, *inside]


def _cut(text):
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "\N{HORIZONTAL ELLIPSIS}"


def _constants(node, region):
    return [one for one in bound_constants(node) if one.region == region]


def _lines_of_results(graph, role, owner):
    """For each result of a region the line that binds it, if it is a constant of a variable."""
    lines = [None] * len(graph.outputs)
    if owner is not None:
        skipped = len(graph.outputs) - len(owner.outputs)  # a loop's body begins with its test
        for one in _constants(owner, role):
            lines[one.place + skipped] = one.location
    return lines


def _where(location):
    """The user's line, and its text."""
    if location is None:
        return ""
    source = linecache.getline(location.filename, location.lineno).strip()
    return "\n".join(filter(None, (f"{location.short}, line {location.lineno}", source)))
