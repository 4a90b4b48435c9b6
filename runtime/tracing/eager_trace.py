"""Graphs whose values are there already: what is recorded is computed at once.

    with rt.GradientTape() as tape:          outside of functions that are graphs
        x = tape.watch(x)
        y = x * x                            y is 9.0 at once, and a node of the tape's graph

So Python's own `if` and `while` decide on values, and everything prints as it does without a tape.
"""

from typing import Any

import numpy as np

from runtime.ir.graph import Graph, Location, Node, Operand, Value
from runtime.ir.op import Op
from runtime.ir.types import TensorType, Type, type_of
from runtime.tracing.trace import Trace


class EagerGraph(Graph):
    """A graph that holds what its values are."""

    __slots__ = ("values",)

    def __init__(self, name: str):
        super().__init__(name)
        self.values: dict[Value, Any] = {}

    def value_of(self, operand: Operand) -> Any:
        """What an operand stands for."""
        return self.values[operand] if isinstance(operand, Value) else operand


class EagerTrace(Trace):
    """Records operations, and computes them at once."""

    is_eager = True
    graph: EagerGraph

    def new_graph(self) -> EagerGraph:
        return EagerGraph(self.name)

    def record(
        self,
        op: Op,
        inputs: tuple[Operand, ...],
        attributes: dict | None = None,
        regions: dict[str, Graph] | None = None,
        hints: list[str] | None = None,
        location: Location | None = None,
    ) -> tuple[Value, ...]:
        """Computes one operation, and notes it; the values that stand for its results."""
        attributes = attributes or {}
        region = self.graph
        operands = tuple(map(region.value_of, inputs))
        found = self._results(op, operands, attributes)
        outputs = tuple(Value(_type(result), "v") for result in found)
        region.values.update(zip(outputs, found, strict=True))
        location = location or self.location()[0]
        region.nodes.append(Node(op, inputs, outputs, attributes, {}, location))
        return outputs

    def hold(self, array: np.ndarray) -> Value:
        """A value that is an array, which nobody writes into."""
        value = Value(_type(array), "v")
        self.graph.values[value] = array
        return value

    def held_alone(self, value: Operand) -> np.ndarray:
        """The array that a value is, in memory that is nobody else's; the value is that one now."""
        array = np.array(self.graph.value_of(value), order="C")
        self.graph.values[value] = array
        return array

    def _results(self, op, operands, attributes):
        if op.name == "custom_gradient":
            return operands[: attributes["count"]]
        found = op.evaluate(np, operands, attributes)
        if found is None:
            return ()
        return found if isinstance(found, tuple) else (found,)


def _type(result: Any) -> Type:
    found = type_of(result)
    return TensorType(np.asarray(result).dtype) if found is None else found
