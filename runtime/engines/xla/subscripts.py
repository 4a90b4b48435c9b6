"""Subscripts: reading, writing and adding at them.  An index out of range fails, as NumPy raises.

JAX leaves open which of several elements written to one place remains; NumPy's last one does:

    x[at] = v        places = arange(x.size).reshape(x.shape)[at]; of each place the last writer
"""

from typing import Any

import jax.numpy as jnp
import numpy as np

from runtime.engines.xla.arithmetic import known_size, result_dtype
from runtime.engines.xla.evaluation import Evaluation, is_known
from runtime.engines.xla.lowering import NotLowered, lowers
from runtime.ir.graph import Node, operand_type
from runtime.ir.slot import Slot


class _Subscript:
    """A subscript, with its operands."""

    def __init__(self, run: Evaluation, at: Any, operands: Any, shape: tuple[int, ...]) -> None:
        self.run, self.operands = run, operands
        self.has_arrays = self.has_mask = False
        taken = sum(self._takes(part) for part in at)
        rest = (slice(None),) * (len(shape) - taken)
        parts = list(at) if any(part is Ellipsis for part in at) else [*at, Ellipsis]
        place = next(i for i, part in enumerate(parts) if part is Ellipsis)
        key: list[Any] = []
        axis = 0
        for part in (*parts[:place], *rest, *parts[place + 1 :]):
            key.append(self._part(part, shape[axis : axis + 1]))
            axis += self._takes(part)
        self.key = tuple(key)

    def _takes(self, part: Any) -> int:
        if part is None or part is Ellipsis:
            return 0
        value = self._value(part)
        if value is not None and np.result_type(value).kind == "b":
            return np.ndim(value)
        return 1

    def _value(self, part: Any) -> Any:
        return self.operands[part.index] if isinstance(part, Slot) else None

    def _part(self, part: Any, sizes: tuple[int, ...]) -> Any:
        if part is None:
            return None
        if isinstance(part, slice):
            return slice(*(self._bound(one) for one in (part.start, part.stop, part.step)))
        index = self._value(part) if isinstance(part, Slot) else part
        dtype = np.result_type(index)
        if dtype.kind == "b":
            if not np.ndim(index):
                raise NotLowered("a subscript is a bool without dimensions")
            self.has_mask = self.has_arrays = True
            return index
        self.has_arrays = self.has_arrays or np.ndim(index) > 0
        (size,) = sizes
        if dtype == np.uint64:
            self.run.fail_if(index >= np.uint64(max(size, 0)))
        else:
            self.run.check_index(part, index, size)
        if is_known(index):
            return np.asarray(index) if np.ndim(index) else int(index)
        return index.astype(np.int64)

    def _bound(self, bound: Any) -> Any:
        if isinstance(bound, Slot):
            bound = self.operands[bound.index]
        return None if bound is None else known_size(bound)


@lowers("getitem")
def getitem(run: Evaluation, node: Node, x: Any, *operands: Any) -> Any:
    """The elements at a subscript."""
    x = run.cast(node.inputs[0], result_dtype(node))
    subscript = _Subscript(run, node.attributes["at"], operands, x.shape)
    if subscript.has_mask:
        raise NotLowered("the number of selected elements depends on the run")
    return x[subscript.key]


@lowers("setitem")
def setitem(run: Evaluation, node: Node, x: Any, value: Any, *operands: Any) -> Any:
    """The array with the elements at a subscript replaced."""
    x = run.cast(node.inputs[0], result_dtype(node))
    new = _written(run, node, x)
    subscript = _Subscript(run, node.attributes["at"], operands, x.shape)
    if subscript.has_mask:
        if new.ndim or len(operands) != 1:
            raise NotLowered("the number of written elements depends on the run")
        mask = jnp.reshape(operands[0], operands[0].shape + (1,) * (x.ndim - operands[0].ndim))
        if mask.shape[: operands[0].ndim] != x.shape[: operands[0].ndim]:
            raise NotLowered("a mask has another shape than the array")
        return jnp.where(mask, new, x)
    if not subscript.has_arrays:
        return x.at[subscript.key].set(new)
    places = jnp.arange(x.size).reshape(x.shape)[subscript.key]
    updates = jnp.reshape(jnp.broadcast_to(new, places.shape), -1)
    order = jnp.arange(places.size)
    last = jnp.full(x.size, -1).at[jnp.reshape(places, -1)].max(order)
    found = jnp.where(last >= 0, updates[jnp.maximum(last, 0)], jnp.reshape(x, -1))
    return jnp.reshape(found, x.shape)


def _written(run: Evaluation, node: Node, x: Any) -> Any:
    """The new elements, in the dtype of the array."""
    kind: Any = operand_type(node.inputs[1])
    if kind.dtype.kind == "f" and x.dtype.kind in "iu" and kind.ndim == 0:
        raise NotLowered("a float is written into an array of integers")
    return run.cast(node.inputs[1], x.dtype)


@lowers("added_at")
def added_at(run: Evaluation, node: Node, x: Any, value: Any, *operands: Any) -> Any:
    """The array with values added at a subscript."""
    x = run.cast(node.inputs[0], result_dtype(node))
    new = run.cast(node.inputs[1], x.dtype)
    subscript = _Subscript(run, node.attributes["at"], operands, x.shape)
    if subscript.has_mask:
        raise NotLowered("the number of selected elements depends on the run")
    return run.all_finite(x.at[subscript.key].add(new))


@lowers("take")
def take(run: Evaluation, node: Node, x: Any, indices: Any) -> Any:
    """Elements, or slices along an axis, at integer indices."""
    if node.attributes.get("mode", "raise") != "raise":
        raise NotLowered("indices out of range are clipped or wrapped")
    axis = node.attributes.get("axis")
    x, places = run.cast(node.inputs[0], result_dtype(node)), indices
    size = x.size if axis is None else x.shape[axis]
    run.fail_if((places < -size) | (places >= size))
    places = jnp.where(places < 0, places + size, places)
    return jnp.take(x, places, axis=axis)
