"""Removes what only gradients ask about, once they have been recorded.

    y: f64 = alias(x)                     y is x
    z = checkpoint(body=body)       ->    the nodes of body
    a = custom_gradient(b, x, ...)        a is b

`recomputed` stays: it keeps what is computed again apart from what was computed first.
"""

from runtime.ir.graph import Graph, Operand, Value, substitute
from runtime.ir.regions import ONCE, control_flow_of


def strip_autodiff_markers(graph: Graph, context=None) -> Graph:
    """The graph without marks for gradients."""
    replaced: dict[Value, Operand] = {}
    _clean(graph, replaced)
    if replaced:
        substitute(graph, replaced)
    return graph


def _clean(graph, replaced):
    kept = []
    for node in graph.nodes:
        flow = control_flow_of(node)
        if flow is None:
            if node.op.traits.marker:
                replaced.update(zip(node.outputs, node.inputs, strict=False))
            else:
                kept.append(node)
            continue
        for name, region in node.regions.items():
            if flow.regions[name].is_run:
                _clean(region, replaced)
        if _is_marker(flow):
            for name, part in flow.regions.items():
                kept += node.regions[name].nodes if part.is_run else []
            for i, value in enumerate(node.outputs):
                (replaced[value],) = flow.result_sources(node, i)
        else:
            kept.append(node)
    graph.nodes[:] = kept


def _is_marker(flow):
    """Whether the regions of a node say something to gradients only: one that runs once, without
    inputs, could be in the graph around it; of one that is never run, nothing is needed."""
    if flow.is_opaque:
        return False
    return all(
        (part.runs, part.inputs) == (ONCE, None) or not part.is_run
        for part in flow.regions.values()
    )
