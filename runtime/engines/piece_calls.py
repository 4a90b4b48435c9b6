"""Calls of pieces: runs of a graph's nodes that an engine has compiled, in the graph around them.

    nodes of the piece, one after the other        ->      done, y = native_piece(x)
                                                           y_1 = cond(done, then, orelse)

A piece is a run of nodes, in program order, with everything inside them; such a run is convex.
The second branch is the nodes as they were: where a piece is left, they run in the NumPy program,
which raises and warns as they do.
"""

from collections.abc import Callable, Container
from typing import Any

from runtime.ir.graph import Graph, Node, Value, copy, used_values
from runtime.ir.op import find
from runtime.ir.types import BOOL


def used_after(after: list[Node], region: Graph) -> set[Value]:
    """The values that the rest of a region uses, and its results."""
    return set(used_values(Graph("", [], after, region.outputs)))


def views_used(
    run: list[Node], used: set[Value], is_view_node: Callable[[Node], bool]
) -> list[Node]:
    """The nodes of a run that make views which are used after it: the NumPy program has them."""
    found: list[Node] = []
    wanted = set(used)
    for node in reversed(run):
        if is_view_node(node) and node.output in wanted:
            found.insert(0, node)
            wanted.update(operand for operand in node.inputs if isinstance(operand, Value))
    return found


def results_of(run: list[Node], used: set[Value], views: Container[Node]) -> list[Value]:
    """The values of a run that its piece returns: those used after it that are no views."""
    made = [value for node in run if node not in views for value in node.outputs]
    return [value for value in made if value in used]


def calling_nodes(
    run: list[Node],
    inputs: list[Value],
    outputs: list[Value],
    name: str,
    function: Callable[..., Any],
) -> list[Node]:
    """The call of a piece, and its nodes as they were where it is left."""
    location = next((node.location for node in run if node.regions), run[0].location)
    done = Value(BOOL, "done")
    results = [Value(value.type, value.hint) for value in outputs]
    attributes = {"function": function, "name": name, "types": tuple(v.type for v in outputs)}
    piece = Node(find("native_piece"), tuple(inputs), (done, *results), attributes, {}, location)
    regions = {
        "then": Graph("then", [], [], list(results)),
        "orelse": copy(Graph("orelse", [], run, list(outputs))),
    }
    return [piece, Node(find("cond"), (done,), tuple(outputs), {}, regions, location)]
