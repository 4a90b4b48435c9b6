"""Bits, logic and comparisons, elementwise."""

import numpy as np

from runtime.export.onnx.elementwise import exact_float, inputs_of, is_python
from runtime.export.onnx.rules import lowers
from runtime.export.onnx.writer import BOOL, INT64, Writer
from runtime.ir.graph import Node, operand_type


@lowers("bitwise_and", "bitwise_or", "bitwise_xor")
def bits(writer: Writer, node: Node) -> str:
    """Bits; of bools, logic."""
    names, dtype = inputs_of(writer, node)
    # op names: the operations of ONNX
    word = {"bitwise_and": "And", "bitwise_or": "Or", "bitwise_xor": "Xor"}[node.op.name]
    return writer.node(word if dtype == BOOL else f"Bitwise{word}", *names)


@lowers("invert")
def invert(writer: Writer, node: Node) -> str:
    """Inverted bits."""
    (x,), dtype = inputs_of(writer, node)
    return writer.node("Not" if dtype == BOOL else "BitwiseNot", x)


@lowers("logical_and", "logical_or", "logical_xor")
def logic(writer: Writer, node: Node) -> str:
    """Logic of truth values."""
    names = [writer.cast(operand, BOOL) for operand in node.inputs]
    # op names: the operations of ONNX
    word = {"logical_and": "And", "logical_or": "Or", "logical_xor": "Xor"}[node.op.name]
    return writer.node(word, *names)


@lowers("logical_not")
def logical_not(writer: Writer, node: Node) -> str:
    """The negated truth value."""
    return writer.node("Not", writer.cast(node.inputs[0], BOOL))


# op names: the operations of ONNX
COMPARISONS = {
    "equal": "Equal", "not_equal": "Equal", "less": "Less", "less_equal": "LessOrEqual",
    "greater": "Greater", "greater_equal": "GreaterOrEqual",
}  # fmt: skip


@lowers(*COMPARISONS)
def comparison(writer: Writer, node: Node) -> str:
    """A comparison, which compares integers exactly."""
    names = _compared(writer, node)
    found = writer.node(COMPARISONS[node.op.name], *names)
    return writer.node("Not", found) if node.op.name == "not_equal" else found


def _compared(writer: Writer, node: Node) -> list[str]:
    """The operands of a comparison, in a dtype in which they compare as in NumPy."""
    kinds = [operand_type(operand) for operand in node.inputs]
    letters = {kind.dtype.kind for kind in kinds}
    if letters <= set("biu"):
        if letters == {"b"} and node.op.name in ("equal", "not_equal"):
            return [writer.cast(operand, BOOL) for operand in node.inputs]
        if not any(kind.dtype == np.uint64 for kind in kinds):
            return [writer.cast(operand, INT64) for operand in node.inputs]
        if {kind.dtype for kind in kinds} != {np.dtype(np.uint64)}:
            why = "NumPy compares such integers exactly, and ONNX has no type for both."
            writer.refuse(node, "it compares an unsigned 64-bit integer with a signed one", why)
        return [writer.read(operand) for operand in node.inputs]
    if is_python(node):
        return [exact_float(writer, operand) for operand in node.inputs]
    return inputs_of(writer, node)[0]
