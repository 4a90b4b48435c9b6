"""Removes from loops what they need not carry from turn to turn.

    x, n = loop(p, x_0, n_0, body=body)

    a variable                                       becomes
    that every turn hands on as it is                its start
    that is set to one value, which no turn reads    y = cond(p, value, start)
    that goes the same way as another number         the other one

A variable that nothing but itself needs goes, too: `dead_code.py` asks `needed_state` for it.
"""

from runtime.analyses.escape import has_memory
from runtime.ir.graph import Graph, Node, Value, defined_values, substitute, used_values
from runtime.ir.op import find
from runtime.ir.text import attribute_text


def reduce_loop_state(graph: Graph, context=None) -> Graph:
    """The graph whose loops carry only what differs from turn to turn."""
    _visit(graph, {})
    return graph


def _visit(graph, replaced):
    def now(operand):
        while isinstance(operand, Value) and operand in replaced:
            operand = replaced[operand]
        return operand

    nodes = []
    for node in graph.nodes:
        node.inputs = tuple(map(now, node.inputs))
        for region in node.regions.values():
            _visit(region, replaced)
        nodes.append(node)
        if node.op.name == "loop":
            while _drop_one(node, nodes, replaced):
                pass
    graph.nodes[:] = nodes
    graph.outputs[:] = map(now, graph.outputs)


def _drop_one(loop, nodes, replaced):
    """Drops one variable of a loop, if there is one that it need not carry."""
    for place in range(len(loop.outputs)):
        if _is_handed_on(loop, place):
            replaced[loop.outputs[place]] = loop.inputs[place + 1]
            _leave_out(loop, place, loop.inputs[place + 1])
            return True
        if (other := _twin(loop, place)) is not None:
            replaced[loop.outputs[place]] = loop.outputs[other]
            _leave_out(loop, place, loop.regions["body"].inputs[other])
            return True
        if _is_set_to_one_value(loop, place):
            nodes.append(_last_value(loop, place))
            _leave_out(loop, place, None)
            return True
    return False


def _leave_out(loop, place, stand_in):
    """Makes a loop carry one variable less; in the body something else stands for it."""
    body = loop.regions["body"]
    if stand_in is not None:
        substitute(body, {body.inputs[place]: stand_in})
    keep_state(loop, [i for i in range(len(loop.outputs)) if i != place])


def keep_state(loop: Node, places: list[int]) -> None:
    """Makes a loop carry only some of its variables."""
    body = loop.regions["body"]
    loop.inputs = (loop.inputs[0], *(loop.inputs[i + 1] for i in places))
    loop.outputs = tuple(loop.outputs[i] for i in places)
    body.inputs = [body.inputs[i] for i in places]
    body.outputs = [body.outputs[0], *(body.outputs[i + 1] for i in places)]


# -- what need not be carried ----------------------------------------------------------------------


def _is_handed_on(loop, place):
    """Whether a turn ends with what it was given, or every turn with the number of the start."""
    body = loop.regions["body"]
    start, end = loop.inputs[place + 1], body.outputs[place + 1]
    return end is body.inputs[place] or _same(start, end)


def _same(one, other):
    if isinstance(one, Value) or isinstance(other, Value):
        return one is other
    return type(one) is type(other) and repr(one) == repr(other)


def _twin(loop, place):
    """An earlier variable, a number, that starts and goes on as this one does."""
    body = loop.regions["body"]
    given, end = body.inputs[place], body.outputs[place + 1]
    if has_memory(given):
        return None
    for other in range(place):
        if not _same(loop.inputs[other + 1], loop.inputs[place + 1]):
            continue
        if body.inputs[other].type != given.type:
            continue
        if _goes_the_same_way(body, {given: body.inputs[other]}, end, body.outputs[other + 1]):
            return other
    return None


def _goes_the_same_way(body, twins, one, other):
    """Whether two ends of a turn are one value, or one op applied to twins."""
    if _same(one, other):
        return True
    makers = {value: node for node in body.nodes for value in node.outputs}
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


def _is_set_to_one_value(loop, place):
    """Whether every turn sets a variable to one value from around the loop, and none reads it."""
    body = loop.regions["body"]
    end = body.outputs[place + 1]
    if isinstance(end, Value) and end in set(defined_values(body)):
        return False
    return body.inputs[place] not in set(used_values(body))


def _last_value(loop, place):
    """What such a variable holds behind the loop: the value if there was a turn, or the start."""
    then = Graph("then", outputs=[loop.regions["body"].outputs[place + 1]])
    orelse = Graph("orelse", outputs=[loop.inputs[place + 1]])
    regions = {"then": then, "orelse": orelse}
    output = (loop.outputs[place],)
    return Node(find("cond"), loop.inputs[:1], output, {}, regions, loop.location, loop.scope)


# -- what is dead ----------------------------------------------------------------------------------


def needed_state(loop: Node, needed: set[Value], effects: set[Node]) -> list[int]:
    """The variables of a loop that are needed: behind it, by its test, or by its effects.

    `needed` are the values that the code behind the loop uses; `effects` are the nodes of the body
    that are kept whatever they give.
    """
    body = loop.regions["body"]
    makers = {value: node for node in body.nodes for value in node.outputs}
    places = {value: i for i, value in enumerate(body.inputs)}
    wanted = [i for i, value in enumerate(loop.outputs) if value in needed]
    found, seen = set(wanted), set()
    pending = [body.outputs[0], *(body.outputs[i + 1] for i in wanted)]
    for node in effects:
        pending += _used_by(node)
    while pending:
        value = pending.pop()
        if not isinstance(value, Value) or value in seen:
            continue
        seen.add(value)
        if value in places and places[value] not in found:
            found.add(places[value])
            pending.append(body.outputs[places[value] + 1])
        elif value in makers:
            pending += _used_by(makers[value])
    return sorted(found)


def _used_by(node):
    return [*node.inputs, *(v for region in node.regions.values() for v in used_values(region))]
