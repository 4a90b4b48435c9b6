"""Who uses what, and whether anybody will later: the questions that a program writer asks of a graph."""

from collections import Counter

from runtime.ir import Graph, Node, Value, defined_values, used_values


class Uses:
    """The uses of every value of a graph, regions included."""

    def __init__(self, graph: Graph):
        self.count = Counter(used_values(graph))
        self.makers: dict[Value, Node] = {}
        self.home: dict[Value, Graph] = {}
        self._places: dict[Node, tuple[Graph, int]] = {}
        self._parents: dict[Graph, Node] = {}
        self._inside: dict[Node, set[Value]] = {}
        self._visit(graph)

    def _visit(self, graph):
        self.home.update(dict.fromkeys(defined_values(graph), graph))
        for i, node in enumerate(graph.nodes):
            self._places[node] = graph, i
            self.makers.update(dict.fromkeys(node.outputs, node))
            self._inside[node] = set()
            for region in node.regions.values():
                self._parents[region] = node
                self._inside[node].update(used_values(region))
                self._visit(region)

    def by(self, node: Node, value: Value) -> bool:
        """Whether a node uses a value, or something in its regions does."""
        return value in node.inputs or value in self._inside[node]

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
            if any(self.by(later, value) for later in region.nodes[index + 1 :]):
                return True
            if value in region.outputs:
                return True
            if self.home[value] is region or region not in self._parents:
                return False
            parent = self._parents[region]
            if value in parent.outputs:
                return False  # it is only being made
            if parent.op.name == "loop" and value in self._inside[parent]:
                return not self.is_inside(value, region)  # the next turn uses it
            region, index = self._places[parent]
