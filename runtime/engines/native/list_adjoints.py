"""Lists of gradients: split from an array of all elements, and read from the end.

    d_xs = list_parted(d, xs, by="stack")     the memory of the list is a copy of that of `d`
    d_xs_1 = list_dropped(d_xs)               the same memory, one element shorter

A shorter list shares its memory with the one that it comes from, and with the elements that kernels
read there: whatever is changed later is changed in a copy, unless nothing else uses the memory.
"""

from runtime.engines.native import arrays
from runtime.engines.native.emitter import Emitter
from runtime.engines.native.exits import Exit
from runtime.engines.native.kinds import NotLowered, is_item, kind_of, kind_of_dtype
from runtime.engines.native.list_elements import copied_bytes, itemsize
from runtime.engines.native.list_memory import define, list_operand, made
from runtime.engines.native.lowering import lowers
from runtime.engines.native.views import view_of
from runtime.ir.graph import Node
from runtime.ir.types import PythonType, TensorType, Type


@lowers("list_dropped")
def list_dropped(emitter: Emitter, node: Node) -> None:
    text, owners = emitter.text, emitter.ownership
    value, element, held = list_operand(emitter, node.inputs[0], True)
    _check(element)
    is_empty = text.register(f"icmp eq i64 {held.length}, 0")
    shorter = text.register(f"sub i64 {held.length}, 1")
    length = text.register(f"select i1 {is_empty}, i64 0, i64 {shorter}")
    if owners.uses.is_live_after(value, node):
        owners.sole.discard(value)
        owners.share(held.object)
    else:
        owners.forget(value, owners.uses.place(node)[0])
        if value in owners.sole:
            owners.sole.add(node.output)
    owners.views.setdefault(node.output, []).extend(owners.views.get(value, ()))
    define(emitter, node.output, held._replace(length=length, origin="null"))


@lowers("list_parted")
def list_parted(emitter: Emitter, node: Node) -> None:
    text = emitter.text
    _, element, items = list_operand(emitter, node.inputs[1], True)
    _check(element)
    if not is_stack(node):
        raise NotLowered("only a stack of elements is split in machine code")
    whole, kind = arrays.array_type_of(node.inputs[0])
    view = view_of(emitter, whole, kind)
    is_dense = view.is_dense(kind.dtype.itemsize)
    if kind_of_dtype(kind.dtype) != _kind_of_numbers(element) or not is_dense:
        raise NotLowered(f"an array of type {kind} is not split in machine code")
    if view.sizes[0] != items.length:
        text.leave_if(text.register(f"icmp ne i64 {view.sizes[0]}, {items.length}"), Exit.SHAPE)
    found = made(emitter, node.output, element, items.length, None)
    size = text.register(f"mul i64 {items.length}, {itemsize(element)}")
    copied_bytes(text, found.data, view.address, size)


def is_stack(node: Node) -> bool:
    """Whether a node joins elements of a list along a new first axis, or undoes that."""
    given = dict(node.attributes["given"])
    return node.attributes["by"] == "stack" and given in ({}, {"axis": 0})


def _kind_of_numbers(element: Type) -> object:
    return kind_of_dtype(element.dtype) if isinstance(element, TensorType) else kind_of(element)


def _check(element: Type) -> None:
    """Raises `NotLowered` for lists of other elements than gradients have."""
    is_number = isinstance(element, PythonType | TensorType) and not getattr(element, "ndim", 0)
    if not is_item(element) and not (is_number and kind_of(element).is_float):
        raise NotLowered(f"the operation on a list of {element} has no machine code")
