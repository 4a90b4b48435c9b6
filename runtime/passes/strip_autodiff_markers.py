"""Strips autodiff markers (`alias`, `checkpoint`, `custom_gradient`) after differentiation.

    y: f64 = alias(x)                     y is x
    z = checkpoint(body=body)       ->    the nodes of body
    a = custom_gradient(b, x, ...)        a is b

`recomputed` stays: it keeps recomputed values separate from the original ones.
"""

from typing import Any

from runtime.ir.graph import Graph, Operand, Value, substitute
from runtime.ir.regions import ONCE, ControlFlow, control_flow_of


def strip_autodiff_markers(graph: Graph, context: Any = None) -> Graph:
    """The graph without autodiff markers."""
    replaced: dict[Value, Operand] = {}
    _clean(graph, replaced)
    if replaced:
        substitute(graph, replaced)
    return graph


def _clean(graph: Graph, replaced: dict[Value, Operand]) -> None:
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


def _is_marker(flow: ControlFlow) -> bool:
    """Whether the regions of a node matter for gradients only: a region that runs once, without
    inputs, can be inlined; one that is never run is not needed."""
    if flow.is_opaque:
        return False
    return all(
        (part.runs, part.inputs) == (ONCE, None) or not part.is_run
        for part in flow.regions.values()
    )
