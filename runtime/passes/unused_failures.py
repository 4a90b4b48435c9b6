"""Keeps operations whose results are not used, if they may raise exceptions.

    b = a.copy()                       b: f64[None] = copy(a)
    b[0] = 1                  ->       b_1: f64[None] = setitem(b, 1, at=(0,))
    return x                           observed(b_1)
                                       return x

Python raises IndexError if `a` is empty, although `b` is not used.  Operations that cannot raise
(`analyses/exceptions.may_fail`) are left to the removal of dead code.

A result that the passes will read from elsewhere is no use of what computes it: a `cond` whose
branches both return y, a variable that no iteration of a loop changes, the size of an array that
has been written into.

An element of a list that is read again, at the same index, was there before: only the first read
may raise.

It is applied once, to a graph that has just been recorded: what the passes leave unused later has
been replaced by something that raises the same exceptions, or is part of a derivative.
"""

from collections.abc import Iterator
from typing import Any

from runtime.analyses.exceptions import may_fail
from runtime.analyses.sizes import same_sizes
from runtime.ir.graph import Graph, Node, Operand, Value, copy, defined_values, walk
from runtime.ir.op import find
from runtime.ir.regions import carried, is_choice
from runtime.passes.dead_code import remove_dead_code


def keep_unused_failures(graph: Graph) -> None:
    """Marks the nodes that may raise, and that the removal of dead code would remove."""
    fallible = {node for node in walk(graph) if _is_fallible(node)}
    if not fallible:
        return
    clean = copy(graph)
    made = dict(_pairs(graph, clean))
    _read_from_sources(clean, {}, {})
    remove_dead_code(clean)
    left = set(walk(clean))
    unused = {node for node in fallible if made[node] not in left} - set(_read_again(graph, {}))
    if unused:
        _observe(graph, unused)


def _read_from_sources(
    graph: Graph, sources: dict[Value, Operand], makers: dict[Value, Node]
) -> None:
    """Replaces results by the values that they are known to equal."""

    def source_of(operand: Operand) -> Operand:
        while isinstance(operand, Value) and operand in sources:
            operand = sources[operand]
        return operand

    for node in graph.nodes:
        node.inputs = tuple(map(source_of, node.inputs))
        makers.update(dict.fromkeys(node.outputs, node))
        if node.op.name == "size":
            node.inputs = (_array_of_size(node.inputs[0], makers),)
        for region in node.regions.values():
            _read_from_sources(region, sources, makers)
        sources.update(_known_results(node, makers))
    graph.outputs[:] = map(source_of, graph.outputs)


def _array_of_size(array: Operand, makers: dict[Value, Node]) -> Operand:
    while isinstance(array, Value) and array in makers:
        source = same_sizes(makers[array])
        if source is None:
            break
        array = source
    return array


def _known_results(node: Node, makers: dict[Value, Node]) -> Iterator[tuple[Value, Operand]]:
    """The results of a branch or loop that are values from before it."""
    for variable in carried(node):
        if variable.end is variable.given:
            yield variable.result, variable.start
    if not is_choice(node):
        return
    regions = [node.op.control_flow.chosen(node, truth) for truth in (True, False)]
    inside = {value for region in regions for value in defined_values(region)}
    for result, one, other in zip(node.outputs, *(r.outputs for r in regions), strict=True):
        if (one is other or _is_unbound(other, makers)) and one not in inside:
            yield result, one
        elif _is_unbound(one, makers) and other not in inside:
            yield result, other


def _is_unbound(operand: Operand, makers: dict[Value, Node]) -> bool:
    maker = makers.get(operand) if isinstance(operand, Value) else None
    return maker is not None and maker.op.name in ("zero", "unreachable")


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
