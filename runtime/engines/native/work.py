"""How much nodes compute, as far as their types tell."""

import math

from runtime.engines.native.kernels.plan import is_kernel_node
from runtime.engines.native.kernels.products import is_product
from runtime.ir.graph import Graph, Node, operand_type, walk
from runtime.ir.regions import is_repeated
from runtime.ir.types import TensorType, Type

# Nodes around a loop whose iterations take longer.
MOST_AROUND_LOOP = 20


def elements(node: Node) -> float:
    """About how many elements a node computes; infinite where sizes are unknown."""
    operands = [operand_type(operand) for operand in node.inputs]
    results = [value.type for value in node.outputs]
    rows = 1 if node.op.traits.elementwise else max(map(_last_size, operands), default=1)
    return sum(map(_size, operands)) + rows * sum(map(_size, results))


def is_scalar_code(region: Graph) -> bool:
    """Whether scalar code takes most of the time of an iteration.

    Loops inside count for themselves, and the nodes of other regions as scalar code: an iteration
    may run none of them.
    """
    own = [node for node in region.nodes if not is_repeated(node)]
    computed = sum(elements(node) for node in own if is_kernel_node(node) or is_product(node))
    around_loop = MOST_AROUND_LOOP if len(own) < len(region.nodes) else 0
    return max(computed, around_loop) < sum(1 for _ in walk(Graph("", [], own)))


def _size(type: Type) -> float:
    if not isinstance(type, TensorType):
        return 1
    known = [size for size in type.shape if isinstance(size, int)]
    return math.prod(known) if len(known) == len(type.shape) else math.inf


def _last_size(type: Type) -> float:
    shape = type.shape if isinstance(type, TensorType) else ()
    return shape[-1] if shape and isinstance(shape[-1], int) else 1
