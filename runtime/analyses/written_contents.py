"""Which values are the contents of an input array after a node, as op `written` reports them.

    def body(x_1):                              x_1, and at the end x_2, are the contents of x;
        x_2 = setitem(x_1, ...)                 after the loop, its result x_3
        written(x, x_2)
        return p, x_2
    x_3 = loop(q, x, body=body)

A branch has a result that is the contents if both of its regions return them; a loop, if it starts
with them and each iteration returns them.  Functions that call themselves report about inputs of
their own, of which nothing is known outside.
"""

from runtime.ir.graph import Graph, Node, Operand, Value, walk
from runtime.ir.regions import body_of, is_choice, is_loop
from runtime.ir.traits import Effect

Contents = dict[Value, list[Operand]]


class WrittenContents:
    """For each node that reports about arrays: the values that are their contents after it."""

    def __init__(self, graph: Graph) -> None:
        self.after: dict[Node, Contents] = {}
        given = {node.inputs[0] for node in walk(graph) if node.op.effect is Effect.REPORT}
        if given:
            self._visit(graph, _at_start(graph, given))
        for node in walk(graph) if given else ():
            if node.op.control_flow is not None and node.op.control_flow.recursive:
                for region in node.regions.values():
                    self._visit(region, _at_start(region, given))

    def are_known(self, node: Node) -> bool:
        """Whether values are known for all arrays about which a node reports, or code in it."""
        found = self.after.get(node, {})
        return all(found.get(given) for given in reported_in(node))

    def _visit(self, region: Graph, contents: Contents) -> Contents:
        """The contents at the end of a region, by those at its start."""
        for node in region.nodes:
            found = self._written(node, contents)
            if found:
                self.after[node] = found
                contents = contents | found
        return contents

    def _written(self, node: Node, contents: Contents) -> Contents:
        """The contents of the arrays that a node reports about."""
        if node.op.effect is Effect.REPORT:
            (given,), new = reported_in(node), node.inputs[1]
            return {given: [new] if given in contents else []}
        reported = [given for given in reported_in(node) if given in contents]
        if is_choice(node):
            ends = [self._visit(region, contents) for region in node.regions.values()]
            outputs = [region.outputs for region in node.regions.values()]
            return {given: _results(node, outputs, [end[given] for end in ends])
                    for given in reported}  # fmt: skip
        if is_loop(node):
            return self._after_loop(node, reported, contents)
        for region in node.regions.values():
            self._visit(region, contents | {given: [] for given in reported})
        return {given: [] for given in reported}

    def _after_loop(self, node: Node, reported: list[Value], contents: Contents) -> Contents:
        body, variables = body_of(node), node.op.control_flow.carried(node)
        held = {
            given: [one for one in variables if _is_among(one.start, contents[given])]
            for given in reported
        }
        while True:
            start = {given: [one.given for one in held[given]] for given in reported}
            end = self._visit(body, contents | start)
            kept = {
                given: [one for one in held[given] if _is_among(one.end, end[given])]
                for given in reported
            }
            if kept == held:
                return {given: [one.result for one in held[given]] for given in reported}
            held = kept


def reported_in(node: Node) -> list[Value]:
    """The arrays about which op `written` reports in a node or inside it, without inputs of the
    regions inside."""
    inside = Graph("", [], [node])
    reports = (one for one in walk(inside) if one.op.effect is Effect.REPORT)
    found = dict.fromkeys(one.inputs[0] for one in reports)
    own = {value for one in walk(inside) for r in one.regions.values() for value in r.inputs}
    return [given for given in found if isinstance(given, Value) and given not in own]


def _at_start(graph: Graph, given: set[Operand]) -> Contents:
    return {value: [value] for value in graph.inputs if value in given}


def _results(node: Node, outputs: list[list[Operand]], ends: list[list[Operand]]) -> list[Operand]:
    """The results of a branch whose regions both return the contents in their place."""
    return [
        value
        for value, *ways in zip(node.outputs, *outputs, strict=True)
        if all(_is_among(way, end) for way, end in zip(ways, ends, strict=True))
    ]


def _is_among(operand: Operand, values: list[Operand]) -> bool:
    return any(operand is value for value in values)
