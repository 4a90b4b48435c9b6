"""Removes unnecessary loop-carried variables.

    x, n = loop(p, x_0, n_0, body=body)

    a variable                                            becomes
    that no iteration changes                             its start
    that is set to one value, and read by no iteration    y = cond(p, value, start)
    that always equals another scalar                     the other one

A variable that only its own next value needs is removed as dead code (`dead_code.py`).
"""

from typing import Any

from runtime.analyses.escape import has_memory
from runtime.ir.graph import Graph, Node, Operand, Value, defined_values, substitute, used_values
from runtime.ir.op import find
from runtime.ir.regions import Carried, body_of, carried, is_loop, keep_results
from runtime.ir.text import attribute_text


def reduce_loop_state(graph: Graph, context: Any = None) -> Graph:
    """The graph whose loops carry only variables that differ between iterations."""
    _visit(graph, {})
    return graph


def _visit(graph: Graph, replaced: dict[Value, Operand]) -> Any:
    def now(operand: Operand) -> Any:
        while isinstance(operand, Value) and operand in replaced:
            operand = replaced[operand]
        return operand

    nodes = []
    for node in graph.nodes:
        node.inputs = tuple(map(now, node.inputs))
        for region in node.regions.values():
            _visit(region, replaced)
        nodes.append(node)
        if is_loop(node):
            while _drop_one(node, nodes, replaced):
                pass
    graph.nodes[:] = nodes
    graph.outputs[:] = map(now, graph.outputs)


def _drop_one(loop: Node, nodes: list[Node], replaced: dict[Value, Operand]) -> bool:
    """Drops one variable of a loop, if there is one that it need not carry."""
    variables = carried(loop)
    for place, variable in enumerate(variables):
        if _is_handed_on(variable):
            replaced[variable.result] = variable.start
            _leave_out(loop, place, variable.start)
            return True
        if (other := _twin(loop, variables, place)) is not None:
            replaced[variable.result] = variables[other].result
            _leave_out(loop, place, variables[other].given)
            return True
        if _is_set_to_one_value(loop, variable):
            _keep_last_value(loop, variable, nodes, replaced)
            _leave_out(loop, place, None)
            return True
    return False


def _leave_out(loop: Node, place: int, replacement: Any) -> None:
    """Makes a loop carry one variable less; its uses in the body are replaced."""
    body = body_of(loop)
    if replacement is not None:
        substitute(body, {body.inputs[place]: replacement})
    keep_results(loop, [i for i in range(len(loop.outputs)) if i != place])


# -- state that need not be carried ---------------------------------------------------------------


def _is_handed_on(variable: Carried) -> bool:
    """Whether an iteration leaves a variable as it is, or sets it to the scalar it started as."""
    return variable.end is variable.given or _same(variable.start, variable.end)


def _same(one: Operand, other: Operand) -> bool:
    if isinstance(one, Value) or isinstance(other, Value):
        return one is other
    return type(one) is type(other) and repr(one) == repr(other)


def _twin(loop: Node, variables: list[Carried], place: int) -> Any:
    """The place of an earlier scalar variable with the same value in every iteration, or None."""
    body, variable = body_of(loop), variables[place]
    if has_memory(variable.given):
        return None
    for i, other in enumerate(variables[:place]):
        if not _same(other.start, variable.start) or other.given.type != variable.given.type:
            continue
        if _goes_the_same_way(body, {variable.given: other.given}, variable.end, other.end):
            return i
    return None


def _goes_the_same_way(body: Graph, twins: Any, one: Operand, other: Operand) -> bool:
    """Whether the ends of two variables are one value, or one op applied to equal variables."""
    if _same(one, other):
        return True
    makers: dict[Operand, Node] = {v: node for node in body.nodes for v in node.outputs}
    first, second = makers.get(one), makers.get(other)
    if first is None or second is None or first.op is not second.op or first.regions:
        return False
    if len(first.outputs) != 1 or len(first.inputs) != len(second.inputs) or first.op.effect:
        return False
    if attributes_text(first) != attributes_text(second):
        return False
    pairs = zip(first.inputs, second.inputs, strict=True)
    return all(_same(twins.get(a, a) if isinstance(a, Value) else a, b) for a, b in pairs)


def attributes_text(node: Node) -> list[tuple[str, str]]:
    """The attributes of a node, as they can be compared."""
    return [(name, attribute_text(value)) for name, value in node.attributes.items()]


def _is_set_to_one_value(loop: Node, variable: Carried) -> bool:
    """Whether each iteration sets a variable to one value from outside, and none reads it."""
    body = body_of(loop)
    if isinstance(variable.end, Value) and variable.end in set(defined_values(body)):
        return False
    return variable.given not in set(used_values(body))


def _keep_last_value(
    loop: Node, variable: Carried, nodes: list[Node], replaced: dict[Value, Operand]
) -> None:
    """Computes such a variable after the loop: the value, or the start without an iteration."""
    flow = loop.op.control_flow
    if flow.loop[1].runs[0] > 0:
        replaced[variable.result] = variable.end
        return
    then, orelse = Graph("then", outputs=[variable.end]), Graph("orelse", outputs=[variable.start])
    regions = {"then": then, "orelse": orelse}
    predicate, output = (loop.inputs[flow.predicate],), (variable.result,)
    nodes.append(Node(find("cond"), predicate, output, {}, regions, loop.location, loop.scope))
