"""Puts the limits of a run into a loaded graph: it may be an endless loop.

limit_run(...)                      at the start
def body(x):
    count_step()                    in each region that a run may run several times
"""

from runtime.errors import RunLimitError
from runtime.ir.graph import Graph, Node, copy, walk
from runtime.ir.op import find
from runtime.saved.limits import Limits

START, STEP = "limit_run", "count_step"  # the ops that bound a run (`ops/run_limits.py`)


def with_limits(graph: Graph, limits: Limits) -> Graph:
    """The graph, in which each run counts its steps; no other limits than these are left in it."""
    _remove(graph)
    if limits.steps is None and limits.seconds is None:
        return graph
    for node in walk(graph):
        for region in _repeated(node):
            region.nodes.insert(0, Node(find(STEP), (), (), location=node.location))
    attributes = {"steps": limits.steps, "seconds": limits.seconds, "error": RunLimitError}
    graph.nodes.insert(0, Node(find(START), (), (), attributes))
    return graph


def _repeated(node: Node) -> list[Graph]:
    """The regions of a node that a run may run more than once."""
    flow = node.op.control_flow
    if flow is None or flow.recursive:
        return list(node.regions.values())
    flows = flow.regions
    return [
        region for name, region in node.regions.items() if name not in flows or flows[name].repeats
    ]


def without_limits(graph: Graph) -> Graph:
    """A graph to save: limits belong to the process that has loaded a part of it."""
    if not any(node.op.name == START for node in walk(graph)):
        return graph
    found = copy(graph)
    _remove(found)
    return found


def _remove(graph: Graph) -> None:
    """Removes limits: those that a file states would replace those of the caller."""
    graph.nodes = [node for node in graph.nodes if node.op.name not in (START, STEP)]
    for node in graph.nodes:
        for region in node.regions.values():
            _remove(region)
