"""Reading and writing at subscripts, for a whole batch.

    x[1:, 0]        x[:, 1:, 0]                       the subscript is the same for all elements
    x[i]            x[indices, i]                     i differs between elements
    w[i]            w[i]                              w is the same for all elements
    x[x < 0] = v    where(x < 0, v, x)                the mask differs between elements

If array indices are adjacent, NumPy puts their axes at the place of the first one, otherwise first.
The rules move them to the place that they have for a single element.
"""

from typing import Any

import numpy as np

from runtime.ir.broadcasting import broadcast
from runtime.ir.graph import Node, Value
from runtime.ir.op import find
from runtime.ir.slot import Slot
from runtime.tracing.tensor import apply
from runtime.transforms.vmap.interpreter import BatchInterpreter
from runtime.transforms.vmap.values import RuleOperand


class Subscript:
    """A subscript of one element, and its properties by the rules of NumPy."""

    def __init__(self, at: tuple, operands: list[RuleOperand], ndim: int):
        self.operands = operands
        self.parts = _expanded(at, operands, ndim)
        kinds = [self._kind(part) for part in self.parts]
        arrays = [i for i, kind in enumerate(kinds) if kind == "array"]
        self.is_advanced = bool(arrays)
        self.indices = [i for i, kind in enumerate(kinds) if kind in ("array", "number")]
        shapes = [operands[self.parts[i].index].type.shape for i in arrays]
        self.rank = len(broadcast(*shapes)) if not self.has_masks else 1
        first, last = (self.indices[0], self.indices[-1]) if self.indices else (0, -1)
        self.is_adjacent = len(self.indices) == last - first + 1
        self.before = sum(kind in ("slice", "new") for kind in kinds[:first])

    def _kind(self, part):
        if part is None:
            return "new"
        if isinstance(part, slice):
            return "slice"
        if isinstance(part, Slot) and self.operands[part.index].ndim > 0:
            return "array"
        return "number"

    @property
    def has_masks(self) -> bool:
        """Whether a bool, or an array of bools, is among the indices."""
        return any(one.type.dtype.kind == "b" for one in self.operands)

    @property
    def is_batched(self) -> bool:
        """Whether an index differs between elements."""
        return any(one.is_batched for one in self.operands)

    @property
    def bounds_vary(self) -> bool:
        """Whether the bound of a slice differs between elements."""
        bounds = [b for p in self.parts if isinstance(p, slice) for b in (p.start, p.stop, p.step)]
        return any(isinstance(b, Slot) and self.operands[b.index].is_batched for b in bounds)

    @property
    def place(self) -> int:
        """The first axis of array indices in the result for one element."""
        return self.before if self.is_adjacent else 0

    def of_rows(self) -> tuple:
        """The subscript for the batched array, if no index differs between elements."""
        return (slice(None), *self.parts)

    def tensors(self) -> list[Any]:
        """The operands; batched ones broadcast against the others."""
        inside = {p.index for p in self.parts if isinstance(p, Slot)}
        return [
            one.aligned(self.rank) if i in inside and self.indices else one.tensor
            for i, one in enumerate(self.operands)
        ]


def _expanded(at, operands, ndim):
    """The parts of a subscript, with slices in place of `...` and of missing indices."""
    taken = 0
    for part in at:
        if part is None or part is Ellipsis:
            continue
        one = operands[part.index] if isinstance(part, Slot) else None
        is_mask = one is not None and one.type.dtype.kind == "b"
        taken += one.ndim if is_mask else 1
    parts = list(at) if any(part is Ellipsis for part in at) else [*at, Ellipsis]
    place = next(i for i, part in enumerate(parts) if part is Ellipsis)
    parts[place : place + 1] = [slice(None)] * (ndim - taken)
    return tuple(parts)


def _moved(array, source, count, target):
    """`count` axes from `source` on, brought to `target`."""
    if source == target or count == 0:
        return array
    return np.moveaxis(array, range(source, source + count), range(target, target + count))


# -- reading ---------------------------------------------------------------------------------------


def _getitem(batch: BatchInterpreter, node: Node, given: list[RuleOperand]) -> Any:
    x, *operands = given
    subscript = Subscript(node.attributes["at"], operands, x.ndim)
    if subscript.bounds_vary or subscript.is_batched and subscript.has_masks:
        return NotImplemented
    if not subscript.is_batched:
        found = apply(node.op, x.tensor, *subscript.tensors(), at=subscript.of_rows())
        return _moved(found, _batch_axis(subscript), 1, 0)
    if not x.is_batched:
        found = apply(node.op, x.tensor, *subscript.tensors(), at=subscript.parts)
        return _moved(found, subscript.place, 1, 0)
    at, tensors = _with_indices(batch, subscript)
    found = apply(node.op, x.tensor, *tensors, at=at)
    place = subscript.place if subscript.is_advanced else 0
    return _moved(found, 1, subscript.rank, 1 + place)


