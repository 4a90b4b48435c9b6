"""Functions of NumPy and `math` that graphs call as they are, as operations of ONNX.

Their arguments are templates: `given` has slots for the operands, and constants.
"""

from typing import Any

import numpy as np

from runtime.export.onnx.reductions import reduced
from runtime.export.onnx.rules import lowers
from runtime.export.onnx.shapes import expanded
from runtime.export.onnx.writer import Writer
from runtime.ir.graph import Node, Operand, operand_type
from runtime.ir.slot import Slot

# Functions of `math`, with the operation, and the arguments for which Python raises ValueError.
OF_MATH = {  # op names: an operation for each
    "math_sqrt": "Sqrt",
    "math_sin": "Sin",
    "math_cos": "Cos",
}


def _argument(node: Node, number: int) -> Any:
    """A positional argument: an operand of the node, or a constant; None if there is none."""
    given = node.attributes["given"]
    if number >= len(given):
        return None
    found = given[number]
    return node.inputs[found.index] if isinstance(found, Slot) else found


def _options(writer: Writer, node: Node, *known: str) -> dict[str, Any]:
    """The keyword arguments; those that are not known are refused."""
    named = dict(node.attributes["named"])
    wrong = sorted(set(named) - set(known))
    if wrong or any(isinstance(value, Slot) for value in named.values()):
        shown = ", ".join(f"{name}=" for name in wrong or named)
        why = "The export has no rule for this argument."
        writer.refuse(node, f"it uses {node.op.users_name or node.op.name} with {shown}", why)
    return named


@lowers("linalg_norm")
def norm(writer: Writer, node: Node) -> str:
    """The root of the sum of squares, of all elements or along axes."""
    if len(node.attributes["given"]) > 1:
        writer.refuse(node, "it uses linalg.norm with ord=", "The export has no rule for it.")
    named = _options(writer, node, "axis", "keepdims")
    dtype = node.outputs[0].type.dtype
    name = writer.cast(node.inputs[0], dtype)
    squares = writer.node("Mul", name, name)
    count = operand_type(node.inputs[0]).ndim
    keeps = bool(named.get("keepdims", False))
    return writer.node("Sqrt", reduced(writer, squares, named.get("axis"), count, keeps))


@lowers("full_like")
def full_like(writer: Writer, node: Node) -> str:
    """An array of the sizes of another one, filled with a value."""
    _options(writer, node)
    value: Operand = _argument(node, 1)
    name = writer.cast(value, node.outputs[0].type.dtype)
    sizes = writer.node("Shape", writer.read(node.inputs[0]))
    shape = list(operand_type(node.inputs[0]).shape)
    return expanded(writer, name, operand_type(value), sizes, shape)


@lowers("clip")
def clip(writer: Writer, node: Node) -> str:
    """The elements, within bounds; nan stays, and a bound that is nan gives nan."""
    _options(writer, node)
    dtype = node.outputs[0].type.dtype
    found = writer.cast(node.inputs[0], dtype)
    for number, beyond in ((1, "Less"), (2, "Greater")):
        bound = _argument(node, number)
        if bound is None:
            continue
        limit = writer.cast(bound, dtype)
        is_beyond = writer.node(beyond, found, limit)
        if dtype.kind == "f":
            is_beyond = writer.node("Or", is_beyond, writer.node("IsNaN", limit))
            is_beyond = writer.node(
                "And", is_beyond, writer.node("Not", writer.node("IsNaN", found))
            )
        found = writer.node("Where", is_beyond, limit, found)
    return found


@lowers(*OF_MATH)
def of_math(writer: Writer, node: Node) -> str:
    """A function of one number; where Python raises ValueError, the run ends."""
    name = writer.cast(node.inputs[0], np.dtype(np.float64))
    if node.op.name == "math_sqrt":
        wrong = writer.node("Less", name, writer.constant(0.0, np.float64))
    else:
        wrong = writer.node("IsInf", name)
    number = writer.require(name, writer.node("Not", wrong))
    return writer.node(OF_MATH[node.op.name], number)
