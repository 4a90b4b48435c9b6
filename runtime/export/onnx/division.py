"""Floor division and remainders, with NumPy's results for negative operands, zero and infinity."""

import numpy as np

from runtime.export.onnx.elementwise import inputs_of, is_python, is_python_int, nonzero
from runtime.export.onnx.rules import lowers
from runtime.export.onnx.writer import Writer
from runtime.ir.graph import Node


@lowers("floor_divide")
def floor_divide(writer: Writer, node: Node) -> str:
    """The quotient, rounded towards minus infinity."""
    return _divided(writer, node)[0]


@lowers("remainder")
def remainder(writer: Writer, node: Node) -> str:
    """The remainder, with the sign of the divisor."""
    return _divided(writer, node)[1]


@lowers("divmod")
def divmod_(writer: Writer, node: Node) -> list[str]:
    """Both."""
    return list(_divided(writer, node))


def _divided(writer: Writer, node: Node) -> tuple[str, str]:
    (x, y), dtype = inputs_of(writer, node)
    y = nonzero(writer, node, y, dtype)
    if dtype.kind == "f":
        return _of_floats(writer, x, y, dtype)
    if is_python(node) and is_python_int(node):
        low = writer.constant(-(2**63), dtype)
        x = writer.require(x, writer.node("Greater", x, low))
    return _of_integers(writer, x, y, dtype)


def _of_integers(writer: Writer, x: str, y: str, dtype: np.dtype) -> tuple[str, str]:
    """Quotient and remainder; both are 0 for a divisor of 0, which must not reach `Div`.

    Neither does -1, for which processors refuse the smallest integer.
    """
    zero, one = writer.constant(0, dtype), writer.constant(1, dtype)
    is_zero = writer.node("Equal", y, zero)
    is_special = is_zero
    if dtype.kind == "i":
        is_minus = writer.node("Equal", y, writer.constant(-1, dtype))
        is_special = writer.node("Or", is_zero, is_minus)
    safe = writer.node("Where", is_special, one, y)
    quotient = writer.node("Div", x, safe)
    rest = writer.node("Sub", x, writer.node("Mul", quotient, safe))
    if dtype.kind == "i":
        differ = writer.node(
            "Xor", writer.node("Less", rest, zero), writer.node("Less", safe, zero)
        )
        is_inexact = writer.node("Not", writer.node("Equal", rest, zero))
        is_below = writer.node("And", is_inexact, differ)
        quotient = writer.node("Where", is_below, writer.node("Sub", quotient, one), quotient)
        rest = writer.node("Where", is_below, writer.node("Add", rest, safe), rest)
        quotient = writer.node("Where", is_minus, writer.node("Sub", zero, x), quotient)
    return writer.node("Where", is_zero, zero, quotient), rest


def _of_floats(writer: Writer, x: str, y: str, dtype: np.dtype) -> tuple[str, str]:
    """Quotient and remainder by the remainder of truncated division, as C's fmod computes it."""
    zero, one = writer.constant(0.0, dtype), writer.constant(1.0, dtype)
    truncated = writer.node("Mod", x, y, fmod=1)
    quotient = writer.node("Div", writer.node("Sub", x, truncated), y)
    is_exact = writer.node("Equal", truncated, zero)
    is_negative = writer.node("Less", y, zero)
    differ = writer.node("Xor", writer.node("Less", truncated, zero), is_negative)
    is_below = writer.node("And", writer.node("Not", is_exact), differ)
    rest = writer.node("Where", is_below, writer.node("Add", truncated, y), truncated)
    signed_zero = writer.node("Where", is_negative, writer.constant(-0.0, dtype), zero)
    rest = writer.node("Where", is_exact, signed_zero, rest)
    quotient = writer.node("Where", is_below, writer.node("Sub", quotient, one), quotient)
    floor = writer.node("Floor", quotient)
    above = writer.node("Greater", writer.node("Sub", quotient, floor), writer.constant(0.5, dtype))
    floor = writer.node("Where", above, writer.node("Add", floor, one), floor)
    plain = writer.node("Div", x, y)
    is_nothing = writer.node("Equal", quotient, zero)
    floor = writer.node("Where", is_nothing, writer.node("Mul", plain, zero), floor)
    by_zero = writer.node("Equal", y, zero)
    nan = writer.constant(np.nan, dtype)
    return writer.node("Where", by_zero, plain, floor), writer.node("Where", by_zero, nan, rest)