def _batch_axis(subscript):
    """The batch axis in the result of reading a batched array at an unbatched index."""
    apart = subscript.is_advanced and not subscript.is_adjacent
    return subscript.rank if apart else 0


def _with_indices(batch, subscript):
    """A subscript that reads each element at its own index."""
    numbers = batch.indices()
    if subscript.rank:
        numbers = np.expand_dims(numbers, tuple(range(1, 1 + subscript.rank)))
    tensors = [*subscript.tensors(), numbers]
    return (Slot(len(tensors) - 1), *subscript.parts), tensors


def _take(batch, node, given):
    x, indices = given
    axis, mode = node.attributes.get("axis"), node.attributes.get("mode", "raise")
    if not x.is_batched:
        found = apply(node.op, x.tensor, indices.tensor, axis=axis, mode=mode)
        return found if axis is None else _moved(found, axis % x.ndim, 1, 0)
    if axis is None or x.ndim == 0:
        return NotImplemented
    axis %= x.ndim
    if not indices.is_batched:
        return apply(node.op, x.tensor, indices.tensor, axis=axis + 1, mode=mode)
    if mode != "raise":
        return NotImplemented
    at = (*[slice(None)] * axis, Slot(0))
    subscript = Subscript(at, [indices], x.ndim)
    rows_at, tensors = _with_indices(batch, subscript)
    found = apply(find("getitem"), x.tensor, *tensors, at=rows_at)
    return _moved(found, 1, indices.ndim, 1 + axis)


# -- writing ---------------------------------------------------------------------------------------


def _setitem(batch: BatchInterpreter, node: Node, given: list[RuleOperand]) -> Any:
    x, value, *operands = given
    subscript = Subscript(node.attributes["at"], operands, x.ndim)
    if subscript.bounds_vary:
        return NotImplemented
    rows = x.tensor if x.is_batched else _repeated(batch, x)
    value = _fitting(value, x.type)
    if subscript.is_batched and subscript.has_masks:
        is_written = node.op.name == "setitem"
        return _masked(rows, x, value, subscript) if is_written else NotImplemented
    rank = max(_rank_read(subscript), value.ndim)
    tensor = value.aligned(rank)
    if not subscript.is_batched:
        if value.is_batched:
            tensor = _moved(tensor, 0, 1, _batch_axis(subscript))
        return apply(node.op, rows, tensor, *subscript.tensors(), at=subscript.of_rows())
    at, tensors = _with_indices(batch, subscript)
    place = subscript.place if subscript.is_advanced else 0
    if place and subscript.rank:
        tensor = _of_rank(value, rank)
        extra = rank - _rank_read(subscript)
        if extra:
            return NotImplemented
        first = 1 if value.is_batched else 0
        tensor = _moved(tensor, first + place, subscript.rank, first)
    return apply(node.op, rows, tensor, *tensors, at=at)


def _of_rank(value, rank):
    """A value whose elements have `rank` axes."""
    if value.is_batched:
        return value.aligned(rank)
    missing = tuple(range(rank - value.ndim))
    return np.expand_dims(value.tensor, missing) if missing else value.tensor


def _rank_read(subscript):
    """The number of axes of one element at the subscript."""
    plain = sum(part is None or isinstance(part, slice) for part in subscript.parts)
    return plain + (subscript.rank if subscript.is_advanced else 0)


def _repeated(batch, x):
    value = x.tensor._value
    assert isinstance(value, Value)
    return batch.tensor(batch.as_batched(value, x.type).value)


def _fitting(value, kind):
    """The new items; batched Python ints are checked against the dtype, as Python ints are."""
    if not value.is_weak or kind.dtype.kind not in "iu" or value.type.dtype.kind not in "iu":
        return value
    return RuleOperand(apply(find("fitted"), value.tensor, dtype=kind.dtype), value.type, True)


def _masked(rows, x, value, subscript):
    """One value, written where the mask of an element is true."""
    is_one = len(subscript.operands) == 1 and isinstance(subscript.parts[0], Slot)
    if not is_one or value.ndim or len([p for p in subscript.parts if p is None]):
        return NotImplemented
    (mask,) = subscript.operands
    trailing = x.ndim - mask.ndim
    chosen = mask.tensor
    if trailing:
        chosen = np.expand_dims(chosen, tuple(range(1 + mask.ndim, 1 + x.ndim)))
    new = apply(find("cast"), value.aligned(x.ndim), dtype=x.type.dtype)
    return np.where(chosen, new, rows)


SUBSCRIPT_RULES = {  # op names: a rule for each
    "getitem": _getitem,
    "setitem": _setitem,
    "added_at": _setitem,
    "take": _take,
}
