"""Reductions and cumulative sums, with NumPy's dtypes, and its results for nan and no elements."""

import numpy as np

from runtime.export.onnx.rules import lowers
from runtime.export.onnx.shapes import axes_of, flattened, is_known
from runtime.export.onnx.writer import BOOL, INT64, Writer
from runtime.ir.graph import Node, operand_type


class _Reduction:
    """The operand, axes and options of a reduction."""

    def __init__(self, writer: Writer, node: Node):
        self.writer = writer
        self.kind = operand_type(node.inputs[0])
        axis = node.attributes.get("axis")
        self.axes = axes_of(axis, self.kind.ndim) if self.kind.ndim else []
        self.keeps = int(bool(node.attributes.get("keepdims", False)))
        self.dtype = node.outputs[0].type.dtype

    def by(self, operator: str, name: str, keeps: int | None = None) -> str:
        """The reduction of a tensor by an operation of ONNX."""
        if not self.axes:
            return name
        keeps = self.keeps if keeps is None else keeps
        return self.writer.node(operator, name, self.writer.constant(self.axes), keepdims=keeps)

    def count(self, dtype: np.dtype) -> str:
        """The number of elements that each result is computed from."""
        sizes = [self.kind.shape[axis] for axis in self.axes]
        if is_known(sizes):
            return self.writer.constant(int(np.prod(sizes, dtype=int)), dtype)
        shape = self.writer.node("Shape", self.name)
        own = self.writer.node("Gather", shape, self.writer.constant(self.axes), axis=0)
        product = self.writer.node("ReduceProd", own, keepdims=0)
        return self.writer.to(product, INT64, dtype)

    name = ""

    def require_elements(self) -> None:
        """Ends a run in which a result has no elements."""
        sizes = [self.kind.shape[axis] for axis in self.axes]
        if not (is_known(sizes) and all(sizes)):
            some = self.writer.node("Greater", self.count(INT64), self.writer.constant(0))
            self.name = self.writer.require(self.name, some)


def reduced(writer: Writer, name: str, axis: object, count: int, keeps: bool) -> str:
    """The sums of a tensor with so many axes along some of them."""
    axes = axes_of(axis, count) if count else []
    if not axes:
        return name
    return writer.node("ReduceSum", name, writer.constant(axes), keepdims=int(keeps))


def _with_dtype(writer: Writer, node: Node) -> _Reduction:
    found = _Reduction(writer, node)
    found.name = writer.cast(node.inputs[0], found.dtype)
    return found


@lowers("sum", "prod")
def total(writer: Writer, node: Node) -> str:
    """Sums and products, in the dtype of the result."""
    found = _with_dtype(writer, node)
    if found.dtype == BOOL:
        writer.refuse(node, f"it uses {node.op.name} with the dtype bool", "ONNX adds numbers.")
    return found.by("ReduceSum" if node.op.name == "sum" else "ReduceProd", found.name)


def _wide(dtype: np.dtype) -> np.dtype:
    """The dtype in which NumPy computes means of a dtype."""
    return np.dtype(np.float32) if dtype == np.float16 else dtype


def _mean(found: _Reduction, wide: np.dtype, keeps: int) -> str:
    total = found.by("ReduceSum", found.name, keeps)
    return found.writer.node("Div", total, found.count(wide))


@lowers("mean")
def mean(writer: Writer, node: Node) -> str:
    """The arithmetic mean."""
    found = _Reduction(writer, node)
    _check_float(writer, node, found.dtype)
    wide = _wide(found.dtype)
    found.name = writer.cast(node.inputs[0], wide)
    return writer.to(_mean(found, wide, found.keeps), wide, found.dtype)


def _check_float(writer, node, dtype):
    if dtype.kind != "f":
        writer.refuse(node, f"it uses {node.op.name} with dtype={dtype}", "Its result is a float.")


