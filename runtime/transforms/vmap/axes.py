"""Ops along axes, for a whole batch: reductions, orders, shapes.

sum(x, axis=0)          sum(x, axis=1)            axes are counted after the batch axis
sum(x)                  sum(x.reshape(n, -1), axis=1)
reshape(x, (2, 3))      reshape(x, (n, 2, 3))
"""

from typing import Any

import numpy as np

from runtime.ir.op import find
from runtime.tracing.tensor import Tensor, apply
from runtime.transforms.vmap.interpreter import BatchInterpreter
from runtime.transforms.vmap.values import Rule, RuleOperand


def batched_axis(axis: Any, ndim: int) -> Any:
    """An axis, or several, counted after the batch axis."""
    axes = np.lib.array_utils.normalize_axis_tuple(axis, ndim)
    return axes[0] + 1 if np.ndim(axis) == 0 else tuple(axis + 1 for axis in axes)


def flat(batch: BatchInterpreter, x: RuleOperand) -> Tensor:
    """The elements of the batch, each flattened."""
    count = 1
    for size in x.tensor.shape[1:]:
        count = count * size
    return batch.reshaped(x.tensor, (count,))


def _reduced(batch, node, given):
    """Reductions, with the order of summation that a single array would have."""
    x, options = given[0], dict(node.attributes)
    axis = options.pop("axis", None)
    if x.ndim == 0:
        if node.op.name in ("argmax", "argmin"):
            return NotImplemented
        return apply(node.op, x.tensor, axis=(), **options)
    if axis is not None:
        return apply(node.op, x.tensor, axis=batched_axis(axis, x.ndim), **options)
    keepdims = options.pop("keepdims", False)
    found = apply(node.op, flat(batch, x), axis=1, **options)
    return np.expand_dims(found, tuple(range(1, 1 + x.ndim))) if keepdims else found


def _scanned(batch, node, given):
    """Cumulative sums, and sorting: along an axis, or of the flattened array."""
    x, options = given[0], dict(node.attributes)
    if x.ndim == 0:
        return NotImplemented
    default = -1 if node.op.name in ("sort", "argsort") else None
    axis = options.pop("axis", default)
    if axis is None:
        return apply(node.op, flat(batch, x), axis=1, **options)
    return apply(node.op, x.tensor, axis=batched_axis(axis, x.ndim), **options)


def _size(batch, node, given):
    x = given[0]
    found = apply(node.op, x.tensor, axis=batched_axis(node.attributes["axis"], x.ndim))
    return RuleOperand(found, node.output.type, False)


def _transposed(batch, node, given):
    x, axes = given[0], node.attributes.get("axes")
    order = tuple(reversed(range(x.ndim))) if axes is None else axes
    order = tuple(axis + 1 for axis in np.mod(order, x.ndim or 1)) if x.ndim else ()
    return np.transpose(x.tensor, (0, *map(int, order)))


def _swapped(batch, node, given):
    x = given[0]
    first, second = (batched_axis(node.attributes[name], x.ndim) for name in ("axis1", "axis2"))
    return np.swapaxes(x.tensor, first, second)


def _expanded(batch, node, given):
    x, axis = given[0], node.attributes["axis"]
    added = len(axis) if isinstance(axis, tuple) else 1
    return np.expand_dims(x.tensor, batched_axis(axis, x.ndim + added))


def _squeezed(batch, node, given):
    x, axis = given[0], node.attributes.get("axis")
    if axis is None:
        axis = tuple(i for i, size in enumerate(x.type.shape) if size == 1)
    return np.squeeze(x.tensor, batched_axis(axis, x.ndim))


def _diagonal(batch, node, given):
    x, options = given[0], node.attributes
    axes = (batched_axis(options.get(f"axis{i + 1}", i), x.ndim) for i in range(2))
    found = np.diagonal(x.tensor, options.get("offset", 0), *axes)
    return found


