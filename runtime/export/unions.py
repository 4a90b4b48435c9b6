"""Scalars that are Python's in some runs and NumPy's in others: `float | f64`.

Other formats have one type for both.  They get the meaning of Python, whose runs end where the two
differ: beyond 64 bits, and for a divisor of zero.
"""

from runtime.ir.graph import Graph
from runtime.ir.op import find
from runtime.ir.types import ListType, PythonType, Type, UnionType
from runtime.ops.unions import PREFIX


def merged(kind: Type) -> Type:
    """The type without unions of scalars of one dtype."""
    if isinstance(kind, ListType):
        return ListType(merged(kind.element))
    if not isinstance(kind, UnionType) or len({option.dtype for option in kind.options}) > 1:
        return kind
    return next((one for one in kind.options if isinstance(one, PythonType)), kind.options[0])


def merge_unions(graph: Graph) -> None:
    """Merges the unions in the types of a graph and its regions, and takes the ops of scalars."""
    for value in graph.inputs:
        value.type = merged(value.type)
    for node in graph.nodes:
        for value in node.outputs:
            value.type = merged(value.type)
        for name in ("element", "type"):
            if isinstance(node.attributes.get(name), Type):
                node.attributes[name] = merged(node.attributes[name])
        for region in node.regions.values():
            merge_unions(region)
        is_dynamic = node.op.name.startswith(PREFIX)
        kinds = [value.type for value in (*node.inputs, *node.outputs) if hasattr(value, "type")]
        if is_dynamic and not any(isinstance(kind, UnionType) for kind in kinds):
            node.op = find(node.op.name.removeprefix(PREFIX))
