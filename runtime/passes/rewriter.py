"""The walk that rewriting passes share: nodes in order, each with its operands already replaced.

def rewrite(node): ...        None: the node stays (it may have been changed in place)
                              operands: they stand for its results, and the node goes
"""

from collections.abc import Callable, Sequence

from runtime.analyses.escape import escaping_values, has_memory
from runtime.ir.graph import Graph, Node, Operand, Value
from runtime.ir.types import PythonType


class Forward:
    """A walk through a graph; `makers` knows the nodes that were passed, by what they make."""

    def __init__(self, graph: Graph):
        self.graph = graph
        self.makers: dict[Value, Node] = {}
        self._replaced: dict[Value, Operand] = {}
        self._held = escaping_values(graph)

    def run(self, rewrite: Callable[[Node], Sequence[Operand] | None]) -> Graph:
        """Rewrites the graph in place, and returns it."""
        self._visit(self.graph, rewrite)
        return self.graph

    def maker(self, operand: Operand, name: str | None = None) -> Node | None:
        """The node that makes an operand, if it is one of the op called `name`."""
        node = self.makers.get(operand) if isinstance(operand, Value) else None
        return node if node is None or name is None or node.op.name == name else None

    def may_be(self, value: Value, other: Operand, is_same_view: bool = False) -> bool:
        """Whether `other`, which has the same elements, may stand for the result of an op.

        An array that the caller holds has to be one of its own.  Other arrays must lie in memory in
        the same order, as the order of the elements is the order in which they are summed: they do
        where `other` is a view of the same strides, or was made by an elementwise op, as `value`
        is.  A NumPy scalar must be known not to be an array without dimensions.
        """
        if not isinstance(other, Value) or isinstance(other.type, PythonType):
            return True
        if has_memory(value) and value in self._held or is_same_view and not has_memory(value):
            return False
        if is_same_view:
            return True
        maker = self.makers.get(other)
        return maker is not None and maker.op.traits.elementwise

    def _visit(self, graph, rewrite):
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

    def _resolved(self, operand):
        return self._replaced.get(operand, operand) if isinstance(operand, Value) else operand
