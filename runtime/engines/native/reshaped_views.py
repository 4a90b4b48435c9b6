"""Arrays with another shape, in a piece: the same elements from the same address on.

    x.reshape(2, -1)        sizes 2 and n / 2; a piece is left where n is odd
    x.ravel()

NumPy copies the elements of a view with gaps, so these have no machine code.
"""

from runtime.engines.native.emitter import Emitter
from runtime.engines.native.exits import Exit
from runtime.engines.native.kinds import NotLowered
from runtime.engines.native.view_layout import View, times
from runtime.ir.graph import Node, operand_type
from runtime.ir.types import TensorType, is_array


def is_reshape(node: Node) -> bool:
    """Whether a node gives an array another shape, of which at most one size is unknown."""
    if node.op.name not in ("reshape", "ravel") or len(node.inputs) != 1:
        return False
    own, kind = operand_type(node.inputs[0]), node.output.type
    if not isinstance(own, TensorType) or not is_array(own) or not own.ndim:
        return False
    return isinstance(kind, TensorType) and kind.ndim > 0 and _unknown(kind) <= 1


def _unknown(kind: TensorType) -> int:
    return sum(not isinstance(size, int) for size in kind.shape)


def reshaped(emitter: Emitter, whole: View, node: Node) -> View:
    """The view of the elements of an array with another shape."""
    kind, text = node.output.type, emitter.text
    assert isinstance(kind, TensorType)
    if not whole.is_dense(kind.dtype.itemsize):
        raise NotLowered("another shape of a view has no machine code")
    count, known = "1", 1
    for size in whole.sizes:
        count = times(text, count, size)
    for part in kind.shape:
        known *= part if isinstance(part, int) else 1
    missing = ""
    if not _unknown(kind):
        if count != str(known):
            text.leave_if(text.register(f"icmp ne i64 {count}, {known}"), Exit.SHAPE)
    elif not known:
        raise NotLowered("an unknown size of an array without elements has no machine code")
    else:
        missing = text.register(f"sdiv i64 {count}, {known}")
        product = text.register(f"mul i64 {missing}, {known}")
        text.leave_if(text.register(f"icmp ne i64 {product}, {count}"), Exit.SHAPE)
    sizes = [str(size) if isinstance(size, int) else missing for size in kind.shape]
    step, steps = str(kind.dtype.itemsize), []
    for size in reversed(sizes):
        steps.append(step)
        step = times(text, step, size)
    return View(whole.address, tuple(sizes), tuple(steps[::-1]), len(sizes))
