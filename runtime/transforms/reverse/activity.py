"""Which values of a graph depend on others by way of derivatives.

    y = x * c                  active for {x}: x, y          useful for {z}: z, y, x, c
    n = floor(x)               n is not: floor is constant but for its jumps
    z = y + n

*Active* values depend on the sources; a gradient walks through these only.  *Useful* ones influence
what is wanted.
"""

from collections.abc import Iterable

from runtime.ir.derivative import Partials
from runtime.ir.graph import Graph, Node, Operand, Value, captures
from runtime.ir.types import ListType, TupleType, Type


def is_differentiable(type: Type) -> bool:
    """Whether values of a type are, or hold, floats or complex numbers."""
    if isinstance(type, ListType):
        return is_differentiable(type.element)
    if isinstance(type, TupleType):
        return any(map(is_differentiable, type.places))
    return type.dtype is not None and type.dtype.kind in "fc"


class Activity:
    """The values that depend on some sources; nodes are looked at once, in their order."""

    def __init__(self, sources: Iterable[Value]):
        self.values = set(sources)

    def __contains__(self, operand: Operand) -> bool:
        return operand in self.values

    def visit(self, nodes: Iterable[Node]) -> None:
        """Finds what depends on the sources by way of some nodes."""
        for node in nodes:
            match node.op.name:
                case "cond" | "checkpoint":
                    self._visit_regions(node)
                case "loop":
                    self._visit_loop(node)
                case "recursive":
                    self._visit_opaque(node)
                case _:
                    if any(operand in self.values for operand in influential(node)):
                        self._add(node.outputs)

    def _add(self, values):
        self.values.update(v for v in values if isinstance(v, Value) and is_differentiable(v.type))

    def _visit_regions(self, node):
        for region in node.regions.values():
            self.visit(region.nodes)
            pairs = zip(node.outputs, region.outputs, strict=True)
            self._add(value for value, given in pairs if given in self.values)

    def _visit_loop(self, node):
        body = node.regions["body"]
        carried = list(zip(body.inputs, node.inputs[1:], node.outputs, strict=True))
        self._add(given for given, start, _ in carried if start in self.values)
        while True:
            self.visit(body.nodes)
            before = len(self.values)
            pairs = zip(body.inputs, body.outputs[1:], strict=True)
            self._add(given for given, end in pairs if end in self.values)
            if len(self.values) == before:
                break
        self._add(value for given, _, value in carried if given in self.values)

    def _visit_opaque(self, node):
        seen = [value for region in node.regions.values() for value in captures(region)]
        if any(operand in self.values for operand in (*node.inputs, *seen)):
            self._add(node.outputs)


def influential(node: Node) -> list[Operand]:
    """The operands by which a node without regions may have derivatives that are not zero."""
    rule = node.op.derivative
    if node.op.name == "custom_gradient":
        return list(node.inputs[node.attributes["count"] :])
    if isinstance(rule, Partials):
        return [operand for i, operand in enumerate(node.inputs) if not rule.is_zero(i)]
    return list(node.inputs)


def useful(graph: Graph, wanted: set[Operand], active: Activity) -> set[Operand]:
    """The active values that influence those wanted, which are among them."""
    wanted = set(wanted)
    _add_useful(graph.nodes, wanted, active)
    return wanted


def _add_useful(nodes, wanted, active):
    for node in reversed(nodes):
        if wanted.isdisjoint(node.outputs):
            continue
        match node.op.name:
            case "cond" | "checkpoint":
                for region in node.regions.values():
                    pairs = zip(node.outputs, region.outputs, strict=True)
                    wanted.update(given for value, given in pairs if value in wanted)
                    _add_useful(region.nodes, wanted, active)
            case "loop":
                _add_useful_of_loop(node, wanted, active)
            case _:
                wanted.update(operand for operand in influential(node) if operand in active)


def _add_useful_of_loop(node, wanted, active):
    body = node.regions["body"]
    pairs = list(zip(body.inputs, body.outputs[1:], strict=True))
    ends = zip(node.outputs, body.outputs[1:], strict=True)
    wanted.update(end for value, end in ends if value in wanted)
    while True:
        before = len(wanted)
        _add_useful(body.nodes, wanted, active)
        wanted.update(end for given, end in pairs if given in wanted)
        if len(wanted) == before:
            break
    # A loop without turns gives what it starts with.
    starts = zip(body.inputs, node.outputs, node.inputs[1:], strict=True)
    wanted.update(
        start
        for given, value, start in starts
        if start in active and (given in wanted or value in wanted)
    )
