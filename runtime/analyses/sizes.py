"""The sizes of operands, and which operand has the sizes of a result."""

from runtime.ir.graph import Node, Operand, operand_type
from runtime.ir.types import (
    Dimension,
    ListType,
    ObjectType,
    PythonType,
    StringType,
    TensorType,
    UnionType,
)


def shape_of(operand: Operand) -> tuple[Dimension, ...]:
    """The shape of an array, scalar, string or object."""
    kind = operand_type(operand)
    assert isinstance(kind, TensorType | PythonType | StringType | ObjectType | UnionType)
    return kind.shape


def same_sizes(node: Node | None) -> Operand | None:
    """The operand that is known to have the same sizes as a node's result, None if none is."""
    if node is None:
        return None
    if node.op.traits.keeps_sizes:
        return node.inputs[0]
    if not node.op.traits.elementwise or any(isinstance(v.type, ListType) for v in node.outputs):
        return None
    arrays = [o for o in node.inputs if shape_of(o)]
    return arrays[0] if len(set(arrays)) == 1 else None
