"""Who uses what, and whether anybody will later: the questions that a program writer asks of a
graph.

An expression that is used once, in the same line of the user's, *waits*: it is written where its
use is, and so its operands are used there.  Expressions do not nest deeper than `MOST_NESTED`: a
line of the user's may stand in a loop that is unrolled a thousand times.
"""

import itertools
from collections import Counter

from runtime.ir.graph import Graph, Node, Operand, Value, defined_values, used_values
from runtime.ir.regions import is_loop

# An expression that is deeper is written in several statements: one line of the user's that is
# repeated while it is traced may be any number of operations, and Python's parser has its bounds.
MOST_NESTED = 20


class Uses:
    """The uses of every value of a graph, regions included; unless it `merges`, nothing waits."""

    def __init__(self, graph: Graph, merges: bool = True):
        self.is_merging = merges
        self.count = Counter(used_values(graph))
        self.makers: dict[Value, Node] = {}
        self.home: dict[Value, Graph] = {}
        self._places: dict[Node, tuple[Graph, int]] = {}
        self._parents: dict[Graph, Node] = {}
        self._inside: dict[Node, set[Value]] = {}
        self.waiting: set[Value] = set()
        self._nested: dict[Operand, int] = {}  # how deep an expression is that waits
        self._reads: dict[Node, dict[Value, None]] = {}
        self._last: dict[Graph, dict[Value, int]] = {}  # where a value is used last in a region
        self._handed_out: dict[Graph, set[Operand]] = {}
        self._visit(graph)

    def _visit(self, graph):
        self.home.update(dict.fromkeys(defined_values(graph), graph))
        self._handed_out[graph] = set(graph.outputs)
        self._last[graph] = last = {}
        for i, node in enumerate(graph.nodes):
            self._places[node] = graph, i
            self.makers.update(dict.fromkeys(node.outputs, node))
            self._inside[node] = set()
            nested = 1 + max((self._nested.get(o, 0) for o in node.inputs), default=0)
            if nested <= MOST_NESTED and self._waits(node, graph, i):
                self.waiting.add(node.output)
                self._nested[node.output] = nested
            self._reads[node] = reads = dict.fromkeys(
                o for o in node.inputs if isinstance(o, Value)
            )
            for value in [v for v in reads if v in self.waiting]:
                reads.update(self._reads[self.makers[value]])
            for region in node.regions.values():
                self._parents[region] = node
                self._inside[node].update(used_values(region))
                self._visit(region)
            last.update(dict.fromkeys(itertools.chain(reads, self._inside[node]), i))

    def _waits(self, node, region, index):
        if not self.is_merging or len(node.outputs) != 1 or self.count[node.output] != 1:
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

    def read(self, node: Node) -> list[Value]:
        """What a node uses, what waits to be computed for it included, each value once."""
        return list(self._reads[node])

    def inside(self, node: Node) -> set[Value]:
        """The values that the regions of a node use."""
        return self._inside[node]

    def around(self, region: Graph) -> Graph | None:
        """The graph that a region stands in, None for the outermost."""
        parent = self._parents.get(region)
        return None if parent is None else self._places[parent][0]

    def is_inside(self, value: Value, region: Graph) -> bool:
        """Whether a value is made in a region, or in a region of that."""
        home = self.home[value]
        while home is not None and home is not region:
            home = self.around(home)
        return home is region

    def later(self, value: Value, node: Node) -> bool:
        """Whether a value may be used once `node` is done, and before it gets a new meaning."""
        region, index = self._places[node]
        while True:
            if self._last[region].get(value, -1) > index or value in self._handed_out[region]:
                return True
            if self.home[value] is region or region not in self._parents:
                return False
            parent = self._parents[region]
            if value in parent.outputs:
                return False  # it is only being made
            if is_loop(parent) and value in self._inside[parent]:
                return not self.is_inside(value, region)  # the next turn uses it
            region, index = self._places[parent]


def _line(node):
    return node.location and node.location.line
