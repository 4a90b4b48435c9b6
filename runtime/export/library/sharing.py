"""The lowering of `relax`: the same elements with another shape share a block of the workspace.

The block counts its references, so a write into either array copies it first.
"""

from runtime.engines.native.arrays import DATA, OBJECT, array_type_of, product, sizes_of
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.kernels.writing import copy_of_view
from runtime.engines.native.kinds import NotLowered
from runtime.engines.native.lowering import lowers
from runtime.export.library.workspace import Workspace
from runtime.ir.graph import Node
from runtime.ir.types import TensorType


@lowers("relax")
def relax(emitter: Emitter, node: Node) -> None:
    if not isinstance(emitter.storage, Workspace):  # an object has one shape
        raise NotLowered("the op has no machine code")
    operand, kind = array_type_of(node.inputs[0])
    if operand in emitter.views:
        operand = copy_of_view(emitter, operand)
    assert isinstance(node.output.type, TensorType)
    sizes, shape = sizes_of(emitter, operand, kind), node.output.type.shape
    unknown = [axis for axis, size in enumerate(shape) if not isinstance(size, int)]
    if len(shape) == len(sizes):
        found = [sizes[axis] for axis in unknown]
    elif not unknown:
        found = []
    elif len(kept := [size for size in shape if size != 1]) == len(sizes):  # new axes
        found = [one for one, size in zip(sizes, kept, strict=True) if not isinstance(size, int)]
    else:
        found = [_missing(emitter, sizes, shape, len(unknown))]
    held = emitter.held[operand]
    emitter.held[node.output] = (held[OBJECT], held[DATA], *found)
    emitter.ownership.share(held[OBJECT])
    emitter.ownership.define(node.output, held[OBJECT])


def _missing(emitter: Emitter, sizes: list[str], shape: tuple[object, ...], unknown: int) -> str:
    """The only size of a shape that the type does not know."""
    known = 1
    for size in shape:
        known *= size if isinstance(size, int) else 1
    if unknown > 1 or not known:
        raise NotLowered("a shape with several unknown sizes has no machine code")
    return emitter.text.register(f"udiv i64 {product(emitter.text, sizes)}, {known}")
