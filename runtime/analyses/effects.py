"""Which nodes have side effects."""

from runtime.ir.graph import Node
from runtime.ir.traits import Effect


def has_effect(node: Node) -> bool:
    """Whether a node, or a node in its regions, does something besides computing its outputs.

    Changed error settings alone have no effect at the end of a region.
    """
    return node.op.effect is not None or any(
        has_effect(inner) and inner.op.effect is not Effect.ERROR_STATE
        for region in node.regions.values()
        for inner in region.nodes
    )
