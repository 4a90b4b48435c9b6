"""Writes to parts of arrays: `x[1:-1] = y` copies the elements of y into a part of x.

    x[1:-1] = y                        a kernel whose result is the part
    total = added_at(total, d, ...)    the same with the sum of the part and d

The result takes the memory of x if nothing else uses it, and a copy of x otherwise (`arrays.py`).
"""

import numpy as np

from runtime.engines.native import arrays
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.exits import Exit
from runtime.engines.native.kernels.nest import Nest
from runtime.engines.native.kernels.plan import Plan, array_type
from runtime.engines.native.kinds import TRUTH, NotLowered, kind_of_dtype
from runtime.engines.native.lowering import lowers
from runtime.engines.native.view_layout import View
from runtime.engines.native.views import is_simple, part_of, parts_of, view_of
from runtime.ir.graph import Node, Operand, Value, operand_type
from runtime.ir.op import find
from runtime.ir.types import TensorType


def is_part_write(node: Node) -> bool:
    """Whether a node writes or adds to a part of an array, which slices and integers select."""
    if node.op.name not in ("setitem", "added_at"):
        return False
    base, at = array_type(node.inputs[0]), node.attributes["at"]
    if base is None or not is_simple(at, node.inputs[2:]):
        return False
    parts = parts_of(at, base.ndim)
    return any(part is None or isinstance(part, slice) for part in parts)


def write_part(emitter: Emitter, node: Node) -> None:
    """The lowering of a write to a part."""
    value, kind = arrays.array_operand(emitter, node.inputs[0])
    source: Operand = node.inputs[1]
    is_sum = node.op.name == "added_at"
    if is_sum and not _is_summand(source, kind):
        raise NotLowered("numbers of another type are added to a part of an array")
    own = array_type(source)
    made = None
    if own is None:
        source = source if is_sum else _element(emitter, source, kind.dtype)
    elif source in emitter.views or source is value:
        assert isinstance(source, Value)
        source = made = Value(own, "copy")
        copy_view(emitter, node.inputs[1], made)
    arrays.unshare(emitter, node, value, kind)
    whole = view_of(emitter, node.output, kind)
    part = part_of(emitter, whole, node.attributes["at"], node.inputs[2:])
    if own is not None:
        assert isinstance(source, Value)
        _check_sizes(emitter, source, own, part)
    _store(emitter, source, part, kind, is_sum)
    if made is not None:
        emitter.ownership.drop(made)


def _store(emitter: Emitter, source: Operand, part: View, kind: TensorType, is_sum: bool) -> None:
    """Stores a source, or its sum with the elements that are there, in a part of an array."""
    sizes = [int(size) if size.isdigit() else None for size in part.sizes]
    type = TensorType(kind.dtype, tuple(sizes))
    before, target = Value(type, "before"), Value(type, "part")
    plan = Plan(emitter.views, emitter.formulas)
    if is_sum:
        emitter.views[before] = part
        plan.add(Node(find("add"), (before, source), (target,)))
    else:
        plan.add(Node(find("cast"), (source,), (target,), {"dtype": kind.dtype}))
    plan.split = max(plan.split, len(part.sizes) - max(1, part.contiguous))
    Nest(emitter, plan, {target: part}, list(part.sizes)).write()


def _is_summand(source: Operand, kind: TensorType) -> bool:
    """Whether numbers are added in the dtype of an array of floats."""
    type = operand_type(source)
    same = isinstance(type, TensorType) and type.dtype == kind.dtype
    return kind.dtype.kind == "f" and (same or not isinstance(source, Value))


def _element(emitter: Emitter, source: Operand, dtype: np.dtype) -> Value:
    """A scalar as an element of an array that it is assigned to."""
    kind = kind_of_dtype(dtype)
    register = arrays.stored(emitter, source, kind)
    if kind == TRUTH:
        register = emitter.text.register(f"icmp ne i8 {register}, 0")
    found = Value(TensorType(dtype, ()), "element")
    emitter.held[found] = (register,)
    return found


def _check_sizes(emitter: Emitter, source: Value, own: TensorType, part: View) -> None:
    """Leaves the piece if an array does not fit into a part of another."""
    if own.ndim > len(part.sizes):
        raise NotLowered("an array with more dimensions than the slice has no machine code")
    sizes = view_of(emitter, source, own).sizes
    for size, wanted in zip(sizes[::-1], part.sizes[::-1], strict=False):
        if size != wanted and size != "1":
            differ = emitter.text.register(f"icmp ne i64 {size}, {wanted}")
            emitter.text.leave_if(differ, Exit.SHAPE)


def copy_of_view(emitter: Emitter, source: Value) -> Value:
    """A new array with the elements of a view, which may be of the memory that is written to."""
    kind = array_type(source)
    assert kind is not None
    target = Value(kind, "copy")
    copy_view(emitter, source, target)
    return target


def copy_view(emitter: Emitter, source: Operand, target: Value) -> None:
    """Defines a value as a new array with the elements of another one."""
    kind = array_type(source)
    assert kind is not None and isinstance(source, Value)
    kind_of_dtype(kind.dtype)
    plan = Plan(emitter.views, emitter.formulas)
    plan.add(Node(find("cast"), (source,), (target,), {"dtype": kind.dtype}))
    sizes = view_of(emitter, source, kind).sizes
    made = arrays.allocated(emitter, kind, sizes)
    unknown = [s for s, known in zip(sizes, kind.shape, strict=True) if not isinstance(known, int)]
    emitter.held[target] = (*made, *unknown)
    emitter.ownership.define(target, made[arrays.OBJECT])
    Nest(emitter, plan, {target: view_of(emitter, target, kind)}).write()


def _is_in_rows(node: Node, view: View | None) -> bool:
    """Whether `np.copy` makes an array in C order."""
    _, *given = node.attributes["given"]
    order = dict(node.attributes["named"]).get("order", *given[:1] or ["K"])
    if order == "K" and view is not None:
        return not (view.is_grown or view.is_transposed)
    return order == "C" or order in ("A", "K") and view is None


@lowers("copy", "np_copy")
def copy(emitter: Emitter, node: Node) -> None:
    if len(node.inputs) != 1 or array_type(node.inputs[0]) is None:
        raise NotLowered("the copy has no machine code")
    view = emitter.views.get(node.inputs[0])
    if node.op.name == "np_copy" and not _is_in_rows(node, view):
        raise NotLowered("a copy in another order than that of rows has no machine code")
    if node.inputs[0] in emitter.views:
        copy_view(emitter, node.inputs[0], node.output)
    else:
        arrays.copy(emitter, node)
