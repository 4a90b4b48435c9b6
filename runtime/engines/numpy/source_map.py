"""The source map: the lines of a generated program, each with the user's line and its node.

y = x / np.sqrt(a @ b)      the node of `divide`, whose location is the user's line; the nodes of
                            `sqrt` and `matmul` are inlined in it
"""

import builtins
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, NamedTuple

from runtime.ir.graph import Graph, Location, Node, Value


def program_name(graph: Graph) -> str:
    """The name of the program of a graph: that of the user's function, unless the program needs the
    name itself."""
    name = graph.name if graph.name.isidentifier() else "graph"
    return f"{name}_" if hasattr(builtins, name) or name == "np" else name


class Line(NamedTuple):
    """A line of a program, the user's line that it comes from, and its node, if it has one."""

    text: str
    location: Location | None
    node: Node | None


class InlinedExpression(NamedTuple):
    """An expression that is inlined where its value is used."""

    text: str
    precedence: float
    node: Node


@dataclass
class Program:
    """A generated program: its lines, what it refers to, and how it writes the graph's values."""

    name: str
    lines: list[Line] = field(default_factory=list)
    namespace: dict[str, Any] = field(default_factory=dict)
    names: dict[Value, str] = field(default_factory=dict)
    deferred: dict[Value, InlinedExpression] = field(default_factory=dict)
    # For each function the variables of input arrays, and of their current contents.
    written: dict[str, dict[str, str]] = field(default_factory=dict)

    def append(self, part: "Program") -> None:
        """Adds another program's function."""
        if self.lines:
            self.lines.append(Line("", None, None))
        self.lines += part.lines
        self.names |= part.names
        self.deferred |= part.deferred
        self.written |= part.written

    @property
    def text(self) -> str:
        """The program's source."""
        return "\n".join(line.text for line in self.lines)

    def computed_in(self, line: Line) -> Iterator[tuple[str, Node]]:
        """The nodes that a line computes, each with its text in there."""
        if line.node is None:
            return
        yield line.text.strip(), line.node
        pending = [line.node]
        while pending:
            for operand in pending.pop().inputs:
                if isinstance(operand, Value) and operand in self.deferred:
                    waiting = self.deferred[operand]
                    yield waiting.text, waiting.node
                    pending.append(waiting.node)


# -- which node has failed -------------------------------------------------------------------------


def failing_node(program: Program, line: Line, entry: TracebackType) -> Node | None:
    """The node with the shortest expression around the code that raised, if there is one."""
    columns = list(entry.tb_frame.f_code.co_positions())[entry.tb_lasti // 2]
    source = line.text.encode()
    start, end = columns[2] or 0, len(source) if columns[3] is None else columns[3]
    found: tuple[int, Node] | None = None
    for text, node in program.computed_in(line):
        part = text.encode()
        if (found is None or len(part) <= found[0]) and _encloses(source, part, start, end):
            found = len(part), node
    return None if found is None else found[1]


def _encloses(line: bytes, part: bytes, start: int, end: int) -> bool:
    """Whether `part` occurs in a line so that it covers the columns from `start` to `end`."""
    place = line.find(part)
    while 0 <= place <= start:
        if place + len(part) >= end:
            return True
        place = line.find(part, place + 1)
    return False
