"""The values of the call for which a graph is recorded, as far as they are computed easily.

    y = x + 1
    scipy.signal.find_peaks(y)      the value of y follows from the argument x of the call

A graph must hold for other calls, so these values only tell what types a function may return.
"""

from typing import Any

import numpy as np

from runtime.ir.graph import Node, Operand, Value
from runtime.tracing.trace import Trace

MOST = 1_000_000  # elements of an array that is computed


class CallValues:
    """The values of a trace's inputs in the call, and those that were computed of them."""

    def __init__(self) -> None:
        self.known: dict[Value, Any] = {}
        self.captured: dict[Value, Any] = {}  # arrays that the function reads, no arguments
        self._makers: dict[Value, Node] = {}

    def of(self, operands: tuple[Operand, ...], recorder: Trace) -> tuple[Any, ...] | None:
        """Copies of the values of some operands; None if one of them is not known."""
        if any(o not in self._makers for o in operands if isinstance(o, Value)):
            nodes = (node for region in recorder.regions for node in region.nodes)
            self._makers = {value: node for node in nodes for value in node.outputs}
        try:
            return tuple(_own(self._value(operand)) for operand in operands)
        except Exception:  # of an operation, which the run will raise
            return None

    def with_inputs(
        self, value: Operand, recorder: Trace
    ) -> tuple[Any, list[tuple[Value, Any]]] | None:
        """A value, not copied, and the inputs from which it is computed, with their values; None if
        one of them is not known."""
        if self.of((value,), recorder) is None:
            return None
        inputs, pending, seen = [], [value], set()
        while pending:
            one = pending.pop()
            if not isinstance(one, Value) or one in seen:
                continue
            seen.add(one)
            node = self._makers.get(one)
            if node is None:
                inputs.append((one, self.known[one]))
            else:
                pending += node.inputs
        return self._value(value), inputs

    def _value(self, operand: Operand) -> Any:
        if not isinstance(operand, Value):
            return operand
        pending = [operand]
        while pending:
            value = pending[-1]
            if value in self.known:
                pending.pop()
                continue
            node = self._makers[value]
            missing = [o for o in node.inputs if isinstance(o, Value) and o not in self.known]
            if missing:
                pending += missing
                continue
            self.known.update(zip(node.outputs, _results(node, self.known), strict=True))
        return self.known[operand]


def _results(node: Node, known: dict[Value, Any]) -> tuple[Any, ...]:
    if node.op.name == "constant":
        return (node.attributes["value"][()],)
    if node.regions or node.op.effect or node.op.eval is None:
        raise LookupError(node.op.name)
    operands = tuple(known[o] if isinstance(o, Value) else o for o in node.inputs)
    if sum(map(np.size, operands)) > MOST:
        raise LookupError(node.op.name)
    found = node.op.evaluate(np, operands, node.attributes)
    return (found,) if len(node.outputs) == 1 else tuple(found)


def _own(value: Any) -> Any:
    return value.copy("K") if isinstance(value, np.ndarray) else value
