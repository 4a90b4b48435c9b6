"""Elementwise ops, with NumPy's dtypes (NEP 50), and Python's meaning for Python scalars."""

from typing import Any

import numpy as np

from runtime.export.onnx.rules import lowers
from runtime.export.onnx.writer import BOOL, FLOAT64, INT64, Writer
from runtime.ir.graph import Node, Operand, Value, operand_type
from runtime.ir.types import PythonType

# op names: those of which each is one operation of ONNX
UNARY = {
    "sqrt": "Sqrt", "exp": "Exp", "log": "Log", "sin": "Sin", "cos": "Cos", "tan": "Tan",
    "arcsin": "Asin", "arccos": "Acos", "arctan": "Atan", "sinh": "Sinh", "cosh": "Cosh",
    "tanh": "Tanh", "arcsinh": "Asinh", "arccosh": "Acosh", "arctanh": "Atanh",
}  # fmt: skip
# op names: angles, with their factors
FACTORS = {
    "degrees": 180 / np.pi, "rad2deg": 180 / np.pi,
    "radians": np.pi / 180, "deg2rad": np.pi / 180,
}  # fmt: skip
# op names: those whose result is the operand
SAME = (
    "positive", "copy", "box", "stored", "relax", "alias", "stop_gradient", "recomputed", "real",
    "conjugate", "option", "numpys",
)  # fmt: skip


def is_python(node: Node) -> bool:
    """Whether all operands are Python scalars, so that the op has Python's meaning."""
    return all(isinstance(operand_type(operand), PythonType) for operand in node.inputs)


def result_dtype(node: Node) -> np.dtype:
    """The dtype of the result."""
    return node.outputs[0].type.dtype


def inputs_of(writer: Writer, node: Node) -> tuple[list[str], np.dtype]:
    """The operands, converted to the dtype in which NumPy computes the op, and that dtype."""
    kinds = [operand_type(operand) for operand in node.inputs]
    rule = node.op.infer
    if is_python(node) and (node.op.traits.comparison or hasattr(rule, "ufunc")):
        dtype = np.result_type(*(kind.dtype for kind in kinds), *node_dtypes(node))
    else:
        ufunc = getattr(rule, "ufunc", None) or node.op.numpy
        weak = is_python(node)
        given = [
            kind.dtype if weak or kind.dtype == BOOL or not isinstance(kind, PythonType)
            else kind.kind for kind in kinds
        ]  # fmt: skip
        dtype = ufunc.resolve_dtypes((*given, *[None] * ufunc.nout))[0]
    return [writer.cast(operand, dtype) for operand in node.inputs], dtype


def node_dtypes(node: Node) -> list[np.dtype]:
    """The dtypes of results that are numbers; comparisons compute in those of their operands."""
    return [] if node.op.traits.comparison else [value.type.dtype for value in node.outputs]


def literal_of(operand: Operand) -> Any:
    """The value of a Python scalar that the graph holds; None for other operands."""
    return None if isinstance(operand, Value) else operand


# -- Python ints -----------------------------------------------------------------------------------

MOST = 2**63 - 1
SAFE = 9.2e18  # floats below it are integers that fit into 64 bits, in spite of their rounding


def is_python_int(node: Node) -> bool:
    """Whether the result is a Python int, which must not wrap."""
    return isinstance(node.outputs[0].type, PythonType) and result_dtype(node) == INT64


def checked(writer: Writer, node: Node, operator: str, names: list[str]) -> str:
    """A sum, difference or product of Python ints; one beyond 64 bits ends the run."""
    found = writer.node(operator, *names)
    if not is_python_int(node):
        return found
    as_floats = [writer.to(name, INT64, FLOAT64) for name in names]
    size = writer.node("Abs", writer.node(operator, *as_floats))
    return writer.require(found, writer.node("Less", size, writer.constant(SAFE, FLOAT64)))


def nonzero(writer: Writer, node: Node, divisor: str, dtype: np.dtype) -> str:
    """The divisor; zero ends the run if the operands are Python scalars."""
    if not is_python(node):
        return divisor
    is_zero = writer.node("Equal", divisor, writer.constant(0, dtype))
    return writer.require(divisor, writer.node("Not", is_zero))


# -- arithmetic ------------------------------------------------------------------------------------


@lowers(*SAME)
def same(writer: Writer, node: Node) -> str:
    """The operand."""
    return writer.converted(node.inputs[0], node.outputs[0].type)


@lowers("add", "multiply", "subtract")
def ring(writer: Writer, node: Node) -> str:
    """Sums, differences, products; of bools, `or` and `and`."""
    names, dtype = inputs_of(writer, node)
    if dtype == BOOL:
        return writer.node({"add": "Or", "multiply": "And"}[node.op.name], *names)
    # op names: the operations of ONNX
    operator = {"add": "Add", "multiply": "Mul", "subtract": "Sub"}[node.op.name]
    return checked(writer, node, operator, names)


