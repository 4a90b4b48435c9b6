"""Ops that change shapes, join arrays, and multiply matrices."""

import numpy as np

from runtime.export.onnx.rules import lowers
from runtime.export.onnx.writer import INT64, Writer
from runtime.ir.graph import Node, operand_type
from runtime.ir.types import Type


def axes_of(axis, count: int) -> list[int]:
    """Axes as non-negative integers."""
    if axis is None:
        return list(range(count))
    return list(np.lib.array_utils.normalize_axis_tuple(axis, count))


def is_known(shape) -> bool:
    """Whether all sizes are numbers."""
    return all(isinstance(size, int) for size in shape)


def reshaped(writer: Writer, name: str, sizes: str) -> str:
    """The tensor in a new shape; sizes of 0 are sizes, unlike the default of ONNX."""
    return writer.node("Reshape", name, sizes, allowzero=1)


def flattened(writer: Writer, name: str) -> str:
    """The elements as a vector, which may be empty."""
    count = writer.node("Reshape", writer.node("Size", name), writer.constant([1]))
    return reshaped(writer, name, count)


def expanded(writer: Writer, name: str, kind: Type, sizes: str, shape: list) -> str:
    """The tensor broadcast to a shape.

    ONNX also broadcasts the shape to the tensor, where NumPy raises: such a run ends.
    """
    found = writer.node("Expand", name, sizes)
    if not kind.shape or (is_known(kind.shape) and is_known(shape)):
        return found
    same = writer.node("Equal", writer.node("Shape", found), sizes)
    wrong = writer.node("Cast", writer.node("Not", same), to=7)
    count = writer.node("ReduceSum", wrong, keepdims=0)
    return writer.require(found, writer.node("Equal", count, writer.constant(0)))


def read(writer: Writer, node: Node) -> str:
    """The first operand, with the dtype of the result."""
    return writer.cast(node.inputs[0], node.outputs[0].type.dtype)


@lowers("reshape", "reshape_to")
def reshape(writer: Writer, node: Node) -> str:
    """The elements in a new shape."""
    shape = node.attributes["shape"]
    sizes = [shape] if isinstance(shape, int) else list(shape)
    name = read(writer, node)
    if -1 not in sizes:
        return reshaped(writer, name, writer.row(sizes, node.inputs[1:]))
    rest = writer.row([size for size in sizes if size != -1], node.inputs[1:])
    product = writer.node("ReduceProd", rest, keepdims=0)
    known = writer.require(product, writer.node("Greater", product, writer.constant(0)))
    missing = writer.node("Div", writer.node("Size", name), known)
    place = sizes.index(-1)
    parts = []
    for low, high in ((0, place), (place, len(sizes) - 1)):
        bounds = writer.constant([low]), writer.constant([high])
        parts.append(writer.node("Slice", rest, *bounds))
    own = writer.node("Reshape", missing, writer.constant([1]))
    return reshaped(writer, name, writer.node("Concat", parts[0], own, parts[1], axis=0))


@lowers("transpose", "swapaxes")
def transpose(writer: Writer, node: Node) -> str:
    """The axes permuted."""
    count = operand_type(node.inputs[0]).ndim
    order = list(range(count))
    if node.op.name == "swapaxes":
        one, other = node.attributes["axis1"] % count, node.attributes["axis2"] % count
        order[one], order[other] = order[other], order[one]
    else:
        axes = node.attributes.get("axes")
        order = order[::-1] if axes is None else axes_of(axes, count)
    return writer.node("Transpose", read(writer, node), perm=order) if count else read(writer, node)


@lowers("expand_dims")
def expand_dims(writer: Writer, node: Node) -> str:
    """New axes of size one."""
    axes = axes_of(node.attributes["axis"], node.outputs[0].type.ndim)
    name = read(writer, node)
    return writer.node("Unsqueeze", name, writer.constant(axes, INT64)) if axes else name


@lowers("squeeze")
def squeeze(writer: Writer, node: Node) -> str:
    """Axes of size one removed."""
    kind = operand_type(node.inputs[0])
    axis = node.attributes.get("axis")
    axes = [i for i, size in enumerate(kind.shape) if size == 1]
    if axis is not None:
        axes = axes_of(axis, kind.ndim) if kind.ndim else []
    name = read(writer, node)
    return writer.node("Squeeze", name, writer.constant(axes, INT64)) if axes else name


@lowers("ravel")
def ravel(writer: Writer, node: Node) -> str:
    """The elements as a vector."""
    return flattened(writer, read(writer, node))


@lowers("broadcast_to", "grow_to")
def broadcast_to(writer: Writer, node: Node) -> str:
    """The array broadcast to a shape."""
    shape = node.attributes["shape"]
    sizes = [shape] if isinstance(shape, int) else list(shape)
    row = writer.row(sizes, node.inputs[1:])
    return expanded(writer, read(writer, node), operand_type(node.inputs[0]), row, sizes)


@lowers("sum_to")
def sum_to(writer: Writer, node: Node) -> str:
    """The sum over the axes along which a shape was broadcast."""
    kind, sizes = operand_type(node.inputs[0]), node.attributes["shape"]
    sizes = [sizes] if isinstance(sizes, int) else list(sizes)
    row, name = writer.row(sizes, node.inputs[1:]), read(writer, node)
    added = kind.ndim - len(sizes)
    if None not in sizes:
        axes = [*range(added), *(added + i for i, size in enumerate(sizes) if size == 1)]
        if not axes:
            return name
        return reshaped(writer, _total(writer, name, writer.constant(axes)), row)
    ones = writer.node("NonZero", writer.node("Equal", row, writer.constant(1)))
    own = writer.node("Reshape", ones, writer.constant([-1]))
    shifted = writer.node("Add", own, writer.constant(added))
    axes = writer.node("Concat", writer.constant(range(added), INT64), shifted, axis=0)
    return reshaped(writer, _total(writer, name, axes), row)


