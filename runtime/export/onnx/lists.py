"""Lists of tensors, as sequences."""

import numpy as np

from runtime.export.onnx.kinds import ELEMENTS
from runtime.export.onnx.rules import lowers
from runtime.export.onnx.writer import INT64, Writer
from runtime.ir.graph import Node, operand_type


def index_of(writer: Writer, node: Node) -> str:
    """The index of an element, the second operand."""
    return writer.cast(node.inputs[1], INT64)


def _element(node: Node):
    return operand_type(node.inputs[0]).element


@lowers("list_new")
def list_new(writer: Writer, node: Node) -> str:
    """A list of the operands."""
    kind = node.attributes["element"]
    if not node.inputs:
        return writer.node("SequenceEmpty", dtype=ELEMENTS[kind.dtype])
    names = [writer.converted(operand, kind) for operand in node.inputs]
    return writer.node("SequenceConstruct", *names)


@lowers("list_append")
def list_append(writer: Writer, node: Node) -> str:
    """The list with one element more."""
    items, item = node.inputs
    return writer.node("SequenceInsert", writer.read(items), writer.converted(item, _element(node)))


@lowers("list_length")
def list_length(writer: Writer, node: Node) -> str:
    """The length."""
    return writer.node("SequenceLength", writer.read(node.inputs[0]))


@lowers("list_get")
def list_get(writer: Writer, node: Node) -> str:
    """The element at an index; one outside of the list ends the run."""
    return writer.node("SequenceAt", writer.read(node.inputs[0]), index_of(writer, node))


@lowers("list_pop")
def list_pop(writer: Writer, node: Node) -> list[str]:
    """The list without an element, and the element."""
    items, index = writer.read(node.inputs[0]), index_of(writer, node)
    item = writer.node("SequenceAt", items, index)
    return [writer.node("SequenceErase", items, index), item]


def replaced(writer: Writer, items: str, index: str, item: str) -> str:
    """The list with the element at an index replaced."""
    length = writer.node("SequenceLength", items)
    is_negative = writer.node("Less", index, writer.constant(0))
    place = writer.node("Where", is_negative, writer.node("Add", index, length), index)
    return writer.node("SequenceInsert", writer.node("SequenceErase", items, index), item, place)


@lowers("list_set")
def list_set(writer: Writer, node: Node) -> str:
    """The list with an element replaced."""
    items, _, item = node.inputs
    new = writer.converted(item, _element(node))
    return replaced(writer, writer.read(items), index_of(writer, node), new)


@lowers("list_add_at")
def list_add_at(writer: Writer, node: Node) -> str:
    """The list with a value added to an element."""
    items, index = writer.read(node.inputs[0]), index_of(writer, node)
    old = writer.node("SequenceAt", items, index)
    new = writer.node("Add", old, writer.converted(node.inputs[2], _element(node)))
    return replaced(writer, items, index, new)


@lowers("list_zero_at")
def list_zero_at(writer: Writer, node: Node) -> str:
    """The list with a zero in place of an element."""
    items, index = writer.read(node.inputs[0]), index_of(writer, node)
    shape = writer.node("Shape", writer.node("SequenceAt", items, index))
    zero = writer.node("Expand", writer.constant(0, _element(node).dtype), shape)
    return replaced(writer, items, index, zero)


@lowers("list_dropped")
def list_dropped(writer: Writer, node: Node) -> str:
    """The list without its last element."""
    return writer.node("SequenceErase", writer.read(node.inputs[0]), writer.constant(-1))


@lowers("list_stack")
def list_stack(writer: Writer, node: Node) -> str:
    """The elements as one array, which has no rows if there are none."""
    kind, given = node.outputs[0].type, _element(node)
    if node.inputs[0] in writer.model.stacked:
        return writer.to(writer.model.stacked[node.inputs[0]][0], given.dtype, kind.dtype)
    items = writer.read(node.inputs[0])
    length = writer.node("SequenceLength", items)
    stacked, empty = writer.region(), writer.region()
    joined = stacked.node("ConcatFromSequence", items, axis=0, new_axis=1)
    joined = stacked.to(joined, given.dtype, kind.dtype)
    shape = (0, *(0 if size is None else size for size in node.attributes["element"].shape))
    nothing = empty.constant(np.zeros(shape), kind.dtype)
    is_filled = writer.node("Greater", length, writer.constant(0))
    return writer.node(
        "If",
        is_filled,
        then_branch=stacked.graph("stacked", [], [(joined, kind)]),
        else_branch=empty.graph("empty", [], [(nothing, kind)]),
    )


@lowers("list_of")
def list_of(writer: Writer, node: Node) -> str:
    """The subarrays along the first axis."""
    return writer.node("SplitToSequence", writer.read(node.inputs[0]), axis=0, keepdims=0)


@lowers("list_joined")
def list_joined(writer: Writer, node: Node) -> str:
    """The elements joined to an array by a function of NumPy."""
    kind, by = _element(node), node.attributes["by"]
    options = dict(node.attributes["given"])
    axis = options.pop("axis", 0)
    if by in ("vstack", "hstack"):
        axis = int(by == "hstack" and kind.ndim > 1)
    is_known = by in ("stack", "concatenate") or (by == "vstack" and kind.ndim > 1)
    if options or axis is None or not (is_known or (by == "hstack" and kind.ndim)):
        why = "ONNX joins tensors of one rank along an axis."
        writer.refuse(node, f"it uses {by} of a list", why, "Use np.stack or np.concatenate.")
    if node.inputs[0] in writer.model.stacked:
        stacked, has_rows = writer.model.stacked[node.inputs[0]]
        return stacked if has_rows is None else writer.require(stacked, has_rows)
    new = int(by == "stack")
    items = writer.read(node.inputs[0])
    return writer.node("ConcatFromSequence", items, axis=axis, new_axis=new)