@lowers("accumulated")
def accumulated(writer: Writer, node: Node) -> str:
    """The sum, with the dtype of the first operand."""
    dtype = result_dtype(node)
    return writer.node("Add", *(writer.cast(operand, dtype) for operand in node.inputs))


@lowers("scaled", "jointly_scaled")
def scaled(writer: Writer, node: Node) -> str:
    """The product; zero where a cotangent is zero and the other operand is infinite or nan."""
    (x, y), dtype = inputs_of(writer, node)
    product = writer.node("Mul", x, y)
    if dtype.kind != "f":
        return product
    zero = writer.constant(0, dtype)
    is_zero = writer.node("Equal", x, zero)
    if node.op.name == "jointly_scaled":
        is_zero = writer.node("Or", is_zero, writer.node("Equal", y, zero))
    is_void = writer.node("And", is_zero, writer.node("IsNaN", product))
    return writer.node("Where", is_void, zero, product)


@lowers("divide")
def divide(writer: Writer, node: Node) -> str:
    """The quotient of floats."""
    if is_python(node):
        names = [exact_float(writer, operand) for operand in node.inputs]
        return writer.node("Div", names[0], nonzero(writer, node, names[1], FLOAT64))
    names, _ = inputs_of(writer, node)
    return writer.node("Div", *names)


def exact_float(writer: Writer, operand: Operand) -> str:
    """A Python scalar as a float; an int that is not exact as a float ends the run."""
    name = writer.read(operand)
    dtype = operand_type(operand).dtype
    if dtype == INT64:
        name = writer.require(name, writer.within(name, -(2**53), 2**53))
    return writer.to(name, dtype, FLOAT64)


@lowers("negative")
def negative(writer: Writer, node: Node) -> str:
    """The negation, which wraps for unsigned integers."""
    (x,), dtype = inputs_of(writer, node)
    if dtype.kind == "u":
        return writer.node("Sub", writer.constant(0, dtype), x)
    if is_python_int(node):
        x = writer.require(x, writer.node("Greater", x, writer.constant(-MOST - 1)))
    return writer.node("Neg", x)


@lowers("absolute", "fabs")
def absolute(writer: Writer, node: Node) -> str:
    """The absolute value."""
    (x,), dtype = inputs_of(writer, node)
    if dtype.kind in "bu":
        return x
    if is_python_int(node):
        x = writer.require(x, writer.node("Greater", x, writer.constant(-MOST - 1)))
    return writer.node("Abs", x)


@lowers("square")
def square(writer: Writer, node: Node) -> str:
    """The product with itself."""
    (x,), _ = inputs_of(writer, node)
    return writer.node("Mul", x, x)


@lowers("reciprocal")
def reciprocal(writer: Writer, node: Node) -> str:
    """The reciprocal of floats."""
    (x,), dtype = inputs_of(writer, node)
    if dtype.kind != "f":
        writer.refuse(node, "it uses reciprocal of integers", "ONNX ends a run that divides by 0.")
    return writer.node("Div", writer.constant(1, dtype), x)


@lowers("pow", "power")
def power(writer: Writer, node: Node) -> str:
    """Powers of floats; of integers, powers with small constant exponents."""
    base, exponent = node.inputs
    number, kind = literal_of(exponent), operand_type(base).dtype.kind
    if number == 2 and type(number) is int and kind in "iuf":
        (x, _), _ = inputs_of(writer, node)
        return checked(writer, node, "Mul", [x, x])
    if is_python(node) or result_dtype(node).kind != "f":
        writer.refuse(
            node,
            "it uses a power of integers or Python numbers",
            "Such powers may raise exceptions, or have more than 64 bits.",
            "Write products, or use arrays of floats.",
        )
    names, dtype = inputs_of(writer, node)
    return writer.node("Sqrt", names[0]) if number == 0.5 else writer.node("Pow", *names)


# -- functions -------------------------------------------------------------------------------------


@lowers(*UNARY)
def function(writer: Writer, node: Node) -> str:
    """A function that is one operation of ONNX."""
    (x,), _ = inputs_of(writer, node)
    return writer.node(UNARY[node.op.name], x)


@lowers(*FACTORS)
def scaled_angle(writer: Writer, node: Node) -> str:
    """Angles in another unit."""
    (x,), dtype = inputs_of(writer, node)
    return writer.node("Mul", x, writer.constant(FACTORS[node.op.name], dtype))


@lowers("sign")
def sign(writer: Writer, node: Node) -> str:
    """-1, 0 or 1; nan for nan."""
    (x,), dtype = inputs_of(writer, node)
    found = writer.node("Sign", x)
    return writer.node("Where", writer.node("IsNaN", x), x, found) if dtype.kind == "f" else found


