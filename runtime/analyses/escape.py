"""Which arrays of a graph its caller may hold when it has run.

    y = sin(x)
    v = getitem(y, at=(slice(1, None, None),))
    return v                                        v is held, and so is y: v is a view of it

Two arrays that are held stay two, although they are equal: the caller may write into one of them.
What nobody holds may be computed once for all, or be another array of the same elements; whether a
program may then write into it is the engine's concern.
"""

from runtime.ir.graph import Graph, Node, Operand, Value, walk
from runtime.ir.regions import control_flow_of
from runtime.ir.traits import Aliasing
from runtime.ir.types import ListType, TupleType, is_array

# Their results may be, show or hold any operand.
HOLDING = {Aliasing.CONTAINER, Aliasing.ITEM, Aliasing.ANY}


def has_memory(value: Value) -> bool:
    """Whether somebody could see a value change: it is an array or a list."""
    return isinstance(value.type, (ListType, TupleType)) or is_array(value.type)


def escaping_values(graph: Graph) -> set[Value]:
    """The arrays and lists behind the outputs of a graph: those that they are, show or hold."""
    makers: dict[Value, tuple[Node, int]] = {}
    entering: dict[Value, list[Operand]] = {}
    for node in walk(graph):
        makers.update((value, (node, i)) for i, value in enumerate(node.outputs))
        if (flow := control_flow_of(node)) is not None:
            for name, region in node.regions.items():
                for i, value in enumerate(region.inputs):
                    entering[value] = flow.input_sources(node, name, i)
    held: set[Value] = set()
    pending = list(graph.outputs)
    while pending:
        value = pending.pop()
        if not isinstance(value, Value) or value in held or not has_memory(value):
            continue
        held.add(value)
        if value in entering:
            pending += entering[value]
        elif value in makers:
            pending += _behind(*makers[value])
    return held


def _behind(node, place):
    """The operands that a result of a node may be, show or hold."""
    if (flow := control_flow_of(node)) is not None:
        return flow.result_sources(node, place)
    if node.op.traits.aliases in HOLDING:
        return node.inputs
    return node.inputs[:1] if node.op.shares else ()
