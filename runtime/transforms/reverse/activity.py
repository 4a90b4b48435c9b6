"""Activity analysis: which values of a graph depend on others through derivatives.

    y = x * c                  active for {x}: x, y          useful for {z}: z, y, x, c
    n = floor(x)               n is not: floor is constant except at its jumps
    z = y + n

*Active* values depend on the sources; a gradient is propagated only through these.  *Useful* values
influence the wanted ones.  Objects to which a call gives an active value are active too
(`receivers.py`).
"""

from collections.abc import Iterable
from typing import Any

from runtime.ir.derivative import Partials, UserGradient
from runtime.ir.graph import Graph, Node, Operand, Value, captures
from runtime.ir.regions import control_flow_of
from runtime.ir.types import OBJECT, STRING, ListType, TupleType, Type
from runtime.transforms.receivers import Receivers


def is_differentiable(type: Type) -> bool:
    """Whether values of a type are, or hold, floats or complex numbers."""
    if isinstance(type, ListType):
        return is_differentiable(type.element)
    if isinstance(type, TupleType):
        return any(map(is_differentiable, type.places))
    return type.dtype is not None and type.dtype.kind in "fc"


def _carries(type: Type) -> bool:
    """Whether a value may depend on others differentiably: also an object, which nothing is known
    about, and a string, of which a float may be read."""
    if isinstance(type, ListType):
        return _carries(type.element)
    if isinstance(type, TupleType):
        return any(map(_carries, type.places))
    return type in (OBJECT, STRING) or is_differentiable(type)


class ActiveValues:
    """The values that depend on some sources; nodes are visited in their order."""

    def __init__(self, sources: Iterable[Value]):
        self.values: set[Any] = set(sources)  # with the identities of objects outside of graphs
        self._receivers = Receivers()

    def __contains__(self, operand: Operand) -> bool:
        return operand in self.values

    def visit(self, nodes: Iterable[Node]) -> None:
        """Finds the values that depend on the sources through some nodes."""
        for node in nodes:
            if not _is_opaque(node):
                self._visit_regions(node, node.op.control_flow)
                continue
            held = self._receivers.of(node, node.inputs, node.outputs)
            if any(one in self.values for one in (*_read(node), *held)):
                self._add(node.outputs)
                self.values |= held

    def _add(self, values):
        self.values.update(v for v in values if isinstance(v, Value) and _carries(v.type))

    def _add_one_of(self, value, sources):
        if any(source in self.values for source in sources):
            self._add([value])

    def _visit_regions(self, node, flow):
        before = -1
        while before != len(self.values):
            before = len(self.values)
            for name, region in node.regions.items():
                for i, value in enumerate(region.inputs):
                    self._add_one_of(value, flow.input_sources(node, name, i))
                self.visit(region.nodes)
            if flow.loop is None:
                break
        for i, value in enumerate(node.outputs):
            self._add_one_of(value, flow.result_sources(node, i))


def influential(node: Node) -> list[Operand]:
    """The operands with respect to which a node may have derivatives that are not zero."""
    match node.op.derivative:
        case UserGradient():
            return list(node.inputs[node.attributes["count"] :])
        case Partials() as rule:
            return [operand for i, operand in enumerate(node.inputs) if not rule.is_zero(i)]
    return list(node.inputs)


def influencing(nodes: Iterable[Node], results: Iterable[Operand]) -> list[Node]:
    """The nodes through which derivatives of some results may flow, in their order.

    The value of a function with a gradient of its own is not among them: only its gradient counts.
    """
    needed, found = set(results), []
    for node in reversed(list(nodes)):
        if not needed.isdisjoint(node.outputs):
            needed.update(_read(node))
            found.append(node)
    return found[::-1]


def _read(node):
    """The operands of a node that count for its derivative, and the captures of its regions."""
    if isinstance(node.op.derivative, UserGradient):
        return influential(node)
    return [*influential(node), *(v for r in node.regions.values() for v in captures(r))]


def _is_opaque(node):
    """Whether results are taken to depend on all operands, as the record says no more."""
    flow = control_flow_of(node)
    return flow is None or flow.is_opaque or isinstance(node.op.derivative, UserGradient)


def useful(graph: Graph, wanted: set[Operand], active: ActiveValues) -> set[Operand]:
    """The active values that influence the wanted ones, which are included."""
    wanted = set(wanted)
    _add_useful(graph.nodes, wanted, active)
    return wanted


def _add_useful(nodes, wanted, active):
    for node in reversed(nodes):
        if wanted.isdisjoint(node.outputs):
            continue
        if _is_opaque(node):
            wanted.update(operand for operand in influential(node) if operand in active)
        else:
            _add_useful_of_regions(node, wanted, active)


def _add_useful_of_regions(node, wanted, active):
    flow, before = node.op.control_flow, -1
    while before != len(wanted):
        before = len(wanted)
        for name, region in node.regions.items():
            ends = zip(node.outputs, flow.leaving(node, name), strict=True)
            wanted.update(end for value, end in ends if value in wanted)
            wanted.update(v.end for v in flow.carried(node) if v.given in wanted)
            _add_useful(region.nodes, wanted, active)
        if flow.loop is None:
            break
    for name, region in node.regions.items():
        pairs = zip(region.inputs, flow.entering(node, name), strict=True)
        wanted.update(start for given, start in pairs if given in wanted and start in active)
    if flow.bypass is not None:
        bypassing = zip(node.outputs, node.inputs[flow.bypass :], strict=False)
        wanted.update(o for value, o in bypassing if value in wanted and o in active)
