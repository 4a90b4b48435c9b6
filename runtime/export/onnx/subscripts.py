"""Subscripts: reading, writing and adding at them.

A write computes the places that its subscript selects, from the numbers of all elements:

    x[at] = v        places = arange(x.size).reshape(x.shape)[at], and v scattered to them
"""

from typing import Any

import numpy as np

from runtime.export.onnx.rules import lowers
from runtime.export.onnx.shapes import flattened, is_known, reshaped
from runtime.export.onnx.writer import BOOL, INT64, Writer
from runtime.ir.graph import Node, Operand, Value, operand_type
from runtime.ir.slot import Slot
from runtime.ir.types import TensorType

FIRST, LAST = -(2**63), 2**63 - 1


class _Selection:
    """A subscript, applied to a tensor that has the shape of a type."""

    def __init__(self, writer: Writer, node: Node, kind: Any, operands: tuple[Operand, ...]):
        self.writer, self.node, self.kind, self.operands = writer, node, kind, operands
        self.parts = self._aligned(node.attributes["at"])

    def _aligned(self, at):
        """One part for each axis of the tensor, with None for new axes between them."""
        taken = sum(self._takes(part) for part in at)
        rest = [slice(None)] * (self.kind.ndim - taken)
        parts = list(at) if any(part is Ellipsis for part in at) else [*at, Ellipsis]
        place = next(i for i, part in enumerate(parts) if part is Ellipsis)
        return [*parts[:place], *rest, *parts[place + 1 :]]

    def _takes(self, part):
        if part is None or part is Ellipsis:
            return 0
        kind = self._kind(part)
        if kind is not None and kind.dtype == BOOL:
            if not kind.ndim:
                why = "ONNX has no subscript for it."
                self.writer.refuse(self.node, "a subscript is a bool without dimensions", why)
            return kind.ndim
        return 1

    def _kind(self, part):
        """The type of the operand that a part is."""
        return operand_type(self.operands[part.index]) if isinstance(part, Slot) else None

    def _is_array(self, part):
        kind = self._kind(part)
        return kind is not None and kind.ndim > 0

    def _is_number(self, part):
        return part is not None and not isinstance(part, slice) and not self._is_array(part)

    def _index(self, part):
        """An index as the name of an int64."""
        if isinstance(part, Slot):
            operand = self.operands[part.index]
            if operand_type(operand).dtype == np.uint64:
                why = "The indices of ONNX are signed."
                self.writer.refuse(self.node, "a subscript is unsigned, of 64 bits", why)
            return self.writer.cast(operand, INT64)
        return self.writer.constant(int(part))

    def of(self, name: str) -> str:
        """The elements of a tensor that the subscript selects."""
        arrays = [part for part in self.parts if self._is_array(part)]
        if any(self._kind(part).dtype == BOOL for part in arrays):
            return self._masked(name, arrays)
        name = self._sliced(name)
        if not arrays:
            return self._with_new_axes(self._without_numbers(name))
        if len(arrays) == 1 and not any(map(self._is_number, self.parts)):
            return self._gathered(name, arrays[0])
        return self._gathered_together(name)

    # -- slices and numbers --------------------------------------------------------------------

    def _sliced(self, name):
        parts = [part for part in self.parts if part is not None]
        slices = [
            (axis, part) for axis, part in enumerate(parts)
            if isinstance(part, slice) and part != slice(None)
        ]  # fmt: skip
        if not slices:
            return name
        rows: list[list] = [[], [], [], []]
        for axis, part in slices:
            step = 1 if part.step is None else part.step
            if isinstance(step, Slot):
                why = "Its sign decides where the slice begins."
                self.writer.refuse(self.node, "the step of a slice is computed", why)
            ends = (0, LAST) if step > 0 else (LAST, FIRST)
            rows[0].append(self._bound(part.start, ends[0]))
            rows[1].append(self._bound(part.stop, ends[1]))
            rows[2].append(axis)
            rows[3].append(step)
        return self.writer.node("Slice", name, *map(self.writer.row, rows))

    def _bound(self, bound, default):
        if bound is None:
            return default
        if isinstance(bound, Slot):
            operand = self.operands[bound.index]
            return operand if isinstance(operand, Value) else int(operand)
        return max(FIRST, min(int(bound), LAST))

    def _without_numbers(self, name):
        axes = [part for part in self.parts if part is not None]
        for axis in reversed(range(len(axes))):
            if self._is_number(axes[axis]):
                name = self.writer.node("Gather", name, self._index(axes[axis]), axis=axis)
        return name

    def _with_new_axes(self, name):
        left = [part for part in self.parts if not self._is_number(part)]
        places = [i for i, part in enumerate(left) if part is None]
        return self.writer.node("Unsqueeze", name, self.writer.constant(places)) if places else name

    # -- arrays --------------------------------------------------------------------------------

    def _gathered(self, name, array):
        """The elements at one array of integers."""
        axis = [part for part in self.parts if part is not None].index(array)
        name = self.writer.node("Gather", name, self._index(array), axis=axis)
        places, place = [], 0
        for part in self.parts:
            if part is None:
                places.append(place)
            place += self._kind(part).ndim if part is array else 1
        return self.writer.node("Unsqueeze", name, self.writer.constant(places)) if places else name

    def _gathered_together(self, name):
        """The elements at several integers, of which some are arrays: they broadcast."""
        if None in self.parts:
            why = "Where the new axis goes depends on the arrays."
            self.writer.refuse(self.node, "a subscript has arrays, integers and None", why)
        axes = [i for i, part in enumerate(self.parts) if not isinstance(part, slice)]
        others = [i for i in range(len(self.parts)) if i not in axes]
        indices = [self._index(self.parts[axis]) for axis in axes]
        zero = self.writer.constant(0)
        total = zero
        for index in indices:
            total = self.writer.node("Add", total, self.writer.node("Mul", index, zero))
        columns = [
            self.writer.node(
                "Unsqueeze", self.writer.node("Add", index, total), self.writer.constant([-1])
            )
            for index in indices
        ]
        name = self.writer.node("Transpose", name, perm=axes + others)
        found = self.writer.node("GatherND", name, self.writer.node("Concat", *columns, axis=-1))
        if axes != list(range(axes[0], axes[-1] + 1)) or axes[0] == 0:
            return found
        kinds = [self._kind(self.parts[axis]) for axis in axes]
        count = max(kind.ndim for kind in kinds if kind is not None)
        before = [count + i for i in range(axes[0])]
        behind = [count + i for i in range(axes[0], len(others))]
        return self.writer.node("Transpose", found, perm=[*before, *range(count), *behind])

    def _masked(self, name, arrays):
        """The elements where the only array, a mask of the first axes, is true."""
        others = [part for part in self.parts if part != slice(None)]
        if len(others) != 1 or self.parts[0] is not arrays[0]:
            why = "In ONNX a mask selects along the first axes, alone."
            remedy = "Use the mask in a subscript of its own."
            self.writer.refuse(self.node, "a mask is beside other subscripts", why, remedy)
        kind = self._kind(arrays[0])
        mask = self.writer.read(self.operands[arrays[0].index])
        wanted = self.kind.shape[: kind.ndim]
        if not (is_known(kind.shape) and is_known(wanted)):
            mask = self._of_the_same_shape(mask, name, kind.ndim)
        places = self.writer.node("Transpose", self.writer.node("NonZero", mask), perm=[1, 0])
        return self.writer.node("GatherND", name, places)

    def _of_the_same_shape(self, mask, name, count):
        """The mask; a run in which its shape is another than that of the tensor ends."""
        writer = self.writer
        shape = writer.node("Shape", name, start=0, end=count)
        differ = writer.node("Not", writer.node("Equal", shape, writer.node("Shape", mask)))
        wrong = writer.node("ReduceSum", writer.to(differ, BOOL, INT64), keepdims=0)
        return writer.require(mask, writer.node("Equal", wrong, writer.constant(0)))


