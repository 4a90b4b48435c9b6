"""Removes stores of elements that are there already.

    x_1 = setitem(x, v, i, at=(_0,))            x_1 = setitem(x, v, i, at=(_0,))
    written(x, x_1)                             written(x, x_1)
    x_2 = setitem(x_1, v, i, at=(_0,))    ->    (gone: its uses read x_1)
    written(x, x_2)                             (gone: it was reported)

    y = getitem(x, at=(0,))               ->    y = getitem(x, at=(0,))
    x_1 = setitem(x, y, at=(0,))                (gone: its uses read x)

`x[i] += v` is such a pair in Python: the addition writes into a view of x, and then the view is
assigned to `x[i]`.

Arrays that the caller may hold afterwards stay apart (`analyses/escape.py`).
"""

from typing import Any

from runtime.analyses.escape import escaping_values
from runtime.analyses.exceptions import may_raise
from runtime.ir.graph import Graph, Node, Operand, Value, operand_type
from runtime.ir.text import attribute_text
from runtime.ir.traits import Effect


def eliminate_redundant_stores(graph: Graph, context: Any = None) -> Graph:
    """The graph without stores that change nothing."""
    _Stores(graph).visit(graph)
    return graph


class _Stores:
    """A walk through a graph that replaces the results of redundant stores."""

    def __init__(self, graph: Graph) -> None:
        self._escaping = escaping_values(graph)
        self._makers: dict[Value, Node] = {}
        self._replaced: dict[Value, Operand] = {}

    def visit(self, graph: Graph) -> None:
        """Removes redundant stores from a graph and its regions."""
        reported: dict[Operand, Operand] = {}  # input -> its contents, as reported last
        kept = []
        for node in graph.nodes:
            node.inputs = tuple(map(self._resolved, node.inputs))
            for region in node.regions.values():
                self.visit(region)
                reported.clear()
            if node.op.effect is Effect.REPORT:
                given, new = node.inputs
                if reported.get(given) is new:
                    continue
                reported[given] = new
            stored = self._stored_already(node)
            if stored is None:
                kept.append(node)
                self._makers.update(dict.fromkeys(node.outputs, node))
            else:
                self._replaced[node.output] = stored
        graph.nodes[:] = kept
        graph.outputs = list(map(self._resolved, graph.outputs))

    def _resolved(self, operand: Operand) -> Operand:
        return self._replaced.get(operand, operand) if isinstance(operand, Value) else operand

    def _stored_already(self, node: Node) -> Value | None:
        """The array that has the same elements as the result of a store; None if there is none."""
        if node.op.name != "setitem":
            return None
        array = node.inputs[0]
        if not isinstance(array, Value) or array.type != node.output.type:
            return None
        if self._is_store(array, node):
            return None if {array, node.output} <= self._escaping else array
        return array if self._is_read(array, node) and node.output not in self._escaping else None

    def _is_store(self, array: Value, node: Node) -> bool:
        """Whether `array` is the result of the same store."""
        earlier = self._makers.get(array)
        return (
            earlier is not None
            and earlier.op is node.op
            and _are_same(earlier.inputs[1:], node.inputs[1:])
            and _have_same_subscript(earlier, node)
        )

    def _is_read(self, array: Value, node: Node) -> bool:
        """Whether the value was read from where it is stored, which cannot raise."""
        _, value, *indices = node.inputs
        read = self._makers.get(value) if isinstance(value, Value) else None
        return (
            read is not None
            and read.op.name == "getitem"
            and _are_same(read.inputs, (array, *indices))
            and _have_same_subscript(read, node)
            and not may_raise(read.op, tuple(map(operand_type, read.inputs)), read.attributes)
        )


def _are_same(ones: Any, others: Any) -> bool:
    return len(ones) == len(others) and all(map(_is_same, ones, others))


def _is_same(one: Operand, other: Operand) -> bool:
    if isinstance(one, Value) or isinstance(other, Value):
        return one is other
    return type(one) is type(other) and repr(one) == repr(other)  # -0.0 is not 0.0


def _have_same_subscript(one: Node, other: Node) -> bool:
    return attribute_text(one.attributes["at"]) == attribute_text(other.attributes["at"])