def _flipped(batch, node, given):
    x, axis = given[0], node.attributes.get("axis")
    axes = tuple(range(x.ndim)) if axis is None else axis
    return np.flip(x.tensor, batched_axis(axes, x.ndim)) if x.ndim else x.tensor


def _rolled(batch, node, given):
    x, shift, axis = given[0], node.attributes["shift"], node.attributes.get("axis")
    if x.ndim == 0:
        return NotImplemented
    if axis is not None:
        return np.roll(x.tensor, shift, batched_axis(axis, x.ndim))
    rolled = np.roll(flat(batch, x), shift, 1)
    return batch.reshaped(rolled, x.tensor.shape[1:])


def _raveled(batch, node, given):
    return flat(batch, given[0])


def _reshaped(batch, node, given):
    x, *staged = given
    if any(one.is_batched for one in staged):
        return NotImplemented  # to shapes that differ
    shape = node.attributes["shape"]
    shape = (shape,) if isinstance(shape, int) else shape
    sizes = iter([one.tensor for one in staged])
    sizes = [next(sizes) if size is None else size for size in shape]
    if any(size == -1 for size in sizes if isinstance(size, int)):
        sizes = _without_unknown(x, sizes, node.output.type.shape)
        if sizes is None:
            return NotImplemented
    return batch.reshaped(x.tensor, sizes)


def _without_unknown(x, sizes, shape):
    """The sizes, with the size that -1 means in place of it; None if it cannot be determined."""
    known = shape[sizes.index(-1)]
    if isinstance(known, int):
        return [known if size == -1 else size for size in sizes]
    others = [size for size in sizes if not (isinstance(size, int) and size == -1)]
    if any(isinstance(size, Tensor) for size in others) or 0 in others:
        return None
    count, total = 1, int(np.prod(others, dtype=int))
    for size in x.tensor.shape[1:]:
        count = count * size
    return [count // total if size == -1 else size for size in sizes]


def _broadcast(batch, node, given):
    x, shape = given[0], tuple(node.attributes["shape"])
    if not all(isinstance(size, int) for size in shape) or batch.known_size is None:
        return NotImplemented
    return np.broadcast_to(x.aligned(len(shape)), (batch.known_size, *shape))


def _relaxed(batch, node, given):
    shape = (batch.known_size, *node.attributes["shape"])
    return apply(find("relax"), given[0].tensor, shape=shape)


def _summed_to(batch, node, given):
    """Sums to a shape, or broadcasts to one."""
    x, *sizes = given
    if any(one.is_batched for one in sizes):
        return NotImplemented
    staged = [one.tensor for one in sizes]
    if isinstance(batch.tensor(batch.size), Tensor):
        staged.insert(0, batch.tensor(batch.size))
    shape = (batch.known_size, *node.attributes["shape"])
    if node.op.name == "grow_to":
        return apply(node.op, x.aligned(len(shape) - 1), *staged, shape=shape)
    added = x.ndim - (len(shape) - 1)
    tensor = x.tensor
    if added:
        tensor = np.sum(tensor, axis=tuple(range(1, 1 + added)), dtype=x.type.dtype)
    return apply(node.op, tensor, *staged, shape=shape)


AXIS_RULES: dict[str, Rule] = {  # op names: a rule for each
    "size": _size,
    "relax": _relaxed,
    "transpose": _transposed,
    "swapaxes": _swapped,
    "expand_dims": _expanded,
    "squeeze": _squeezed,
    "diagonal": _diagonal,
    "flip": _flipped,
    "roll": _rolled,
    "ravel": _raveled,
    "reshape": _reshaped,
    "reshape_to": _reshaped,
    "broadcast_to": _broadcast,
    "sum_to": _summed_to,
    "grow_to": _summed_to,
    **dict.fromkeys(
        ("sum", "prod", "mean", "max", "min", "any", "all", "var", "std", "argmax", "argmin"),
        _reduced,
    ),
    **dict.fromkeys(("cumsum", "cumprod", "sort", "argsort"), _scanned),
}
