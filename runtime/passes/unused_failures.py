"""Keeps operations whose results are not used, if they may raise exceptions.

    b = a.copy()                       b: f64[None] = copy(a)
    b[0] = 1                  ->       b_1: f64[None] = setitem(b, 1, at=(0,))
    return x                           observed(b_1)
                                       return x

Python raises IndexError if `a` is empty, although `b` is not used.  Operations that cannot raise
(`analyses/exceptions.may_fail`) are left to the removal of dead code.

An element of a list that is read again, at the same index, was there before: only the first read
may raise.

It is applied once, to a graph that has just been recorded: what the passes leave unused later has
been replaced by something that raises the same exceptions, or is part of a derivative.
"""

from collections.abc import Iterator
from typing import Any

from runtime.analyses.exceptions import may_fail
from runtime.ir.graph import Graph, Node, Value, copy, walk
from runtime.ir.op import find
from runtime.passes.dead_code import remove_dead_code


def keep_unused_failures(graph: Graph) -> None:
    """Marks the nodes that may raise, and that the removal of dead code would remove."""
    fallible = {node for node in walk(graph) if _is_fallible(node)}
    if not fallible:
        return
    clean = copy(graph)
    made = dict(_pairs(graph, clean))
    remove_dead_code(clean)
    left = set(walk(clean))
    unused = {node for node in fallible if made[node] not in left} - set(_read_again(graph, {}))
    if unused:
        _observe(graph, unused)


def _is_fallible(node: Node) -> bool:
    is_plain = node.op.control_flow is None and node.op.effect is None
    return is_plain and bool(node.outputs) and may_fail(node)


def _read_again(graph: Graph, before: dict[Any, Node]) -> Iterator[Node]:
    """The nodes that read an element of a list that has been read already: they cannot raise."""
    known = dict(before)
    for node in graph.nodes:
        if node.op.name == "list_get":
            items, index = node.inputs
            key = items, type(index), index
            if key in known:
                yield node
            known.setdefault(key, node)
        for region in node.regions.values():
            yield from _read_again(region, known)


def _pairs(graph: Graph, copied: Graph) -> Iterator[tuple[Node, Node]]:
    """Each node of a graph with the one of its copy."""
    for node, other in zip(graph.nodes, copied.nodes, strict=True):
        yield node, other
        for name, region in node.regions.items():
            yield from _pairs(region, other.regions[name])


def _observe(graph: Graph, unused: set[Node]) -> None:
    needed: set[Value] = set()
    nodes: list[Node] = []
    for node in reversed(graph.nodes):
        for region in node.regions.values():
            _observe(region, unused)
        if node in unused:
            if needed.isdisjoint(node.outputs):
                observed = Node(find("observed"), node.outputs[:1], (), {}, {}, node.location)
                observed.scope = node.scope
                nodes.append(observed)
            needed.update(one for one in node.inputs if isinstance(one, Value))
        nodes.append(node)
    graph.nodes[:] = reversed(nodes)
