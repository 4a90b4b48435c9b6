"""Programs without the types of their scalars: `option(x)` is x itself.

v: int | f64 = option(0, type=int | f64)
p, s = loop(p, v, body=body)                 ->     p, s = loop(p, 0, body=body)
"""

from runtime.ir.graph import Graph, Operand, Value, copy, substitute, walk


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
