"""Functions that write into an array of theirs, as operations of a kernel.

    v = a[k:, k]
    into(v, p, v, function="np.divide", out=v)       ->      divide(v, p), with the sizes of v

NumPy raises where the result is larger than `out`; a kernel leaves the piece where sizes differ.
"""

from runtime.engines.native.emitter import Emitter
from runtime.ir.graph import Node, Operand, Value, operand_type
from runtime.ir.op import Op, find, names
from runtime.ir.slot import Slot
from runtime.ir.types import TensorType, is_array

# `x **= p` has other last bits than `np.power` for some exponents.
OTHERS = ("pow", "power")


def as_elementwise(emitter: Emitter, node: Node) -> Node:
    """The elementwise operation that computes what a function writes; other nodes as they are."""
    op = _elementwise(node) if node.op.name == "into" else None
    operands = None if op is None else _operands(node)
    if op is None or operands is None or not _has_type_of_out(op, operands, node.output):
        return node
    found = Node(op, operands, node.outputs, {}, {}, node.location)
    emitter.ownership.uses.stand_for(node, found)
    return found


def _elementwise(node: Node) -> Op | None:
    """The elementwise op of the function, if it writes into one array, and has no options."""
    name = node.attributes["function"].removeprefix("np.")
    outs = dict(node.attributes["named"])
    if name not in names() or name in OTHERS or list(outs) != ["out"] or len(outs["out"]) != 1:
        return None
    op = find(name)
    return op if op.traits.elementwise else None


def _operands(node: Node) -> tuple[Operand, ...] | None:
    found: list[Operand] = []
    for one in node.attributes["given"]:
        if isinstance(one, Slot):
            found.append(node.inputs[one.index])
        elif type(one) in (bool, int, float):
            found.append(one)
        else:
            return None
    return tuple(found)


def _has_type_of_out(op: Op, operands: tuple[Operand, ...], out: Value) -> bool:
    """Whether NumPy computes the elements in the dtype of the array that it writes into."""
    types = tuple(map(operand_type, operands))
    kind = out.type
    if not isinstance(kind, TensorType) or not is_array(kind):
        return False
    if not all(getattr(one, "ndim", 0) <= kind.ndim for one in types):
        return False
    try:
        (found,) = op.infer_types(types, {}, {})
    except (TypeError, ValueError, IndexError):  # the NumPy program raises it
        return False
    return isinstance(found, TensorType) and found.dtype == kind.dtype
