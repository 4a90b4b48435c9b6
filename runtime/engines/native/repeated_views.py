"""Views that several pieces read: each piece makes its own.

    y = x * 2.0; v = y[:, :3]           a piece
    with np.errstate(all="ignore"):     no node of a piece
        v_1 = y[:, :3]; z = v_1 + 1     the next piece: y enters it

A view that entered a piece would be an array that is not contiguous, and the piece would be left in
each call.
"""

from runtime.analyses.escape import escaping_values
from runtime.engines.native.kinds import NotLowered
from runtime.engines.native.lowering import lowering_of
from runtime.engines.native.views import is_view_node
from runtime.ir.graph import Graph, Node, Operand, Value, substitute
from runtime.ir.traits import Effect

# op names: their nodes are in no piece
BOUNDARIES = ("enter_errors", "leave_errors")


def repeat_views(graph: Graph) -> None:
    """Repeats the views of a graph, and of its regions, after each node that is in no piece."""
    _repeat(graph, escaping_values(graph))


def _repeat(region: Graph, escaping: set[Value]) -> None:
    known: dict[Value, Node] = {}  # the views before the last boundary
    fresh: dict[Value, Node] = {}  # those after it
    again: dict[Value, Operand] = {}  # of some views: those that have been repeated
    nodes: list[Node] = []
    for node in region.nodes:
        for view in _read(node, known):
            nodes += _repeated(view, known, again)
        _use(node, again)
        nodes.append(node)
        if is_view_node(node) and node.output not in escaping:
            fresh[node.output] = node
        if is_boundary(node):
            known, fresh, again = {**known, **fresh}, {}, {}
        for inside in node.regions.values():
            _repeat(inside, escaping)
    region.nodes[:] = nodes


def is_boundary(node: Node) -> bool:
    """Whether a node is in no piece, whatever the types of its operands are."""
    if node.op.name in BOUNDARIES or node.op.effect is Effect.EXTERNAL:
        return True
    if node.regions or is_view_node(node):
        return False
    try:
        lowering_of(node)
    except NotLowered:
        return True
    return False


def _read(node: Node, known: dict[Value, Node]) -> list[Value]:
    """The views before the last boundary that a node reads, itself."""
    return [one for one in dict.fromkeys(node.inputs) if isinstance(one, Value) and one in known]


def _repeated(view: Value, known: dict[Value, Node], again: dict[Value, Operand]) -> list[Node]:
    """The nodes that make a view again, and those that it is a view of."""
    if view in again:
        return []
    node, nodes = known[view], []
    for operand in _read(node, known):
        nodes += _repeated(operand, known, again)
    made = Value(view.type, view.hint)
    inputs = _replaced(node.inputs, again)
    again[view] = made
    return [*nodes, Node(node.op, inputs, (made,), dict(node.attributes), {}, node.location)]


def _replaced(operands: tuple[Operand, ...], again: dict[Value, Operand]) -> tuple[Operand, ...]:
    return tuple(again.get(one, one) if isinstance(one, Value) else one for one in operands)


def _use(node: Node, again: dict[Value, Operand]) -> None:
    """Gives a node the views that have been repeated."""
    node.inputs = _replaced(node.inputs, again)
    for region in node.regions.values():
        substitute(region, again)
