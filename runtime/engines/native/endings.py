"""Branches with effects that end a loop: machine code leaves the piece where one is reached.

    for i in range(n):
        x = step(x)
        if np.isnan(x):
            print("no number after", i)         the NumPy program prints, from the loop's start on
            break

A piece has no effect before it is left, so the NumPy program computes the loop again.  This happens
once for a loop at most, since the branch ends it.  Branches after which the loop goes on, or a loop
around it, stay in the NumPy program: they might be reached in each iteration.
"""

from runtime.analyses.liveness import Uses
from runtime.engines.native.random_streams import has_code
from runtime.ir.graph import Graph, Node, Operand, Value, captures, walk
from runtime.ir.regions import is_choice, is_loop
from runtime.ir.traits import Effect


def effect_of(region: Graph) -> Node | None:
    """The first node of a region that has an effect outside of the graph, and no machine code."""
    others = (node for node in walk(region) if node.op.effect is Effect.EXTERNAL)
    return next((node for node in others if not has_code(node)), None)


def is_left(node: Node, region: Graph, uses: Uses) -> bool:
    """Whether a branch of a `cond` has an effect, and ends the loop that the node is in."""
    if not is_choice(node) or effect_of(region) is None:
        return False
    body = uses.place(node)[0]
    if _loops_around(body, uses) != [True]:
        return False
    outcomes = zip(node.outputs, region.outputs, strict=True)
    known = {value: found for value, found in outcomes if type(found) is bool}
    return _truth(body.outputs[0], known, uses) is False


def _loops_around(body: Graph, uses: Uses) -> list[bool]:
    """Whether the nodes around a region are loops, from the inner one on; branches of a function
    around the loop are left out."""
    found: list[bool] = []
    around = uses.place_around(body)
    while around is not None:
        is_one = is_loop(around[0].nodes[around[1]])
        if is_one or not found:
            found.append(is_one)
        around = uses.place_around(around[0])
    return found


def _truth(operand: Operand, known: dict[Value, bool], uses: Uses) -> bool | None:
    """The truth of an operand, if some values are known; None if it is not known."""
    if not isinstance(operand, Value):
        return operand if isinstance(operand, bool) else None
    maker = uses.makers.get(operand)
    if operand in known or maker is None:
        return known.get(operand)
    if maker.op.name == "not_":
        found = _truth(maker.inputs[0], known, uses)
        return None if found is None else not found
    if maker.op.name in ("option", "truth"):
        return _truth(maker.inputs[0], known, uses)
    if not is_choice(maker) or maker.op.control_flow is None:
        return None
    found = _truth(maker.inputs[0], known, uses)
    if found is None:
        return None
    chosen = maker.op.control_flow.chosen(maker, found)
    return _truth(chosen.outputs[maker.outputs.index(operand)], known, uses)


def values_read(run: list[Node], outputs: list[Value], uses: Uses) -> list[Value]:
    """The values of enclosing graphs that the machine code of some nodes reads."""
    return captures(Graph("piece", [], [_pruned(node, uses) for node in run], list(outputs)))


def _pruned(node: Node, uses: Uses) -> Node:
    """A node without the branches in which the piece is left."""
    if not node.regions:
        return node
    regions = {}
    for name, region in node.regions.items():
        leaves = is_left(node, region, uses)
        nodes = [] if leaves else [_pruned(one, uses) for one in region.nodes]
        regions[name] = Graph(name, region.inputs, nodes, [] if leaves else region.outputs)
    return Node(node.op, node.inputs, node.outputs, node.attributes, regions, node.location)