@lowers("getitem")
def getitem(writer: Writer, node: Node) -> str:
    """The elements at a subscript."""
    x, *operands = node.inputs
    return _Selection(writer, node, operand_type(x), tuple(operands)).of(writer.read(x))


def _scattered(writer: Writer, node: Node, added: bool) -> str:
    x, value, *operands = node.inputs
    kind = operand_type(x)
    selection = _Selection(writer, node, kind, tuple(operands))
    name = writer.cast(x, node.outputs[0].type.dtype)
    shape = writer.node("Shape", name)
    count = writer.node("Size", name)
    numbers = writer.node("Range", writer.constant(0), count, writer.constant(1))
    places = selection.of(reshaped(writer, numbers, shape))
    new = writer.cast(value, kind.dtype)
    updates = _updates(writer, new, operand_type(value), places)
    places, flat = flattened(writer, places), flattened(writer, name)
    if added:
        found = writer.node("ScatterElements", flat, places, updates, axis=0, reduction="add")
    elif not any(selection._is_array(part) for part in selection.parts):
        found = writer.node("ScatterElements", flat, places, updates, axis=0)
    else:
        found = _last_written(writer, flat, count, numbers, places, updates)
    return reshaped(writer, found, shape)


def _updates(writer, new, kind, places):
    """The new elements, one for each place; a run in which their shapes do not match ends."""
    if kind.ndim > 0:
        shape = writer.node("Shape", places)
        wide = writer.node("Expand", new, shape)
        counts = writer.node("Size", wide), writer.node("Size", places)
        return flattened(writer, writer.require(wide, writer.node("Equal", *counts)))
    return flattened(writer, writer.node("Expand", new, writer.node("Shape", places)))


def _last_written(writer, flat, count, numbers, places, updates):
    """The elements after the updates; of several at one place the last one remains.

    ONNX leaves their order open, so the number of the last one is computed as a maximum.
    """
    length = writer.node("Size", places)
    end = writer.node("Add", count, length)
    sources = writer.node("Range", count, end, writer.constant(1))
    chosen = writer.node("ScatterElements", numbers, places, sources, axis=0, reduction="max")
    both = writer.node("Concat", flat, updates, axis=0)
    return writer.node("Gather", both, chosen, axis=0)


@lowers("setitem")
def setitem(writer: Writer, node: Node) -> str:
    """The array with the elements at a subscript replaced."""
    return _scattered(writer, node, False)


@lowers("added_at")
def added_at(writer: Writer, node: Node) -> str:
    """The array with values added at a subscript."""
    return _scattered(writer, node, True)


@lowers("take")
def take(writer: Writer, node: Node) -> str:
    """Elements, or slices along an axis, at integer indices."""
    x, indices = node.inputs
    if node.attributes.get("mode", "raise") != "raise":
        why = "An index of ONNX outside of the array ends the run."
        writer.refuse(node, f"it uses take with mode={node.attributes['mode']!r}", why)
    name, axis = writer.read(x), node.attributes.get("axis")
    if axis is None:
        name, axis = flattened(writer, name), 0
    elif isinstance(operand_type(x), TensorType):
        axis %= operand_type(x).ndim
    return writer.node("Gather", name, writer.cast(indices, INT64), axis=axis)