def _total(writer, name, axes):
    return writer.node("ReduceSum", name, axes, keepdims=1, noop_with_empty_axes=1)


@lowers("flip")
def flip(writer: Writer, node: Node) -> str:
    """The elements in reverse order along axes."""
    count, name = operand_type(node.inputs[0]).ndim, read(writer, node)
    axes = axes_of(node.attributes.get("axis"), count)
    if not axes:
        return name
    bounds = [[-1] * len(axes), [-(2**63)] * len(axes), axes, [-1] * len(axes)]
    return writer.node("Slice", name, *(writer.constant(row) for row in bounds))


@lowers("roll")
def roll(writer: Writer, node: Node) -> str:
    """The elements shifted along axes of known sizes."""
    kind, name = operand_type(node.inputs[0]), read(writer, node)
    shift, axis = node.attributes["shift"], node.attributes.get("axis")
    shape = kind.shape
    if not is_known(shape):
        why = "The shift would be taken modulo a size that may be 0."
        writer.refuse(node, "it uses roll of an array of unknown size", why)
    if axis is None:
        name, shape, axis = flattened(writer, name), (int(np.prod(shape, dtype=int)),), 0
    shifts, axes = np.broadcast_arrays(shift, axes_of(axis, len(shape)))
    for step, place in zip(shifts.ravel().tolist(), axes.ravel().tolist(), strict=True):
        start = -step % shape[place] if shape[place] else 0
        row = [writer.constant([bound]) for bound in (0, start, shape[place])]
        ends = [
            writer.node("Slice", name, low, high, writer.constant([place]))
            for low, high in ((row[1], row[2]), (row[0], row[1]))
        ]
        name = writer.node("Concat", *ends, axis=place)
    return reshaped(writer, name, writer.constant(list(kind.shape), INT64))


@lowers("size")
def size(writer: Writer, node: Node) -> str:
    """The size of one dimension."""
    (x,) = node.inputs
    return writer.size(writer.read(x), node.attributes["axis"] % operand_type(x).ndim)


# -- joining ---------------------------------------------------------------------------------------


@lowers("concatenate")
def concatenate(writer: Writer, node: Node) -> str:
    """Arrays joined along an axis."""
    dtype, axis = node.outputs[0].type.dtype, node.attributes.get("axis", 0)
    names = [writer.cast(operand, dtype) for operand in node.inputs]
    if axis is None:
        names, axis = [flattened(writer, name) for name in names], 0
    return writer.node("Concat", *names, axis=axis % node.outputs[0].type.ndim)


@lowers("stack")
def stack(writer: Writer, node: Node) -> str:
    """Arrays of one shape joined along a new axis."""
    kind = node.outputs[0].type
    axis = node.attributes.get("axis", 0) % kind.ndim
    place = writer.constant([axis])
    names = [
        writer.node("Unsqueeze", writer.cast(operand, kind.dtype), place) for operand in node.inputs
    ]
    return writer.node("Concat", *names, axis=axis)


# -- products --------------------------------------------------------------------------------------


@lowers("matmul", "dot", "outer")
def product(writer: Writer, node: Node) -> str:
    """Matrix products, dot products and outer products."""
    dtype = node.outputs[0].type.dtype
    left, right = (operand_type(operand) for operand in node.inputs)
    if dtype.kind == "b":
        writer.refuse(node, f"it uses {node.op.name} of bools", "ONNX multiplies numbers only.")
    x, y = (writer.cast(operand, dtype) for operand in node.inputs)
    if node.op.name == "outer":
        column = writer.node("Unsqueeze", flattened(writer, x), writer.constant([1]))
        return writer.node("Mul", column, flattened(writer, y))
    if not left.ndim or not right.ndim:
        return writer.node("Mul", x, y)
    if node.op.name == "dot" and right.ndim > 2:
        why = "ONNX multiplies the matrices of a stack pairwise."
        writer.refuse(node, "it uses dot with more than two dimensions", why, "Use np.matmul.")
    if dtype.kind in "iu" and dtype.itemsize < 4:
        wide = np.dtype(np.int32 if dtype.kind == "i" else np.uint32)
        x, y = writer.to(x, dtype, wide), writer.to(y, dtype, wide)
        return writer.to(_matrix_product(writer, x, y, left.ndim, right.ndim), wide, dtype)
    return _matrix_product(writer, x, y, left.ndim, right.ndim)


def _matrix_product(writer: Writer, x: str, y: str, left: int, right: int) -> str:
    """The product, with vectors as matrices.

    onnxruntime (1.32) computes wrong products of a transposed matrix and a vector, which it fuses.
    """
    if left == 1:
        x = writer.node("Unsqueeze", x, writer.constant([0]))
    if right == 1:
        y = writer.node("Unsqueeze", y, writer.constant([1]))
    axes = [-2] * (left == 1) + [-1] * (right == 1)
    found = writer.node("MatMul", x, y)
    return writer.node("Squeeze", found, writer.constant(axes)) if axes else found
