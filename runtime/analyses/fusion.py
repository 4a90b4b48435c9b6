"""Which operations an engine can compute in one loop over their elements.

    v: f64[n] = subtract(x, y)       \\
    w: f64[n] = multiply(v, v)        >  one group: a pass over memory instead of three
    s: f64 = sum(w)                  /
    z: f64[n] = divide(v, s)             another: it needs the whole sum

    groups = fusion_groups(graph)        the groups of a graph, and of its regions

A group is a set of elementwise operations over the same sizes, and reductions of their results.
It is *convex*: no path leads out of a group and back into it, nor through several groups in a
circle, so that each can be computed at once.  No effect is between its nodes.  A reduction ends a
group: users of its result are outside.  Sizes that are known only at run time are equal if they
come from one array.

The native engine fuses while it writes code (`engines/native/kernels`), so that it also knows which
operations have machine code; the analysis is for other engines that generate loops.
"""

from dataclasses import dataclass
from typing import Any

from runtime.analyses.effects import has_effect
from runtime.analyses.escape import has_memory
from runtime.analyses.sizes import same_sizes, shape_of
from runtime.ir.graph import Graph, Node, Operand, Value, captures, walk
from runtime.ir.types import TensorType


@dataclass(frozen=True)
class Group:
    """Nodes of one graph that can be computed together, in program order.

    `inputs` are the operands from outside, `outputs` the results that something outside needs.
    """

    graph: Graph
    nodes: tuple[Node, ...]
    inputs: tuple[Operand, ...]
    outputs: tuple[Value, ...]


def fusion_groups(graph: Graph, least: int = 2) -> list[Group]:
    """The groups of at least that many nodes, of the graph and then of each region."""
    regions = [graph, *(r for node in walk(graph) for r in node.regions.values())]
    makers = {value: node for node in walk(graph) for value in node.outputs}
    found = []
    for region in regions:
        for nodes in _Grouping(region, makers).groups():
            if len(nodes) >= least:
                found.append(_group(region, set(nodes)))
    return found


class _Grouping:
    """The groups of one graph: connected operations of one rank.

    The rank of a value counts how often a path to it enters a group.  An operation has the rank of
    its operands if it can be computed in one loop with their nodes, else one more.  So each
    path out of a group leads to higher ranks, and none of them back.  After an effect all ranks
    are higher than before it.
    """

    def __init__(self, graph: Graph, makers: Any) -> None:
        self._makers = makers
        self._ranks: dict[Value, int] = {}
        self._loops: dict[Value, tuple[Any, ...]] = {}  # the sizes of the loop that makes a value
        self._groups: dict[Node, list[Node]] = {}
        self._base = self._highest = 0
        for node in graph.nodes:
            self._add(node)

    def groups(self) -> Any:
        """The nodes of each group, in program order."""
        return {id(nodes): nodes for nodes in self._groups.values()}.values()

    def _add(self, node: Node) -> None:
        if has_effect(node):
            self._base = self._highest + 1
        sizes, used = self._sizes_of(node), _used(node)
        together = [v for v in used if sizes is not None and self._loops.get(v) == sizes]
        apart = [self._ranks.get(v, 0) for v in used if v not in together]
        if sizes is None:
            rank = max([self._base, *apart])
        else:
            rank = max([self._base, *(r + 1 for r in apart), *(self._ranks[v] for v in together)])
            self._join(node, [v for v in together if self._ranks[v] == rank])
            if not node.op.traits.reduction:
                self._loops[node.output] = sizes
        self._highest = max(self._highest, rank)
        self._ranks.update(dict.fromkeys(node.outputs, rank))

    def _join(self, node: Node, operands: Any) -> None:
        """Puts a node into one group with the nodes of some of its operands."""
        groups = [self._groups[self._makers[value]] for value in operands]
        largest = max(groups, key=len, default=[])
        for group in {id(group): group for group in groups if group is not largest}.values():
            largest += group
            self._groups.update(dict.fromkeys(group, largest))
        largest.append(node)
        self._groups[node] = largest

    # -- sizes -------------------------------------------------------------------------------------

    def _sizes_of(self, node: Node) -> Any:
        """The sizes of the loop that computes a node, None where it is no loop over elements."""
        if node.regions or node.op.effect or len(node.outputs) != 1:
            return None
        if node.op.traits.reduction:
            return self._identity(node.inputs[0]) if isinstance(node.inputs[0], Value) else None
        is_array = isinstance(node.output.type, TensorType) and has_memory(node.output)
        return self._identity(node.output) if is_array and node.op.traits.elementwise else None

    def _identity(self, array: Any) -> Any:
        """The sizes of an array; of one that is not known, the array that it comes from."""
        shape = shape_of(array)
        if all(isinstance(size, int) for size in shape):
            return shape
        while (source := same_sizes(self._makers.get(array))) is not None:
            array = source
        return tuple(
            size if isinstance(size, int) else (array, axis) for axis, size in enumerate(shape)
        )


def _used(node: Node) -> Any:
    """The values that a node uses, its regions included."""
    inside = [v for region in node.regions.values() for v in captures(region)]
    return list(dict.fromkeys([*(o for o in node.inputs if isinstance(o, Value)), *inside]))


def _group(graph: Graph, members: Any) -> Any:
    nodes = tuple(node for node in graph.nodes if node in members)
    made = {value for node in nodes for value in node.outputs}
    outside = {v for node in graph.nodes if node not in members for v in _used(node)}
    outside.update(o for o in graph.outputs if isinstance(o, Value))
    inputs = dict.fromkeys(o for node in nodes for o in node.inputs if o not in made)
    outputs = tuple(value for node in nodes for value in node.outputs if value in outside)
    return Group(graph, nodes, tuple(inputs), outputs)
