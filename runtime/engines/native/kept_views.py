"""Views that variables hold: machine code has copies of them, which no code can tell from them.

    row = x[0]                          row = x[0].copy()
    for i in range(1, n):        ->     for i in range(1, n):
        total += row @ x[i]                 total += row @ x[i]
        row = x[i]                          row = x[i].copy()

A view in a piece is an address without an object (`views.py`), so no variable of a loop or branch
holds one.  Graphs have values, and no memory that two names share: a copy is seen only where the
caller reaches the variable's array (`analyses/escape.py`).
"""

from collections.abc import Iterator

from runtime.analyses.escape import escaping_values
from runtime.engines.native.views import is_view_node
from runtime.ir.graph import Graph, Node, Operand, Value, walk
from runtime.ir.op import find
from runtime.ir.regions import body_of, carried, is_choice, is_loop


def insert_copies(graph: Graph) -> list[Node]:
    """Puts copies of the views that variables hold into a graph; returns the copies."""
    copies = _Copies(graph)
    copies.insert()
    return copies.nodes


class _Copies:
    """The places of a graph where a view becomes the value of a variable."""

    def __init__(self, graph: Graph) -> None:
        self.nodes: list[Node] = []
        self.escaping = escaping_values(graph)
        self.views = {n.output: n for n in walk(graph) if is_view_node(n)}
        self.places = list(self._found(graph))

    def _found(self, region: Graph) -> Iterator[tuple[Graph, Node | None, int]]:
        """Regions, each with the node in it, or None for its end, and the place of an operand."""
        for node in region.nodes:
            if is_loop(node):
                for i, one in enumerate(carried(node)):
                    if self._is_copied(one.start, one.given, one.result):
                        yield region, node, len(node.inputs) - len(node.outputs) + i
                    if self._is_copied(one.end, one.given, one.result):
                        yield body_of(node), None, i - len(node.outputs)
            elif is_choice(node):
                for name, each in node.regions.items():
                    ends = node.op.control_flow.leaving(node, name)
                    for i, (end, result) in enumerate(zip(ends, node.outputs, strict=True)):
                        if self._is_copied(end, result):
                            yield each, None, i - len(node.outputs)
            for each in node.regions.values():
                yield from self._found(each)

    def _is_copied(self, operand: Operand, *variables: Value) -> bool:
        return operand in self.views and self.escaping.isdisjoint(variables)

    def insert(self) -> None:
        """Puts the copies into the graph."""
        for region, node, place in self.places:
            operands = list(region.outputs if node is None else node.inputs)
            new = self._copy(operands[place])
            operands[place] = new.output
            if node is None:
                region.nodes.append(new)
                region.outputs = operands
            else:
                region.nodes.insert(region.nodes.index(node), new)
                node.inputs = tuple(operands)

    def _copy(self, view: Operand) -> Node:
        assert isinstance(view, Value)
        location = self.views[view].location
        made = Node(find("copy"), (view,), (Value(view.type, view.hint),), {}, {}, location)
        self.nodes.append(made)
        return made
