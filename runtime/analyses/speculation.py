"""Which nodes are speculatable: they may be executed although the original program would not.

Such a node can neither raise nor warn, whatever values its operands have.  The record of the op
decides it (`Traits.speculatable`).
"""

from runtime.ir.graph import Node, operand_type
from runtime.ir.types import NO_ARRAYS


def is_speculatable(node: Node) -> bool:
    """Whether a node without regions can neither raise nor warn, and has no effect."""
    traits = node.op.traits
    if traits.speculatable is None or node.regions or traits.effect:
        return False
    types = (*map(operand_type, node.inputs), *(value.type for value in node.outputs))
    return not any(isinstance(kind, NO_ARRAYS) for kind in types) and traits.speculatable(node)
