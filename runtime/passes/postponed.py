"""Takes products of matrices out of loops of adjoints, where they are only added up.

    while turns_left != 0:                       while turns_left != 0:
        ...                                          ...
        d_w = d_w + outer(d_z, h)       ->           left.append(d_z); right.append(h)
                                                 d_w = d_w + left^T @ right

One product of matrices takes less time than many outer products of vectors and their sums.  What
is kept for it in a turn is much less than the sum itself.  The order of the sum is another one, so
the last bits may be others: gradients are right to rounding.  Only loops of adjoints are touched.
"""

from collections import Counter

from runtime.ir import Graph, Node, Value, operand_type, substitute, used_values
from runtime.op import find
from runtime.types import ListType, TensorType

PRODUCTS = {"dot", "matmul"}
MUCH_LESS = 8  # what is kept is so many times smaller: of vectors, and very thin matrices


def postpone_products(graph: Graph, context=None) -> Graph:
    """The graph in which loops of adjoints keep the factors of such products."""
    for node in list(graph.nodes):
        for region in node.regions.values():
            postpone_products(region)
        if node.op.name == "loop" and node.attributes.get("adjoint"):
            _Loop(graph, node).postpone()
    return graph


class _Loop:
    """A loop of adjoints, and the graph that it stands in."""

    def __init__(self, graph, node):
        self.graph, self.node = graph, node
        self.body = node.regions["body"]
        self.uses = Counter(used_values(self.body))
        self.makers = {value: n for n in self.body.nodes for value in n.outputs}

    def postpone(self):
        """Takes the products of all its variables out."""
        for place in range(len(self.body.inputs)):
            for addition in self._additions(place):
                product = self.makers.get(addition.inputs[1])
                if product is not None and self._is_worth_it(product, addition):
                    self._take_out(place, addition, product)

    def _additions(self, place):
        """The nodes that add something to a variable, and are all that is done with it."""
        given, value, found = self.body.inputs[place], self.body.outputs[1 + place], []
        while value is not given:
            node = self.makers.get(value) if isinstance(value, Value) else None
            if node is None or node.op.name != "accumulated" or self.uses[value] != 1:
                return []
            found.append(node)
            value = node.inputs[0]
        return found if self.uses[given] == 1 else []

    def _is_worth_it(self, product, addition):
        if product.op.name not in PRODUCTS or self.uses[product.output] != 1:
            return False
        if product.output.type != addition.output.type:
            return False
        shapes = [operand_type(operand).shape for operand in product.inputs]
        if any(len(s) != 2 or not all(isinstance(n, int) for n in s) for s in shapes):
            return False
        (rows, inner), (_, columns) = shapes
        return MUCH_LESS * inner * (rows + columns) <= rows * columns

    def _take_out(self, place, addition, product):
        factors = [self._kept(factor, product) for factor in product.inputs]
        self.body.nodes = [n for n in self.body.nodes if n not in (addition, product)]
        substitute(self.body, {addition.output: addition.inputs[0]})
        outputs = list(self.node.outputs)
        total, before = outputs[place], Value(outputs[place].type, outputs[place].hint)
        outputs[place] = before
        self.node.outputs = tuple(outputs)
        sum_of_all = self._node("products_added", (before, *factors), total)
        self.graph.nodes.insert(self.graph.nodes.index(self.node) + 1, sum_of_all)
        self.uses = Counter(used_values(self.body))

    def _kept(self, factor, product):
        """A list of what a factor is in each turn."""
        kind = operand_type(factor)
        element = TensorType(kind.dtype, kind.shape)
        start, given, grown, final = (Value(ListType(element), "factors") for _ in range(4))
        before = self._node("list_new", (), start, element=element)
        self.graph.nodes.insert(self.graph.nodes.index(self.node), before)
        position = self.body.nodes.index(product) + 1
        self.body.nodes.insert(position, self._node("list_append", (given, factor), grown))
        self.body.inputs.append(given)
        self.body.outputs.append(grown)
        self.node.inputs = (*self.node.inputs, start)
        self.node.outputs = (*self.node.outputs, final)
        return final

    def _node(self, op, inputs, output, **attributes):
        node = self.node
        return Node(find(op), inputs, (output,), attributes, {}, node.location, node.scope)
