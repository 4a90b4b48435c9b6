"""The walk that rewriting passes share: nodes in order, each with its operands already replaced.

def rewrite(node): ...        None: the node stays (it may have been changed in place)
                              operands: they replace its results, and the node is removed
"""

from collections.abc import Callable, Sequence
from typing import Any

from runtime.analyses.escape import escaping_values, has_memory
from runtime.ir.graph import Graph, Node, Operand, Value
from runtime.ir.types import PythonType


class GraphRewriter:
    """A walk through a graph; `makers` maps results to the nodes that were visited."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.makers: dict[Value, Node] = {}
        self._replaced: dict[Value, Operand] = {}
        self._escaping = escaping_values(graph)

    def run(self, rewrite: Callable[[Node], Sequence[Operand] | None]) -> Graph:
        """Rewrites the graph in place, and returns it."""
        self._visit(self.graph, rewrite)
        return self.graph

    def maker(self, operand: Operand, name: str | None = None) -> Node | None:
        """The node that makes an operand, if it is one of the op called `name`."""
        node = self.makers.get(operand) if isinstance(operand, Value) else None
        return node if node is None or name is None or node.op.name == name else None

    def can_replace(self, value: Value, other: Operand, is_same_view: bool = False) -> bool:
        """Whether `other`, which has the same elements, may replace the result of an op.

        An array that escapes has to be one of its own.  Other arrays must have the same order in
        memory, as NumPy sums elements in that order: they do if `other` is a view with the same
        strides, or the result of an elementwise op, as `value` is.  A NumPy scalar must be known
        not to be a 0-d array.
        """
        if not isinstance(other, Value) or isinstance(other.type, PythonType):
            return True
        if has_memory(value) and value in self._escaping or is_same_view and not has_memory(value):
            return False
        if is_same_view:
            return True
        maker = self.makers.get(other)
        return maker is not None and maker.op.traits.elementwise

    def _visit(self, graph: Graph, rewrite: Any) -> None:
        kept = []
        for node in graph.nodes:
            node.inputs = tuple(map(self._resolved, node.inputs))
            for region in node.regions.values():
                self._visit(region, rewrite)
            found = rewrite(node)
            if found is None:
                kept.append(node)
                self.makers.update(dict.fromkeys(node.outputs, node))
            else:
                self._replaced.update(zip(node.outputs, found, strict=True))
        graph.nodes[:] = kept
        graph.outputs = list(map(self._resolved, graph.outputs))

    def _resolved(self, operand: Operand) -> Any:
        return self._replaced.get(operand, operand) if isinstance(operand, Value) else operand
