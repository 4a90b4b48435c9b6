"""Programs without the types of their scalars: `option(x)` is x itself.

v: int | f64 = option(0, type=int | f64)
p, s = loop(p, v, body=body)                 ->     p, s = loop(p, 0, body=body)
"""

from runtime.ir.graph import Graph, Node, Operand, Value, copy, substitute, walk


def without_option_nodes(graph: Graph) -> Graph:
    """The graph with the operand of each `option` in its place; its regions then return scalars of
    one of the types that the type of the result names."""
    if not any(node.op.name == "option" for node in walk(graph)):
        return graph
    graph = copy(graph)
    replaced: dict[Value, Operand] = {}
    for node in walk(graph):
        if node.op.name == "option":
            replaced[node.output] = node.inputs[0]
    for region in [graph, *(r for node in walk(graph) for r in node.regions.values())]:
        region.nodes[:] = [node for node in region.nodes if node.op.name != "option"]
    substitute(graph, replaced)
    return graph


def typed_nodes(graph: Graph, untyped: Graph) -> tuple[dict[Node, Node], dict[Value, Operand]]:
    """The nodes of a graph by those of `without_option_nodes(graph)`, and the operands there that
    hold its values."""
    pairs = zip(
        (node for node in walk(graph) if node.op.name != "option"), walk(untyped), strict=True
    )
    held: dict[Value, Operand] = dict(zip(graph.inputs, untyped.inputs, strict=True))
    nodes = {}
    for node, other in pairs:
        nodes[other] = node
        held.update(zip(node.outputs, other.outputs, strict=True))
        for name, region in node.regions.items():
            held.update(zip(region.inputs, other.regions[name].inputs, strict=True))
    for node in walk(graph):
        if node.op.name == "option":
            (operand,) = node.inputs
            held[node.output] = (
                held.get(operand, operand) if isinstance(operand, Value) else operand
            )
    return nodes, held
