"""Removes what nobody uses.

    y: f64 = sin(x)                   (gone: no use)
    print(x, parts=(_0,))             print(x, parts=(_0,))        an effect stays
    a, b = cond(p, ...)         ->    a = cond(p, ...)             b is not handed out any more
    a, n = loop(p, a_0, n_0)          a = loop(p, a_0)             n was needed by itself alone

Effects stay, and so does a node whose regions contain one.  What raises if it is computed raises no
more where nobody needs it; `assert` and `raise` are effects.
"""

from runtime.ir.graph import Graph, Node, Value, used_values
from runtime.ir.traits import Effect
from runtime.passes.loop_state import keep_state, needed_state


def remove_dead_code(graph: Graph, context=None) -> Graph:
    """The graph without nodes, results of `cond` and variables of loops that nobody uses."""
    _clean(graph, set())
    return graph


def _clean(graph, used_around):
    """Cleans a graph; `used_around` are values that the code around it still needs."""
    needed = {v for v in graph.outputs if isinstance(v, Value)} | used_around
    kept = []
    for node in reversed(graph.nodes):
        if not has_effect(node) and needed.isdisjoint(node.outputs):
            continue
        if node.op.name == "cond":
            _drop_outputs(node, needed)
        if node.op.name == "loop":
            effects = {inner for inner in node.regions["body"].nodes if has_effect(inner)}
            keep_state(node, needed_state(node, needed, effects))
        for region in node.regions.values():
            _clean(region, set())
            needed.update(used_values(region))
        needed.update(v for v in node.inputs if isinstance(v, Value))
        if node.op.name == "enter_errors" and kept and kept[-1].op.name == "leave_errors":
            kept.pop()
            continue
        kept.append(node)
    graph.nodes[:] = reversed(kept)


def has_effect(node: Node) -> bool:
    """Whether a node does something besides computing its outputs."""
    return node.op.effect is not None or any(
        has_effect(inner) and inner.op.effect is not Effect.ERROR_STATE
        for region in node.regions.values()
        for inner in region.nodes
    )


def _drop_outputs(node, needed):
    keep = [value in needed for value in node.outputs]
    node.outputs = tuple(v for v, wanted in zip(node.outputs, keep, strict=True) if wanted)
    for region in node.regions.values():
        region.outputs = [o for o, wanted in zip(region.outputs, keep, strict=True) if wanted]
