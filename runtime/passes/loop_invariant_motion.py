"""Moves loop-invariant operations out of loops.

    def body(x_1):                               v = transpose(w)
        v = transpose(w)                         inv = cond(p, then: linalg_inv(a), orelse: ...)
        inv = linalg_inv(a)            ->
        ...                                      def body(x_1): ...
    x = loop(p, x_0, body=body)                  x = loop(p, x_0, body=body)

An operation that can neither fail nor warn (`analyses/speculation.py`) is computed before the loop.
One that may is computed there only if the loop runs at all, and if every first iteration begins
with it: no operation before it in the body has an effect or may fail.  So the program raises
exactly what Python raises, and no sooner.

Effects and lists stay in the body, as do values that an op updates in place (each iteration would
have to copy them), and arrays that escape: those of two iterations must be two arrays.
"""

from typing import Any

from runtime.analyses.effects import depends_on_objects, has_effect
from runtime.analyses.escape import escaping_values
from runtime.analyses.speculation import is_speculatable
from runtime.ir.graph import (
    Graph,
    Node,
    Value,
    captures,
    defined_values,
    substitute,
    used_values,
    walk,
)
from runtime.ir.op import find
from runtime.ir.regions import body_of, is_loop
from runtime.ir.types import ListType


def move_loop_invariants(graph: Graph, context: Any = None) -> Graph:
    """The graph whose loops do not repeat invariant operations."""
    updated = {node.inputs[node.op.updates] for node in walk(graph) if node.op.updates is not None}
    _visit(graph, escaping_values(graph) | {v for v in updated if isinstance(v, Value)})
    return graph


def _visit(graph: Graph, bound: set[Value]) -> None:
    """Moves nodes before the loops of a graph; values in `bound` stay."""
    nodes = []
    for node in graph.nodes:
        for region in node.regions.values():
            _visit(region, bound)
        if is_loop(node):
            nodes += _moved_out(node, bound)
        nodes.append(node)
    graph.nodes[:] = nodes


def _moved_out(loop: Node, bound: set[Value]) -> Any:
    """Removes the invariant nodes from the body of a loop, and returns them."""
    body = body_of(loop)
    inside = set(defined_values(body))
    free: list[Node] = []
    guarded: list[Node] = []
    kept = []
    is_beginning = True
    for node in body.nodes:
        may_fail = not is_speculatable(node)
        if _is_invariant(node, inside, bound) and (is_beginning or not may_fail):
            inside.difference_update(node.outputs)
            # A user of a guarded value needs the guard, too.
            needs_guard = may_fail or _uses_one_of(node, guarded)
            (guarded if needs_guard else free).append(node)
            continue
        kept.append(node)
        is_beginning = is_beginning and not may_fail
    body.nodes[:] = kept
    return [*free, *_if_it_runs(loop, guarded)]


def _is_invariant(node: Node, inside: set[Value], bound: set[Value]) -> bool:
    if not node.outputs or has_effect(node):
        return False
    if any(value in bound or isinstance(value.type, ListType) for value in node.outputs):
        return False
    used = [*node.inputs, *(v for region in node.regions.values() for v in captures(region))]
    if depends_on_objects(node):
        return False
    return inside.isdisjoint(v for v in used if isinstance(v, Value))


def _uses_one_of(node: Node, makers: Any) -> bool:
    made = {value for maker in makers for value in maker.outputs}
    used = [*node.inputs, *(v for region in node.regions.values() for v in captures(region))]
    return any(isinstance(v, Value) and v in made for v in used)


def _if_it_runs(loop: Node, nodes: list[Node]) -> Any:
    """The nodes inside a `cond` that runs them only if the loop has an iteration."""
    flow = loop.op.control_flow
    if not nodes or flow.loop[1].runs[0] > 0 or loop.inputs[flow.predicate] is True:
        return nodes
    body = body_of(loop)
    used = set(used_values(body))
    wanted = [value for node in nodes for value in node.outputs if value in used]
    handed_out = {value: Value(value.type, value.hint) for value in wanted}
    substitute(body, dict(handed_out))
    nothing = [Value(value.type, value.hint) for value in wanted]
    then = Graph("then", [], nodes, list(wanted))
    orelse = Graph("orelse", [], [_unreachable(value, loop) for value in nothing], list(nothing))
    regions = {"then": then, "orelse": orelse}
    outputs = tuple(handed_out.values())
    predicate = (loop.inputs[flow.predicate],)
    cond = Node(find("cond"), predicate, outputs, {}, regions, loop.location, loop.scope)
    return [cond] if wanted else []


def _unreachable(value: Value, loop: Node) -> Any:
    attributes = {"type": value.type}
    return Node(find("unreachable"), (), (value,), attributes, {}, loop.location, loop.scope)
