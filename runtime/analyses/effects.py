"""Which nodes have side effects."""

from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType

from runtime.ir.graph import Node, operand_type
from runtime.ir.host import hosts
from runtime.ir.traits import Effect
from runtime.ir.types import OBJECT


def has_effect(node: Node) -> bool:
    """Whether a node, or a node in its regions, does something besides computing its outputs.

    Changed error settings alone have no effect at the end of a region.
    """
    return node.op.effect is not None or any(
        has_effect(inner) and inner.op.effect is not Effect.ERROR_STATE
        for region in node.regions.values()
        for inner in region.nodes
    )


CODE = (type, FunctionType, BuiltinFunctionType, ModuleType)


def depends_on_objects(node: Node) -> bool:
    """Whether a node uses or makes objects of Python, which other nodes may change."""
    types = (*(value.type for value in node.outputs), *map(operand_type, node.inputs))
    if OBJECT in types:
        return True
    held = (one for attribute in node.attributes.values() for one in hosts(attribute))
    return any(_is_object(one) for one in held)


def _is_object(value: object) -> bool:
    if isinstance(value, MethodType | BuiltinFunctionType):
        owner = value.__self__
        return owner is not None and not isinstance(owner, CODE)
    return not isinstance(value, CODE)
