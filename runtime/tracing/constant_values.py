"""Values that are known while the graph is being built: those that NumPy computes from constants.

    sizes = np.array([2, 3])          a staged array, which may be written into
    x.reshape(sizes[0], -1)           its elements are known where Python needs them
    table[int(sizes.max())]           also as keys

Only operations that Python needs the value of are computed, when it does; all others stay
operations of the graph.
"""

from typing import Any

import numpy as np

from runtime.ir.graph import Graph, Node, Operand, Value, operand_type
from runtime.ir.types import PythonType, TensorType
from runtime.tracing import trace

MOST_ELEMENTS = 10_000
UNKNOWN = object()


class Makers:
    """The node that computes each value of a trace."""

    def __init__(self) -> None:
        self._found: dict[Value, Node] = {}
        self._seen: dict[int, tuple[Graph, int]] = {}
        self.values: dict[Value, Any] = {}

    def of(self, value: Value, regions: list[Graph]) -> Node | None:
        """The node of a value; None for inputs of graphs and regions."""
        for region in regions:
            _, start = self._seen.get(id(region), (region, 0))
            start = start if start <= len(region.nodes) else 0
            for node in region.nodes[start:]:
                self._found.update(dict.fromkeys(node.outputs, node))
            self._seen[id(region)] = region, len(region.nodes)
        return self._found.get(value)


def constant_value(value: Operand) -> Any:
    """The value of an operand that depends on constants only, else `UNKNOWN`.

    An array must not be written into.
    """
    recorder = trace.current()
    if recorder is None or recorder.is_eager or recorder.takes_feeds:
        return UNKNOWN
    try:
        with np.errstate(all="ignore"):
            return _value(value, recorder, recorder.state(Makers))
    except Exception:  # the operation raises in the run, where its line is known
        return UNKNOWN


def _value(value, recorder, makers):
    if not isinstance(value, Value):
        return value
    if value not in makers.values:
        pending = [value]
        while pending:  # not recursive: chains of operations may be long
            node = None if pending[-1] in makers.values else _node(pending[-1], recorder, makers)
            if pending[-1] in makers.values:
                pending.pop()
                continue
            missing = [
                one
                for one in (node.inputs if node is not None else ())
                if isinstance(one, Value) and one not in makers.values
            ]
            if node is None or not missing:
                makers.values[pending.pop()] = _evaluated(node, makers)
            else:
                pending += missing
    return makers.values[value]


def _node(value, recorder, makers):
    """The node of a value if the value may be computed here."""
    node = makers.of(value, recorder.regions)
    is_pure = node is not None and not node.regions and node.op.eval is not None
    if not is_pure or node.op.traits.effect is not None or len(node.outputs) != 1:
        return None
    return node if _is_small(operand_type(value)) else None


def _is_small(kind):
    if not isinstance(kind, TensorType):
        return isinstance(kind, PythonType)
    sizes = [size if isinstance(size, int) else 1 for size in kind.shape]
    return np.prod(sizes, initial=1) <= MOST_ELEMENTS


def _evaluated(node, makers):
    if node is None:
        return UNKNOWN
    operands = tuple(makers.values[one] if isinstance(one, Value) else one for one in node.inputs)
    if any(operand is UNKNOWN for operand in operands):
        return UNKNOWN
    return node.op.evaluate(np, operands, node.attributes)
