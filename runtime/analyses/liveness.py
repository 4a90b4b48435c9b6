"""Uses and liveness: which nodes use a value, and whether it may be used after a node.

An expression that is used once, in the same line of the user's code, is *inlined*: generated code
has it where its use is, so its operands are used there.  Inlined expressions do not nest deeper
than `MOST_NESTED`.  One that may raise is not inlined after a statement that may raise, since the
first of two exceptions is the program's: `x[0], x[-1] = x[i], x[j]`.
"""

import itertools
from collections import Counter
from collections.abc import Callable, Iterator

from runtime.analyses.exceptions import may_fail
from runtime.ir.graph import Graph, Node, Operand, Value, defined_values
from runtime.ir.regions import is_loop
from runtime.ir.traits import Effect

# Deeper expressions become several statements: a line of the user's code in a loop that tracing
# unrolls may be any number of operations, and Python's parser has its limits.
MOST_NESTED = 20


class Uses:
    """The uses of every value of a graph and its regions; nothing is inlined unless `inlines`.

    Unless `reports`, op `written` does not use the array that it reports about.
    """

    def __init__(self, graph: Graph, inlines: bool = True, reports: bool = True) -> None:
        self.graph, self.inlines, self.reports = graph, inlines, reports
        self.count: Counter[Value] = Counter(self._used_in(graph))
        self.makers: dict[Value, Node] = {}
        self.users: dict[Value, list[Node]] = {}
        self.home: dict[Value, Graph] = {}
        self.inlined: set[Value] = set()
        self._places: dict[Node, tuple[Graph, int]] = {}
        self._parents: dict[Graph, Node] = {}
        self._inside: dict[Node, set[Value]] = {}
        self._depth: dict[Operand, int] = {}  # of inlined expressions
        self._reads: dict[Node, dict[Value, None]] = {}
        self._last: dict[Graph, dict[Value, int]] = {}  # the last node of a region that uses it
        self._outputs: dict[Graph, set[Operand]] = {}
        self._visit(graph)
        if inlines:
            self._keep_order(graph)

    def _keep_order(self, graph: Graph) -> None:
        """Inlines no expression that may raise after a statement that may raise."""
        evaluated: dict[Node, int] = {}  # the place of the statement that evaluates a node
        for i, node in reversed(tuple(enumerate(graph.nodes))):
            for region in node.regions.values():
                self._keep_order(region)
            evaluated[node] = i
            if len(node.outputs) != 1 or node.output not in self.inlined:
                continue
            (user,) = self.users[node.output]
            evaluated[node] = evaluated[user]
            others = graph.nodes[i + 1 : evaluated[user]]
            statements = [one for one in others if evaluated[one] < evaluated[user]]
            if any(map(may_fail, statements)) and may_fail(node):
                self.inlined.discard(node.output)
                evaluated[node] = i

    def _visit(self, graph: Graph) -> None:
        self.home.update(dict.fromkeys(defined_values(graph), graph))
        self._outputs[graph] = set(graph.outputs)
        last: dict[Value, int] = {}
        self._last[graph] = last
        for i, node in enumerate(graph.nodes):
            self._places[node] = graph, i
            self.makers.update(dict.fromkeys(node.outputs, node))
            self._inside[node] = set()
            depth = 1 + max((self._depth.get(o, 0) for o in node.inputs), default=0)
            if depth <= MOST_NESTED and self._is_inlined(node, graph, i):
                self.inlined.add(node.output)
                self._depth[node.output] = depth
            reads = dict.fromkeys(self._operands(node))
            for value in reads:
                self.users.setdefault(value, []).append(node)
            self._reads[node] = reads
            for value in [v for v in reads if v in self.inlined]:
                reads.update(self._reads[self.makers[value]])
            for region in node.regions.values():
                self._parents[region] = node
                self._inside[node].update(self._used_in(region))
                self._visit(region)
            last.update(dict.fromkeys(itertools.chain(reads, self._inside[node]), i))

    def _operands(self, node: Node) -> Iterator[Value]:
        reported = node.op.effect is Effect.REPORT and not self.reports
        return (o for o in node.inputs[reported:] if isinstance(o, Value))

    def _used_in(self, graph: Graph) -> Iterator[Value]:
        """The values that a graph and its regions use, once for each use."""
        for node in graph.nodes:
            yield from self._operands(node)
            for region in node.regions.values():
                yield from self._used_in(region)
        yield from (o for o in graph.outputs if isinstance(o, Value))

    def _is_inlined(self, node: Node, region: Graph, index: int) -> bool:
        if not self.inlines or len(node.outputs) != 1 or self.count[node.output] != 1:
            return False
        if node.op.effect or node.op.updates is not None:
            return False
        for later in itertools.islice(region.nodes, index + 1, index + 12):
            if node.output in later.inputs:
                updated = later.op.updates is not None and later.inputs[later.op.updates]
                if updated is node.output or is_loop(later):
                    return False
                return _line(later) == _line(node)
            if later.op.effect or later.regions or later.op.updates is not None:
                return False
        return False

    def is_only_read_by(self, value: Value, reads: Callable[[Node], bool]) -> bool:
        """Whether all uses of a value are as operands of nodes of some sort."""
        users = self.users.get(value, [])
        is_operand = sum(node.inputs.count(value) for node in users) == self.count[value]
        return is_operand and all(map(reads, users))

    def reads(self, node: Node) -> list[Value]:
        """The values that a node uses, and those that its inlined operands use, each once."""
        return list(self._reads[node])

    def inside(self, node: Node) -> set[Value]:
        """The values that the regions of a node use."""
        return self._inside[node]

    def place(self, node: Node) -> tuple[Graph, int]:
        """The region that a node is in, and its place there."""
        return self._places[node]

    def stand_for(self, node: Node, other: Node) -> None:
        """Notes that another node, with the same results, is written in the place of a node."""
        self._places[other] = self._places[node]

    def around(self, region: Graph) -> Graph | None:
        """The graph that contains a region's node, None for the outermost graph."""
        place = self.place_around(region)
        return None if place is None else place[0]

    def place_around(self, region: Graph) -> tuple[Graph, int] | None:
        """The graph that contains a region's node, and its place there; None for the outermost."""
        parent = self._parents.get(region)
        return None if parent is None else self._places[parent]

    def is_inside(self, value: Value, region: Graph) -> bool:
        """Whether a value is defined in a region, or in a region inside it."""
        home: Graph | None = self.home[value]
        while home is not None and home is not region:
            home = self.around(home)
        return home is region

    def is_live_after(self, value: Value, node: Node) -> bool:
        """Whether a value may be used after `node`, before it is defined again."""
        region, index = self._places[node]
        while True:
            if self._last[region].get(value, -1) > index or value in self._outputs[region]:
                return True
            if self.home[value] is region or region not in self._parents:
                return False
            parent = self._parents[region]
            if value in parent.outputs:
                return False  # it is not defined yet
            if is_loop(parent) and value in self._inside[parent]:
                return not self.is_inside(value, region)  # the next iteration uses it
            region, index = self._places[parent]


def _line(node: Node) -> tuple[str, int] | None:
    return node.location and node.location.line
