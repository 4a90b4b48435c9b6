"""Removes repetition: common subexpressions (Cocke, 1970).

    a: f64 = sin(x)                   a: f64 = sin(x)
    b: f64 = sin(x)             ->
    c: f64 = add(a, b)                c: f64 = add(a, a)

Two nodes repeat each other if they apply one op to the same operands with the same attributes.  A
region sees what was computed around it.  Left alone are effects, nodes with regions, and arrays
that the caller may hold afterwards (`analyses/escape.py`): two arrays stay two.  What is computed
where NumPy shall not warn is computed again where it shall.
"""

import numpy as np

from runtime.analyses.escape import escaping_values
from runtime.ir.graph import Graph, Node, Operand, Value
from runtime.ir.text import attribute_text
from runtime.ir.types import ListType


def eliminate_common_subexpressions(graph: Graph, context=None) -> Graph:
    """The graph in which nothing is computed twice."""
    _Repetition(graph).visit(graph)
    return graph


class _Repetition:
    """What has been computed already, where the walk through the graph stands."""

    def __init__(self, graph):
        self._held = escaping_values(graph)
        self._known: dict[tuple, Node] = {}
        self._replaced: dict[Value, Operand] = {}
        self._judges: list[Node] = []  # the `with np.errstate(...)` around the walk

    def visit(self, graph):
        """Removes repetition from a graph, and forgets what is computed in it."""
        new = []
        kept = []
        for node in graph.nodes:
            node.inputs = tuple(map(self._resolved, node.inputs))
            for region in node.regions.values():
                self.visit(region)
            if node.op.name == "enter_errors":
                self._judges.append(node)
            elif node.op.name == "leave_errors":
                self._judges.pop()
            if _may_repeat(node):
                key = (*self._judges[-1:], *_key(node))
                earlier = self._known.get(key)
                if earlier is None:
                    self._known[key] = node
                    new.append(key)
                elif self._held.isdisjoint(node.outputs):
                    self._replaced.update(zip(node.outputs, earlier.outputs, strict=True))
                    continue
            kept.append(node)
        graph.nodes[:] = kept
        graph.outputs = list(map(self._resolved, graph.outputs))
        for key in new:
            del self._known[key]

    def _resolved(self, operand):
        return self._replaced.get(operand, operand) if isinstance(operand, Value) else operand


def _may_repeat(node):
    if not node.outputs or isinstance(node.outputs[0].type, ListType):
        return False  # two lists that grow are two, and one is copied where it stands for both
    return not (node.regions or node.op.updates is not None or node.op.effect)


def _key(node):
    inputs = tuple(o if isinstance(o, Value) else (type(o), repr(o)) for o in node.inputs)
    attributes = tuple((name, _identity(value)) for name, value in node.attributes.items())
    return node.op, inputs, attributes


def _identity(attribute):
    if isinstance(attribute, np.ndarray):
        return attribute.dtype, attribute.shape, attribute.tobytes()
    return attribute_text(attribute)
