"""Products of matrices and vectors, and functions that are one NumPy call, for a batch.

x @ y                  x[:, None, :] @ y[:, :, None]      vectors become matrices
np.linalg.inv(x)       the same                           NumPy takes stacks of them
np.median(x)           np.median(x, axis=1)
"""

import numpy as np

from runtime.ir.slot import Slot
from runtime.ir.traits import Batching
from runtime.ir.types import TensorType
from runtime.tracing.tensor import apply
from runtime.transforms.vmap.axes import batched_axis, flat
from runtime.transforms.vmap.elementwise import of_dtype
from runtime.transforms.vmap.values import Rule, RuleOperand


def _product(batch, node, given):
    """Products of matrices and vectors, each batched or unbatched."""
    x, y = given
    if x.ndim == 0 or y.ndim == 0:  # np.dot with numbers
        rank = max(x.ndim, y.ndim)
        dtype = node.output.type.dtype
        return np.multiply(of_dtype(x, dtype).aligned(rank), of_dtype(y, dtype).aligned(rank))
    if node.op.name == "dot" and y.ndim > 2:
        return NotImplemented
    if not x.is_batched and (x.ndim, y.ndim) == (2, 1):  # one product of matrices for all
        return np.matmul(y.tensor, np.transpose(x.tensor))
    left, right = _as_matrices(x, -2), _as_matrices(y, -1)
    rank = max(x.ndim, y.ndim, 2)
    if node.op.name == "dot" and y.ndim < 3:
        rank = max(x.ndim, 2)
    left = RuleOperand(left, _matrix_type(x, -2), x.is_batched).aligned(rank)
    right = RuleOperand(right, _matrix_type(y, -1), y.is_batched).aligned(rank)
    found = np.matmul(left, right)
    found = np.squeeze(found, -1) if y.ndim == 1 else found
    return np.squeeze(found, -1 if y.ndim == 1 else -2) if x.ndim == 1 else found


def _as_matrices(one, axis):
    return np.expand_dims(one.tensor, axis) if one.ndim == 1 else one.tensor


def _matrix_type(one, axis):
    if one.ndim > 1:
        return one.type
    (size,) = one.type.shape
    return TensorType(one.type.dtype, (1, size) if axis == -2 else (size, 1))


def _outer(batch, node, given):
    x, y = (flat(batch, one) if one.is_batched else np.ravel(one.tensor) for one in given)
    return np.multiply(x[..., :, None], y[..., None, :])


# -- functions that NumPy executes as one call -----------------------------------------------------


def _stack_of_matrices(batch, node, given):
    """NumPy functions that accept stacks of matrices, and no other batched argument."""
    if _batched_at(node, given) != [0] or given[0].ndim < 2:
        return NotImplemented
    return apply(node.op, *[one.tensor for one in given], **node.attributes)


def _along_last(batch, node, given):
    """Transforms along an axis; the default is the last one."""
    named = dict(node.attributes["named"])
    if _batched_at(node, given) != [0] or len(node.attributes["given"]) > 2:
        return NotImplemented
    if "axis" in named:
        named["axis"] = batched_axis(named["axis"], given[0].ndim)
    attributes = {**node.attributes, "named": tuple(named.items())}
    return apply(node.op, *[one.tensor for one in given], **attributes)


def _called_elementwise(batch, node, given):
    """Elementwise functions."""
    rank = max(one.ndim for one in given)
    if any(one.is_weak for one in given) or node.output.type.ndim != rank:
        return NotImplemented
    return apply(node.op, *[one.aligned(rank) for one in given], **node.attributes)


def _called_reduction(batch, node, given):
    """Functions of an array and an axis; without one, of the flattened array."""
    named = dict(node.attributes["named"])
    if _batched_at(node, given) != [0] or len(node.attributes["given"]) > 1 or given[0].ndim == 0:
        return NotImplemented
    x, axis = given[0], named.pop("axis", None)
    if axis is None and named.get("keepdims"):
        return NotImplemented
    tensor = flat(batch, x) if axis is None else x.tensor
    named["axis"] = 1 if axis is None else batched_axis(axis, x.ndim)
    return apply(node.op, tensor, given=(Slot(0),), named=tuple(named.items()))


def _batched_at(node, given):
    """The positions of batched operands, if each operand is an argument by itself."""
    plain = [part for part in node.attributes["given"] if isinstance(part, Slot)]
    if plain[:1] != [Slot(0)] or given[0].is_weak:
        return []
    return [i for i, one in enumerate(given) if one.is_batched]


def _solved(batch, node, given):
    """Linear systems; the matrix and the right side may be batched or not."""
    a, b = given[:2]
    if len(given) != 2 or a.is_weak or b.is_weak or node.attributes["named"]:
        return NotImplemented
    right = b.tensor if b.ndim > 1 else np.expand_dims(b.tensor, -1)
    kind = b.type if b.ndim > 1 else TensorType(b.type.dtype, (*b.type.shape, 1))
    rank = max(a.ndim, kind.ndim)
    left, right = a.aligned(rank), RuleOperand(right, kind, b.is_batched).aligned(rank)
    found = apply(node.op, left, right, **node.attributes)
    return found if b.ndim > 1 else np.squeeze(found, -1)


CALL_RULES: dict[str, Rule] = {  # op names: a rule for each
    "matmul": _product,
    "dot": _product,
    "outer": _outer,
    "linalg_solve": _solved,
}
BATCHING_RULES: dict[Batching, Rule] = {
    Batching.STACK: _stack_of_matrices,
    Batching.LAST_AXIS: _along_last,
    Batching.ELEMENTWISE: _called_elementwise,
    Batching.REDUCTION: _called_reduction,
}
