"""Moves out of loops what is the same in every turn.

    def body(x_1):                               v = transpose(w)
        v = transpose(w)                         inv = cond(p, then: linalg_inv(a), orelse: ...)
        inv = linalg_inv(a)            ->
        ...                                      def body(x_1): ...
    x = loop(p, x_0, body=body)                  x = loop(p, x_0, body=body)

What can neither fail nor warn (`analyses/speculation.py`) is computed in front of the loop.  What
may, is computed there if the loop runs at all, and only if every first turn begins with it: nothing
that is left in the body, and has an effect or may fail, stood before it.  So whatever Python
raises, this raises, and nothing else, and no sooner.

Left in the body are effects, lists, what an op writes into (it would have to be copied in every
turn), and arrays that the caller may hold afterwards: those of two turns are two.
"""

from runtime.analyses.effects import has_effect
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


def move_loop_invariants(graph: Graph, context=None) -> Graph:
    """The graph whose loops compute in every turn only what a turn changes."""
    updated = {node.inputs[node.op.updates] for node in walk(graph) if node.op.updates is not None}
    _visit(graph, escaping_values(graph) | {v for v in updated if isinstance(v, Value)})
    return graph


def _visit(graph, bound):
    """Moves nodes in front of the loops of a graph; `bound` are values that stay where they are."""
    nodes = []
    for node in graph.nodes:
        for region in node.regions.values():
            _visit(region, bound)
        if is_loop(node):
            nodes += _moved_out(node, bound)
        nodes.append(node)
    graph.nodes[:] = nodes


def _moved_out(loop, bound):
    """The nodes that are to stand in front of a loop; they are taken out of its body."""
    body = body_of(loop)
    inside = set(defined_values(body))
    free, guarded, kept = [], [], []
    is_beginning = True
    for node in body.nodes:
        may_fail = not is_speculatable(node)
        if _is_same_in_every_turn(node, inside, bound) and (is_beginning or not may_fail):
            inside.difference_update(node.outputs)
            # What needs a guarded value is computed behind the guard, too.
            needs_guard = may_fail or _uses_one_of(node, guarded)
            (guarded if needs_guard else free).append(node)
            continue
        kept.append(node)
        is_beginning = is_beginning and not may_fail
    body.nodes[:] = kept
    return [*free, *_if_it_runs(loop, guarded)]


def _is_same_in_every_turn(node, inside, bound):
    if not node.outputs or has_effect(node):
        return False
    if any(value in bound or isinstance(value.type, ListType) for value in node.outputs):
        return False
    used = [*node.inputs, *(v for region in node.regions.values() for v in captures(region))]
    return inside.isdisjoint(v for v in used if isinstance(v, Value))


def _uses_one_of(node, makers):
    made = {value for maker in makers for value in maker.outputs}
    used = [*node.inputs, *(v for region in node.regions.values() for v in captures(region))]
    return any(isinstance(v, Value) and v in made for v in used)


def _if_it_runs(loop, nodes):
    """Nodes that are computed only if a loop makes a turn; their results, where it is needed."""
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


def _unreachable(value, loop):
    attributes = {"type": value.type}
    return Node(find("unreachable"), (), (value,), attributes, {}, loop.location, loop.scope)
