"""Removes unused results, and the nodes that compute only these.

    y: f64 = sin(x)                   (gone: no use)
    print(x, parts=(_0,))             print(x, parts=(_0,))        an effect stays
    a, b = cond(p, ...)         ->    a = cond(p, ...)             b is not a result any more
    a, n = loop(p, a_0, n_0)          a = loop(p, a_0)             only n itself needed n

Nodes with effects stay, also those with effects in their regions.  `assert` and `raise` are
effects, and so is `observed`, which keeps unused operations that may raise (`unused_failures.py`).
"""

from collections.abc import Iterable
from typing import Any

from runtime.analyses.effects import has_effect
from runtime.ir.graph import Graph, Node, Value, used_values
from runtime.ir.regions import body_of, control_flow_of, keep_results


def remove_dead_code(graph: Graph, context: Any = None) -> Graph:
    """The graph without unused nodes, results of `cond` and loop-carried variables."""
    _clean(graph, set())
    return graph


def _clean(graph: Graph, used_around: set[Value]) -> None:
    """Cleans a graph; `used_around` are values that the code around it still needs."""
    needed = {v for v in graph.outputs if isinstance(v, Value)} | used_around
    kept: list[Node] = []
    for node in reversed(graph.nodes):
        if not has_effect(node) and needed.isdisjoint(node.outputs):
            continue
        flow = control_flow_of(node)
        if flow is not None and flow.has_removable_results:
            effects = [n for r in node.regions.values() for n in r.nodes if has_effect(n)]
            keep_results(node, needed_results(node, needed, effects))
        for region in node.regions.values():
            _clean(region, set())
            needed.update(used_values(region))
        needed.update(v for v in node.inputs if isinstance(v, Value))
        if node.op.name == "enter_errors" and kept and kept[-1].op.name == "leave_errors":
            kept.pop()
            continue
        kept.append(node)
    graph.nodes[:] = reversed(kept)


def needed_results(node: Node, needed: set[Value], effects: Iterable[Node]) -> list[int]:
    """The places of the results that are used after a node, or by a later iteration of a loop.

    `needed` are the values that the code after the node uses.  An iteration uses a variable for its
    condition, for `effects` (nodes of the regions that are kept anyway), or for a needed variable.
    """
    flow = node.op.control_flow
    found = {i for i, value in enumerate(node.outputs) if value in needed}
    if flow.loop is None:
        return sorted(found)
    body, variables = body_of(node), flow.carried(node)
    makers = {value: inner for inner in body.nodes for value in inner.outputs}
    places = {variable.given: i for i, variable in enumerate(variables)}
    pending = [*flow.conditions(node), *(variables[i].end for i in found)]
    for inner in effects:
        pending += _used_by(inner)
    seen = set()
    while pending:
        value = pending.pop()
        if not isinstance(value, Value) or value in seen:
            continue
        seen.add(value)
        if value in places and places[value] not in found:
            found.add(places[value])
            pending.append(variables[places[value]].end)
        elif value in makers:
            pending += _used_by(makers[value])
    return sorted(found)


def _used_by(node: Node) -> Any:
    return [*node.inputs, *(v for region in node.regions.values() for v in used_values(region))]