@lowers("hypot")
def hypot(writer: Writer, node: Node) -> str:
    """sqrt(x**2 + y**2), without overflow: the larger operand times sqrt(1 + ratio**2)."""
    (x, y), dtype = inputs_of(writer, node)
    one, zero = writer.constant(1, dtype), writer.constant(0, dtype)
    x, y = writer.node("Abs", x), writer.node("Abs", y)
    is_first = writer.node("GreaterOrEqual", x, y)
    large, small = writer.node("Where", is_first, x, y), writer.node("Where", is_first, y, x)
    divisor = writer.node("Where", writer.node("Equal", large, zero), one, large)
    ratio = writer.node("Div", small, divisor)
    root = writer.node("Sqrt", writer.node("Add", one, writer.node("Mul", ratio, ratio)))
    infinity = writer.constant(np.inf, dtype)
    is_infinite = writer.node(
        "Or", writer.node("Equal", x, infinity), writer.node("Equal", y, infinity)
    )
    return writer.node("Where", is_infinite, infinity, writer.node("Mul", large, root))


@lowers("expm1")
def expm1(writer: Writer, node: Node) -> str:
    """exp(x) - 1, accurate near zero: (u - 1) * x / log(u) for u = exp(x) (Kahan)."""
    (x,), dtype = inputs_of(writer, node)
    one, u = writer.constant(1, dtype), writer.node("Exp", x)
    less = writer.node("Sub", u, one)
    near = writer.node("Div", writer.node("Mul", less, x), writer.node("Log", u))
    size = writer.node("Abs", x)
    is_near = writer.node("Less", size, one)
    found = writer.node("Where", is_near, near, less)
    return writer.node("Where", writer.node("Equal", u, one), x, found)


@lowers("log1p")
def log1p(writer: Writer, node: Node) -> str:
    """log(1 + x), accurate near zero: log(u) * x / (u - 1) for u = 1 + x (Kahan)."""
    (x,), dtype = inputs_of(writer, node)
    one = writer.constant(1, dtype)
    u = writer.node("Add", one, x)
    log = writer.node("Log", u)
    near = writer.node("Div", writer.node("Mul", log, x), writer.node("Sub", u, one))
    is_near = writer.node("Less", writer.node("Abs", x), one)
    found = writer.node("Where", is_near, near, log)
    return writer.node("Where", writer.node("Equal", u, one), x, found)


@lowers("floor", "ceil", "rint", "trunc")
def rounded(writer: Writer, node: Node) -> str:
    """Rounding to integers; integers stay as they are."""
    (x,), dtype = inputs_of(writer, node)
    if dtype.kind != "f":
        return x
    if node.op.name == "trunc":
        is_negative = writer.node("Less", x, writer.constant(0, dtype))
        return writer.node("Where", is_negative, writer.node("Ceil", x), writer.node("Floor", x))
    # op names: the operations of ONNX
    return writer.node({"floor": "Floor", "ceil": "Ceil", "rint": "Round"}[node.op.name], x)


@lowers("isnan", "isinf", "isfinite")
def is_special(writer: Writer, node: Node) -> str:
    """Tests for nan and infinity."""
    operand = node.inputs[0]
    dtype = operand_type(operand).dtype
    x = writer.cast(operand, dtype if dtype.kind == "f" else FLOAT64)
    dtype = dtype if dtype.kind == "f" else FLOAT64
    if node.op.name == "isnan":
        return writer.node("IsNaN", x)
    is_infinite = writer.node("Equal", writer.node("Abs", x), writer.constant(np.inf, dtype))
    if node.op.name == "isinf":
        return is_infinite
    return writer.node("Not", writer.node("Or", writer.node("IsNaN", x), is_infinite))


# -- maxima and choices ----------------------------------------------------------------------------


@lowers("maximum", "minimum", "fmax", "fmin")
def extreme(writer: Writer, node: Node) -> str:
    """The larger or smaller operand; nan if either is nan, for fmax and fmin if both are."""
    (x, y), dtype = inputs_of(writer, node)
    is_larger = node.op.name in ("maximum", "fmax")
    if dtype == BOOL:
        return writer.node("Or" if is_larger else "And", x, y)
    first = writer.node("GreaterOrEqual" if is_larger else "LessOrEqual", x, y)
    if dtype.kind == "f":
        decisive = x if node.op.name in ("maximum", "minimum") else y
        first = writer.node("Or", first, writer.node("IsNaN", decisive))
    return writer.node("Where", first, x, y)


@lowers("where")
def where(writer: Writer, node: Node) -> str:
    """Elements of one of two operands."""
    condition, x, y = node.inputs
    dtype = result_dtype(node)
    return writer.node(
        "Where", writer.cast(condition, BOOL), writer.cast(x, dtype), writer.cast(y, dtype)
    )
