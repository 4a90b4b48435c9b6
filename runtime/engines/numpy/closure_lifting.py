"""Functions that call themselves become functions of the program.

    v: i64 = recursive(n, name='f', body=body)        def f_again(n, k): ... f_again(v, k) ...
                                                ->
       body uses k, a value around it                 v = again(n, k, name='f_again', ...)

Captured values become parameters of the body, and arguments of every call (lambda
lifting, after Johnsson, 1985).
"""

from runtime.ir.graph import Graph, Node, Value, captures, copy, substitute, walk
from runtime.ir.op import find


def lifted(graph: Graph) -> tuple[Graph, dict[str, Graph]]:
    """The graph with calls in place of the functions in it, and the functions by their names."""
    if not _functions(graph):
        return graph, {}
    graph = closed(graph)
    found = {}
    for node in _functions(graph):
        region = node.regions["body"]
        name = f"{node.attributes['name']}_again"
        found[name] = Graph(name, region.inputs, region.nodes, region.outputs)
    for one in (graph, *found.values()):
        _replace(one)
    return graph, found


def closed(graph: Graph) -> Graph:
    """The graph with functions that capture nothing; itself if there are none."""
    if not _functions(graph):
        return graph
    graph = copy(graph)
    functions = _functions(graph)
    while any([_close(node) for node in functions]):
        pass
    return graph


def _functions(graph: Graph) -> list[Node]:
    return [node for node in walk(graph) if node.op.name == "recursive"]


def _close(node: Node) -> bool:
    """Makes captured values parameters of a function's body."""
    region = node.regions["body"]
    outside = captures(region)
    inside = [Value(value.type, value.hint) for value in outside]
    substitute(region, dict(zip(outside, inside, strict=True)))
    region.inputs = [*region.inputs, *inside]
    node.inputs = (*node.inputs, *outside)
    for call in walk(region):
        if call.op.name == "again" and call.attributes["name"] == node.attributes["name"]:
            call.inputs = (*call.inputs, *inside)
    return bool(outside)


def _replace(graph: Graph) -> None:
    """Replaces functions by calls, and renames calls to the functions of the program."""
    for i, node in enumerate(graph.nodes):
        if node.op.name in ("recursive", "again"):
            attributes = {
                "name": f"{node.attributes['name']}_again",
                "types": tuple(value.type for value in node.outputs),
            }
            graph.nodes[i] = Node(
                find("again"), node.inputs, node.outputs, attributes, {}, node.location, node.scope
            )
        else:
            for region in node.regions.values():
                _replace(region)
