"""Kernels: operations on whole arrays, many of them in one nest of loops.

    y = x * 2 + b; s = np.exp(y).sum()           ->     one pass over x, no array for y

`plan.py` says which nodes belong together, `nest.py` writes the loops around rows, `rows.py` the
elements of a row, `elements.py` has the instructions of each op, and `inner_loops.py` calls NumPy's
C functions for all others.  `selecting.py` and `writing.py` read and write parts of arrays.  Every
bit of a result is NumPy's.
"""

from collections.abc import Iterable

from runtime.engines.native.emitter import Emitter
from runtime.engines.native.kernels.in_place import as_elementwise
from runtime.engines.native.kernels.nest import Nest
from runtime.engines.native.kernels.plan import Plan, array_type, is_kernel_node
from runtime.engines.native.kernels.products import is_product, write_product
from runtime.engines.native.kernels.selecting import is_selection, write_selection
from runtime.engines.native.kernels.writing import is_part_write, write_part
from runtime.engines.native.kinds import NotLowered
from runtime.engines.native.lowering import lowering_of, numpy_call, writes_nodes
from runtime.engines.native.views import (
    define_view,
    is_element_of_view,
    is_view_node,
    read_element,
)
from runtime.ir.graph import Node
from runtime.ir.traits import Effect


@writes_nodes
def write_nodes(emitter: Emitter, nodes: Iterable[Node]) -> None:
    """Writes nodes in order: those that fit together as one kernel, the others one by one."""
    plan = Plan(emitter.views, emitter.formulas)
    for node in nodes:
        emitter.text.node = node
        node = as_elementwise(emitter, node)
        if not is_kernel_node(node):
            if node.op.effect is Effect.REPORT:
                continue
            if plan.nodes and not _may_precede(node, plan):
                plan = _written(emitter, plan)
            if is_view_node(node):
                define_view(emitter, node)
            elif is_element_of_view(emitter, node):
                read_element(emitter, node)
            elif is_product(node):
                write_product(emitter, node)
            elif is_selection(node):
                write_selection(emitter, node)
            elif is_part_write(node):
                write_part(emitter, node)
            else:
                lowering_of(node)(emitter, node)
            continue
        plan = _with(emitter, plan, node)
    _written(emitter, plan)


def _with(emitter: Emitter, plan: Plan, node: Node) -> Plan:
    """The plan with a node, or a new one after those before; a node for which a kernel has no code
    is a call of NumPy."""
    try:
        plan.add(node)
    except NotLowered as error:
        if plan.nodes:
            return _with(emitter, _written(emitter, plan), node)
        try:
            numpy_call()(emitter, node)
        except NotLowered:
            raise error from None
    return plan


def _written(emitter: Emitter, plan: Plan) -> Plan:
    """Writes a kernel; returns the empty plan of the next one."""
    if plan.nodes:
        following, emitter.text.node = emitter.text.node, plan.nodes[0]
        Nest(emitter, plan).write()
        emitter.text.node = following
    return Plan(emitter.views, emitter.formulas)


def _may_precede(node: Node, plan: Plan) -> bool:
    """Whether a node of scalars may be computed before the kernel that precedes it."""
    made = {value for one in plan.nodes for value in one.outputs}
    operands = (*node.inputs, *node.outputs)
    if made & set(node.inputs):
        return False
    is_scalar = not node.regions and all(array_type(operand) is None for operand in operands)
    return is_scalar or is_view_node(node)


__all__ = ["is_kernel_node", "write_nodes"]
