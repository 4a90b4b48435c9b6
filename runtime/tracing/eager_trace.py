"""Eager traces: each operation is computed when it is recorded (define-by-run).

    with rt.GradientTape() as tape:          outside of functions that are graphs
        x = tape.watch(x)
        y = x * x                            y is 9.0 at once, and a node of the tape's graph

Python's own `if` and `while` see the values, and everything prints as it does without a tape.
"""

from typing import Any

import numpy as np

from runtime.ir.graph import Graph, Location, Node, Operand, Value
from runtime.ir.op import Op
from runtime.ir.types import TensorType, Type, type_of
from runtime.tracing.trace import Trace


class EagerGraph(Graph):
    """A graph that knows its values."""

    __slots__ = ("values",)

    def __init__(self, name: str):
        super().__init__(name)
        self.values: dict[Value, Any] = {}

    def value_of(self, operand: Operand) -> Any:
        """The value of an operand."""
        return self.values[operand] if isinstance(operand, Value) else operand


class EagerTrace(Trace):
    """A trace that computes each operation when it records it."""

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
        """Computes one operation and records it; returns the values of its results."""
        attributes = attributes or {}
        region = self.graph
        operands = tuple(map(region.value_of, inputs))
        found = self._results(op, operands, attributes)
        outputs = tuple(Value(_type(result), "v") for result in found)
        region.values.update(zip(outputs, found, strict=True))
        location = location or self.location()[0]
        region.nodes.append(Node(op, inputs, outputs, attributes, {}, location))
        return outputs

    def constant(self, array: np.ndarray) -> Value:
        """A value for an array, which must not change afterwards."""
        value = Value(_type(array), "v")
        self.graph.values[value] = array
        return value

    def private_copy(self, value: Operand) -> np.ndarray:
        """Copies the array of a value, so that nothing else shares its memory; returns the copy."""
        array = np.array(self.graph.value_of(value), order="C")
        self.graph.values[value] = array
        return array

    def _results(self, op, operands, attributes):
        if op.traits.marker:
            return operands[: attributes.get("count", 1)]
        found = op.evaluate(np, operands, attributes)
        if found is None:
            return ()
        return found if isinstance(found, tuple) else (found,)


def _type(result: Any) -> Type:
    found = type_of(result)
    return TensorType(np.asarray(result).dtype) if found is None else found
