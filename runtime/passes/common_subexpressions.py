"""Computes common subexpressions once (Cocke, 1970).

    a: f64 = sin(x)                   a: f64 = sin(x)
    b: f64 = sin(x)             ->
    c: f64 = add(a, b)                c: f64 = add(a, a)

Two nodes are equal if they apply one op to the same operands with the same attributes.  A region
sees the nodes of the graphs around it.  The pass leaves effects, nodes with regions, and arrays
that escape (`analyses/escape.py`): two arrays stay two.  Nodes under different error settings of
NumPy are not equal, as one may warn where the other does not; nor are nodes that work with objects
of Python, which a call between them may change.
"""

from typing import Any

import numpy as np

from runtime.analyses.effects import depends_on_objects
from runtime.analyses.escape import escaping_values
from runtime.ir.graph import Graph, Node, Operand, Value
from runtime.ir.host import hosts
from runtime.ir.text import attribute_text
from runtime.ir.types import ListType


def eliminate_common_subexpressions(graph: Graph, context: Any = None) -> Graph:
    """The graph that computes equal expressions once."""
    _AvailableExpressions(graph).visit(graph)
    return graph


class _AvailableExpressions:
    """The expressions that are available at the current node."""

    def __init__(self, graph: Graph) -> None:
        self._escaping = escaping_values(graph)
        self._known: dict[tuple[Any, ...], Node] = {}
        self._replaced: dict[Value, Operand] = {}
        self._error_settings: list[Node] = []  # the `with np.errstate(...)` around the walk

    def visit(self, graph: Graph) -> None:
        """Removes equal expressions from a graph; those inside it are not available after it."""
        new = []
        kept = []
        for node in graph.nodes:
            node.inputs = tuple(map(self._resolved, node.inputs))
            for region in node.regions.values():
                self.visit(region)
            if node.op.name == "enter_errors":
                self._error_settings.append(node)
            elif node.op.name == "leave_errors":
                self._error_settings.pop()
            if _may_repeat(node):
                key = (*self._error_settings[-1:], *_key(node))
                earlier = self._known.get(key)
                if earlier is None:
                    self._known[key] = node
                    new.append(key)
                elif self._escaping.isdisjoint(node.outputs):
                    self._replaced.update(zip(node.outputs, earlier.outputs, strict=True))
                    continue
            kept.append(node)
        graph.nodes[:] = kept
        graph.outputs = list(map(self._resolved, graph.outputs))
        for key in new:
            del self._known[key]

    def _resolved(self, operand: Operand) -> Any:
        return self._replaced.get(operand, operand) if isinstance(operand, Value) else operand


def _may_repeat(node: Node) -> bool:
    if not node.outputs or isinstance(node.outputs[0].type, ListType):
        return False  # one list would have to be copied to be updated in place of two
    if node.regions or node.op.updates is not None or node.op.effect:
        return False
    return not depends_on_objects(node)


def _key(node: Node) -> Any:
    inputs = tuple(o if isinstance(o, Value) else (type(o), repr(o)) for o in node.inputs)
    attributes = tuple((name, _identity(value)) for name, value in node.attributes.items())
    return node.op, inputs, attributes


def _identity(attribute: Any) -> Any:
    if isinstance(attribute, np.ndarray):
        return attribute.dtype, attribute.shape, attribute.strides, attribute.tobytes()
    return attribute_text(attribute), tuple(map(id, hosts(attribute)))
