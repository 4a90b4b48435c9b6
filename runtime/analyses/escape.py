"""Escape analysis: which arrays the caller may reach after a run.

    y = sin(x)
    v = getitem(y, at=(slice(1, None, None),))
    return v                                        v escapes, and so does y: v is a view of it

Two arrays that escape stay two, although they are equal: the caller may write into one of them.
Other arrays may be computed once, or replaced by an array with the same elements.  Whether a
program may write into an array is another question (`buffer_reuse.py`).
"""

from typing import Any

from runtime.ir.graph import Graph, Node, Operand, Value, walk
from runtime.ir.regions import control_flow_of
from runtime.ir.traits import Aliasing
from runtime.ir.types import ListType, TupleType, is_array

# Their results may be, view or contain any operand.
CONTAINING = {Aliasing.CONTAINER, Aliasing.ITEM, Aliasing.ANY}


def has_memory(value: Value) -> bool:
    """Whether a value is in memory that can change: it is an array, a list or a tuple."""
    return isinstance(value.type, (ListType, TupleType)) or is_array(value.type)


def escaping_values(graph: Graph) -> set[Value]:
    """The arrays and lists that the outputs of a graph are, view or contain."""
    makers: dict[Value, tuple[Node, int]] = {}
    entering: dict[Value, list[Operand]] = {}
    for node in walk(graph):
        makers.update((value, (node, i)) for i, value in enumerate(node.outputs))
        if (flow := control_flow_of(node)) is not None:
            for name, region in node.regions.items():
                for i, value in enumerate(region.inputs):
                    entering[value] = flow.input_sources(node, name, i)
    escaping: set[Value] = set()
    pending = list(graph.outputs)
    while pending:
        operand = pending.pop()
        if not isinstance(operand, Value) or operand in escaping or not has_memory(operand):
            continue
        value = operand
        escaping.add(value)
        if value in entering:
            pending += entering[value]
        elif value in makers:
            pending += _sources(*makers[value])
    return escaping


def _sources(node: Node, place: int) -> Any:
    """The operands that a result of a node may be, view or contain."""
    if (flow := control_flow_of(node)) is not None:
        return flow.result_sources(node, place)
    if node.op.traits.aliases in CONTAINING:
        return node.inputs
    return node.inputs[:1] if node.op.shares else ()
