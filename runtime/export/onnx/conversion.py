"""Conversions to other dtypes, to Python scalars and to truth values; arrays that are created."""

import numpy as np

from runtime.export.onnx.elementwise import exact_float, is_python
from runtime.export.onnx.kinds import ELEMENTS
from runtime.export.onnx.rules import lowers
from runtime.export.onnx.shapes import expanded
from runtime.export.onnx.writer import BOOL, FLOAT64, INT64, Writer
from runtime.ir.graph import Node, Value, operand_type
from runtime.ir.types import ListType, TensorType


@lowers("cast")
def cast(writer: Writer, node: Node) -> str:
    """The elements in another dtype; floats are truncated to integers."""
    (x,) = node.inputs
    dtype = np.dtype(node.attributes["dtype"])
    if operand_type(x).dtype.kind == "f" and dtype.kind in "iu" and isinstance(x, Value):
        return writer.to(_in_bounds(writer, x, dtype), x.type.dtype, dtype)
    return writer.cast(x, dtype)


def _in_bounds(writer: Writer, x: Value, dtype: np.dtype) -> str:
    """Floats that have an integer; others, for which NumPy warns and results vary, end the run."""
    name, given = writer.read(x), x.type.dtype
    bounds = np.iinfo(dtype)
    wide = writer.to(name, given, FLOAT64)
    low = writer.node("Greater", wide, writer.constant(float(bounds.min) - 1.0, FLOAT64))
    if bounds.min == -(2**63):
        low = writer.node("GreaterOrEqual", wide, writer.constant(-(2.0**63), FLOAT64))
    high = writer.node("Less", wide, writer.constant(float(bounds.max) + 1.0, FLOAT64))
    if x.type.ndim == 0:
        return writer.require(name, writer.node("And", low, high))
    wrong = writer.to(writer.node("Not", writer.node("And", low, high)), BOOL, INT64)
    count = writer.node("ReduceSum", wrong, keepdims=0)
    return writer.require(name, writer.node("Equal", count, writer.constant(0)))


def scalar(writer: Writer, node: Node) -> str:
    """The operand, of one element, without dimensions."""
    (x,) = node.inputs
    name = writer.read(x)
    if operand_type(x).ndim:
        return writer.node("Reshape", name, writer.constant([], INT64))
    return name


@lowers("truth", "not_")
def truth(writer: Writer, node: Node) -> str:
    """The truth value, or its negation."""
    kind = operand_type(node.inputs[0])
    if isinstance(kind, ListType):
        length = writer.node("SequenceLength", writer.read(node.inputs[0]))
        found = writer.node("Greater", length, writer.constant(0))
    else:
        found = writer.to(scalar(writer, node), kind.dtype, BOOL)
    return writer.node("Not", found) if node.op.name == "not_" else found


@lowers("number")
def number(writer: Writer, node: Node) -> str:
    """A Python scalar; a float that is no integer of 64 bits ends the run of `int(x)`."""
    (x,) = node.inputs
    given, wanted = operand_type(x).dtype, node.attributes["type"].dtype
    name = scalar(writer, node)
    if wanted == INT64 and given == np.uint64:
        name = writer.require(
            name, writer.node("LessOrEqual", name, writer.constant(2**63 - 1, given))
        )
    if wanted == INT64 and given.kind == "f":
        wide = writer.to(name, given, FLOAT64)
        low = writer.node("GreaterOrEqual", wide, writer.constant(-(2.0**63), FLOAT64))
        high = writer.node("Less", wide, writer.constant(2.0**63, FLOAT64))
        name = writer.require(name, writer.node("And", low, high))
    if wanted == FLOAT64 and is_python(node) and given == INT64:
        return exact_float(writer, x)
    return writer.to(name, given, wanted)


# -- arrays that are created -----------------------------------------------------------------------


@lowers("constant")
def constant(writer: Writer, node: Node) -> str:
    """A constant."""
    value = np.ascontiguousarray(node.attributes["value"])
    shape = np.shape(node.attributes["value"])
    return writer.model.constant(value.reshape(shape), is_operand=True)


@lowers("zero", "unreachable")
def zero(writer: Writer, node: Node) -> str:
    """A placeholder."""
    kind = node.outputs[0].type
    if isinstance(kind, ListType):
        return writer.node("SequenceEmpty", dtype=ELEMENTS[kind.element.dtype])
    shape = tuple(size if isinstance(size, int) else 0 for size in kind.shape)
    return writer.model.constant(np.zeros(shape, kind.dtype))


@lowers("full")
def full(writer: Writer, node: Node) -> str:
    """An array filled with one value."""
    value, *sizes = node.inputs
    shape = _listed(node.attributes["shape"])
    name = writer.cast(value, node.outputs[0].type.dtype)
    return expanded(writer, name, operand_type(value), writer.row(shape, sizes), shape)


def _listed(shape):
    return [shape] if isinstance(shape, int) else list(shape)


@lowers("arange")
def arange(writer: Writer, node: Node) -> str:
    """Evenly spaced integers; floats, which NumPy computes by its own formula, are refused."""
    if any(operand_type(operand).dtype.kind == "f" for operand in node.inputs):
        why = "ONNX may compute one element more or less."
        writer.refuse(node, "it uses arange with floats", why, "Multiply np.arange(n) by the step.")
    names = [
        writer.node("Reshape", writer.cast(operand, INT64), writer.constant([], INT64))
        for operand in node.inputs
    ]
    return writer.to(writer.node("Range", *names), INT64, node.outputs[0].type.dtype)


@lowers("zero_like")
def zero_like(writer: Writer, node: Node) -> str:
    """Zeros like a tensor."""
    kind = node.outputs[0].type
    if not isinstance(kind, TensorType) or not kind.shape:
        if isinstance(kind, ListType):
            writer.refuse(node, "it needs zeros like a list", "ONNX has no such operation.")
        return writer.constant(0, kind.dtype)
    shape = writer.node("Shape", writer.read(node.inputs[0]))
    return writer.node("Expand", writer.constant(0, kind.dtype), shape)
