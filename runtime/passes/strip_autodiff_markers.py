"""Removes what only gradients ask about, once they have been recorded.

    y: f64 = alias(x)                     y is x
    z = checkpoint(body=body)       ->    the nodes of body
    a = custom_gradient(b, x, ...)        a is b

`recomputed` stays: it keeps what is computed again apart from what was computed first.
"""

from runtime.ir.graph import Graph, Operand, Value, substitute


def remove_marks(graph: Graph, context=None) -> Graph:
    """The graph without marks for gradients."""
    replaced: dict[Value, Operand] = {}
    _clean(graph, replaced)
    if replaced:
        substitute(graph, replaced)
    return graph


def _clean(graph, replaced):
    kept = []
    for node in graph.nodes:
        if node.op.name == "custom_gradient":
            node.regions = {}
        for region in node.regions.values():
            _clean(region, replaced)
        if node.op.traits.marker:
            replaced.update(zip(node.outputs, node.inputs, strict=False))
        elif node.op.name == "checkpoint":
            body = node.regions["body"]
            kept += body.nodes
            replaced.update(zip(node.outputs, body.outputs, strict=True))
        else:
            kept.append(node)
    graph.nodes[:] = kept
