"""A graph in the language of Graphviz: `graph.to_dot()`.

    digraph "f" {
      subgraph "cluster_1" { label="loop"; ... }
    }

Branches and loops are nested clusters.  Tooltips have the user's lines.
"""

import itertools
from collections.abc import Iterator

from runtime.ir.graph import Graph, presents_graphs
from runtime.observability.pictures.drawing import (
    CAPTURE,
    CONSTANT,
    INPUT,
    OPERATION,
    REGIONS,
    RESULT,
    Box,
    Drawing,
    drawing_of,
)

SHAPES = {
    INPUT: "shape=box, style=rounded",
    CAPTURE: 'shape=box, style="rounded,dashed"',
    CONSTANT: "shape=plaintext",
    RESULT: "shape=box, style=rounded",
    OPERATION: "shape=box",
    REGIONS: "shape=box, style=bold",
}


@presents_graphs("dot")
def to_dot(graph: Graph) -> str:
    """The graph as a program for Graphviz."""
    drawing = drawing_of(graph)
    lines = _Writer().inside(drawing, "  ")
    heading = f"digraph {_quoted(graph.name)} {{"
    return "\n".join([heading, '  node [fontname="monospace"];', *lines, "}"])


class _Writer:
    """Writes one graph; boxes are numbered."""

    def __init__(self) -> None:
        self.numbers = itertools.count(1)
        self.names: dict[Box, str] = {}

    def inside(self, drawing: Drawing, indent: str) -> Iterator[str]:
        for box in drawing.boxes:
            yield from self.box(box, indent)
        for edge in drawing.edges:
            style = ", style=dotted" if edge.is_order else ""
            ends = f"{self.names[edge.start]} -> {self.names[edge.end]}"
            yield f"{indent}{ends} [tooltip={_quoted(edge.tooltip)}{style}];"
        if drawing.repeats:
            yield from self.way_back(drawing, indent)

    def box(self, box: Box, indent: str) -> Iterator[str]:
        name = self.names[box] = f"n{next(self.numbers)}"
        about = f"label={_quoted(box.text)}, tooltip={_quoted(box.tooltip)}, {SHAPES[box.kind]}"
        if not box.drawings:
            yield f"{indent}{name} [{about}];"
            return
        yield f"{indent}subgraph cluster_{name} {{"
        yield f'{indent}  label="";'
        yield f"{indent}  {name} [{about}];"
        for role, drawing in box.drawings.items():
            yield f"{indent}  subgraph cluster_{name}_{role} {{"
            yield f"{indent}    label={_quoted(role)};"
            yield from self.inside(drawing, indent + "    ")
            yield f"{indent}  }}"
        yield f"{indent}}}"

    def way_back(self, drawing: Drawing, indent: str) -> Iterator[str]:
        """The line from the results of a loop's body to its inputs."""
        results = [self.names[box] for box in drawing.boxes if box.kind == RESULT]
        inputs = [self.names[box] for box in drawing.boxes if box.kind == INPUT]
        if results and inputs:
            about = 'style=bold, constraint=false, tooltip="the next iteration"'
            yield f"{indent}{results[0]} -> {inputs[0]} [{about}];"


def _quoted(text: str) -> str:
    """A string of the language of Graphviz."""
    inside = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{inside}"'
