"""Writes to slices: `x[1:-1] = y` copies the elements of y into a part of x.

The result takes the memory of x if nothing else uses it, and a copy of x otherwise (`arrays.py`).
"""

from runtime.engines.native import arrays
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.exits import Exit
from runtime.engines.native.kernels.nest import Nest
from runtime.engines.native.kernels.plan import Plan, array_type
from runtime.engines.native.kinds import NotLowered, kind_of_dtype
from runtime.engines.native.views import part_of, view_of
from runtime.ir.graph import Node, Value
from runtime.ir.op import find
from runtime.ir.types import TensorType


def is_slice_write(node: Node) -> bool:
    """Whether a node writes to a part of an array that slices select."""
    return node.op.name == "setitem" and any(
        isinstance(one, slice) for one in node.attributes["at"]
    )


def write_slice(emitter: Emitter, node: Node) -> None:
    """The lowering of a write to a slice."""
    value, kind = arrays.array_operand(emitter, node.inputs[0])
    source = node.inputs[1]
    if array_type(source) is None:
        raise NotLowered("a scalar that is written to a slice has no machine code")
    assert isinstance(source, Value)
    if source in emitter.views or source is value:
        source = copy_of_view(emitter, source)
    arrays.unshare(emitter, node, value, kind)
    whole = view_of(emitter, node.output, kind)
    part = part_of(emitter, whole, node.attributes["at"], node.inputs[2:])
    sizes = [int(size) if size.isdigit() else None for size in part.sizes]
    target = Value(TensorType(kind.dtype, tuple(sizes)), "part")
    plan = Plan(emitter.views, emitter.formulas)
    plan.add(Node(find("cast"), (source,), (target,), {"dtype": kind.dtype}))
    own = array_type(source)
    assert own is not None
    if len(own.shape) > len(sizes):
        raise NotLowered("an array with more dimensions than the slice has no machine code")
    if len(part.sizes) - max(1, part.contiguous) > plan.split:
        plan.split = len(part.sizes) - max(1, part.contiguous)
    for size, wanted in zip(_aligned(emitter, source, own), part.sizes[::-1], strict=False):
        if size != wanted and size != "1":
            emitter.text.leave_if(
                emitter.text.register(f"icmp ne i64 {size}, {wanted}"), Exit.SHAPE
            )
    Nest(emitter, plan, {target: part}, list(part.sizes)).write()
    if source is not node.inputs[1]:
        emitter.ownership.drop(source)


def _aligned(emitter: Emitter, source: Value, kind: TensorType) -> tuple[str, ...]:
    """The sizes of an array, the last one first."""
    return view_of(emitter, source, kind).sizes[::-1]


def copy_of_view(emitter: Emitter, source: Value) -> Value:
    """A new array with the elements of a view, which may be of the memory that is written to."""
    kind = array_type(source)
    assert kind is not None
    kind_of_dtype(kind.dtype)
    target = Value(kind, "copy")
    plan = Plan(emitter.views, emitter.formulas)
    plan.add(Node(find("cast"), (source,), (target,), {"dtype": kind.dtype}))
    sizes = view_of(emitter, source, kind).sizes
    made = arrays.allocated(emitter, kind, sizes)
    unknown = [s for s, known in zip(sizes, kind.shape, strict=True) if not isinstance(known, int)]
    emitter.held[target] = (*made, *unknown)
    emitter.ownership.define(target, made[arrays.OBJECT])
    Nest(emitter, plan, {target: view_of(emitter, target, kind)}).write()
    return target