@lowers("var", "std")
def spread(writer: Writer, node: Node) -> str:
    """The variance, and its root."""
    found = _Reduction(writer, node)
    _check_float(writer, node, found.dtype)
    wide = _wide(found.dtype)
    found.name = writer.cast(node.inputs[0], wide)
    deviations = writer.node("Sub", found.name, _mean(found, wide, 1))
    squares = found.by("ReduceSum", writer.node("Mul", deviations, deviations))
    freedom = node.attributes.get("ddof", 0)
    count = writer.node("Sub", found.count(wide), writer.constant(freedom, wide))
    is_positive = writer.node("Greater", count, writer.constant(0, wide))
    divisor = writer.node("Where", is_positive, count, writer.constant(0, wide))
    result = writer.node("Div", squares, divisor)
    result = writer.node("Sqrt", result) if node.op.name == "std" else result
    return writer.to(result, wide, found.dtype)


@lowers("any", "all")
def some(writer: Writer, node: Node) -> str:
    """Whether some or all elements are true: whether any is true, or none is false."""
    found = _Reduction(writer, node)
    truth = writer.cast(node.inputs[0], BOOL)
    if node.op.name == "all":
        truth = writer.node("Not", truth)
    count = found.by("ReduceSum", writer.to(truth, BOOL, INT64))
    equal = writer.node("Equal", count, writer.constant(0))
    return equal if node.op.name == "all" else writer.node("Not", equal)


@lowers("max", "min")
def extreme(writer: Writer, node: Node) -> str:
    """The largest or smallest element; nan if there is one.  A run without elements ends."""
    found = _with_dtype(writer, node)
    found.require_elements()
    operator = "ReduceMax" if node.op.name == "max" else "ReduceMin"
    if found.dtype.str[1:] in ("b1", "i2", "u2"):  # which these operations do not take
        wide = np.dtype(np.int32)
        return writer.to(
            found.by(operator, writer.to(found.name, found.dtype, wide)), wide, found.dtype
        )
    if found.dtype.kind != "f" or not found.axes:
        return found.by(operator, found.name)
    lowest = writer.constant(-np.inf if node.op.name == "max" else np.inf, found.dtype)
    is_nan = writer.node("IsNaN", found.name)
    clean = found.by(operator, writer.node("Where", is_nan, lowest, found.name))
    count = found.by("ReduceSum", writer.to(is_nan, BOOL, INT64))
    none = writer.node("Equal", count, writer.constant(0))
    return writer.node("Where", none, clean, writer.constant(np.nan, found.dtype))


@lowers("argmax", "argmin")
def place(writer: Writer, node: Node) -> str:
    """The index of the first extreme element; nan is the most extreme."""
    found = _Reduction(writer, node)
    found.name = writer.read(node.inputs[0])
    if not found.axes:
        return writer.constant(0)
    found.require_elements()
    dtype, axis = found.kind.dtype, found.axes[0]
    name = found.name
    if node.attributes.get("axis") is None:
        if found.keeps and found.kind.ndim > 1:
            why = "ONNX finds places along one axis."
            writer.refuse(node, f"it uses {node.op.name} of all elements with keepdims", why)
        name, axis = flattened(writer, name), 0
    operator = "ArgMax" if node.op.name == "argmax" else "ArgMin"

    def along(operator, value):
        return writer.node(operator, value, axis=axis, keepdims=found.keeps)

    if dtype.kind != "f":
        return along(
            operator, writer.to(name, dtype, np.dtype(np.int32) if dtype == BOOL else dtype)
        )
    lowest = writer.constant(-np.inf if operator == "ArgMax" else np.inf, dtype)
    is_nan = writer.node("IsNaN", name)
    clean = along(operator, writer.node("Where", is_nan, lowest, name))
    counted = writer.to(is_nan, BOOL, np.dtype(np.int32))
    first = along("ArgMax", counted)
    total = writer.node("ReduceMax", counted, writer.constant([axis]), keepdims=found.keeps)
    none = writer.node("Equal", total, writer.constant(0, np.int32))
    return writer.node("Where", none, clean, first)


@lowers("cumsum")
def cumsum(writer: Writer, node: Node) -> str:
    """Cumulative sums, in the dtype of the result."""
    kind, dtype = operand_type(node.inputs[0]), node.outputs[0].type.dtype
    if dtype == BOOL:
        writer.refuse(node, "it uses cumsum with the dtype bool", "ONNX adds numbers.")
    name, axis = writer.cast(node.inputs[0], dtype), node.attributes.get("axis")
    if axis is None or not kind.ndim:
        name, axis = flattened(writer, name), 0
    return writer.node("CumSum", name, writer.constant(axis))
