"""Elementwise ops for a whole batch, with NumPy's promotion.

    x + y       each element has x: f64[3] and y: f64      x + y[:, None]
    n // m      of Python ints                             a loop over Python ints (`scalars`)

A Python scalar is weak beside an array, and so are batched Python scalars.
"""

from typing import Any

import numpy as np

from runtime.ir.graph import Node
from runtime.ir.op import find
from runtime.ir.types import BoxType, PythonType, TensorType
from runtime.tracing.tensor import apply
from runtime.transforms.vmap.interpreter import BatchInterpreter
from runtime.transforms.vmap.values import Rule, RuleOperand


def elementwise(batch: BatchInterpreter, node: Node, given: list[RuleOperand]) -> Any:
    """Arithmetic on arrays, with the dtypes that a single element would have."""
    kinds = [one.type for one in given]
    results = [value.type for value in node.outputs]
    is_power = node.op.name == "pow"
    if any(isinstance(kind, PythonType) for kind in results) or all(
        isinstance(kind, PythonType) for kind in kinds
    ):
        return _as_numbers(node, given)
    if is_power and all(kind.ndim == 0 and not isinstance(kind, BoxType) for kind in kinds):
        return _as_numbers(node, given)
    ufunc = getattr(node.op.infer, "ufunc", node.op.numpy)
    weak = [kind.kind if isinstance(kind, PythonType) else kind.dtype for kind in kinds]
    weak = [np.dtype(bool) if kind is bool else kind for kind in weak]
    if isinstance(ufunc, np.ufunc):
        wanted = ufunc.resolve_dtypes((*weak, *[None] * ufunc.nout))
    else:  # weak operands take the dtype of the others
        common = np.result_type(*(k(0) if isinstance(k, type) else k for k in weak))
        wanted = [common] * len(weak)
    if node.op.traits.comparison:  # a Python int may be out of the other's range
        wanted = [None if kind is int else dtype for kind, dtype in zip(weak, wanted, strict=False)]
    rank = max(one.ndim for one in given)
    operands = [
        of_dtype(one, dtype).aligned(rank) for one, dtype in zip(given, wanted, strict=False)
    ]
    return apply(node.op, *operands, **node.attributes)


def _as_numbers(node, given):
    """Each element by itself, as a Python or NumPy scalar."""
    kinds = tuple(one.type for one in given)
    types = tuple(value.type for value in node.outputs)
    attributes = {"by": node.op.name, "kinds": kinds, "types": types}
    if node.attributes:
        attributes["options"] = tuple(node.attributes.items())
    return apply(find("scalars"), *[one.tensor for one in given], **attributes)


def of_dtype(one: RuleOperand, dtype: Any) -> RuleOperand:
    """Batched Python scalars, converted to the dtype that these take beside an array."""
    if not one.is_weak or dtype is None or one.type.dtype == dtype:
        return one
    fits = one.type.dtype.kind in "iu" and dtype.kind in "iu"
    converted = apply(find("fitted" if fits else "cast"), one.tensor, dtype=dtype)
    return RuleOperand(converted, one.type, True)


def _where(batch, node, given):
    condition, *sides = given
    sides = [of_dtype(side, node.output.type.dtype) for side in sides]
    rank = max(one.ndim for one in given)
    return np.where(condition.aligned(rank), *[side.aligned(rank) for side in sides])


def _same(batch, node, given):
    """Ops on one array, without axes."""
    return apply(node.op, given[0].tensor, **node.attributes)


def _unchanged(batch, node, given):
    """Ops that change the type of a value only."""
    return given[0].tensor


def _copied(batch, node, given):
    return apply(find("copy"), given[0].tensor)


def _truth(batch, node, given):
    x = given[0]
    rest = [size for size in x.type.shape if size != 1]
    if rest:
        return NotImplemented  # whose size is one in a run
    return np.not_equal(batch.reshaped(x.tensor, ()), 0)


def _not(batch, node, given):
    return np.logical_not(_truth(batch, node, given)) if given[0].ndim == 0 else NotImplemented


def _number(batch, node, given):
    x, kind = given[0], node.attributes["type"]
    if x.ndim or x.type.dtype.kind == "c" or x.type.dtype.kind in "fu" and kind.kind is int:
        flat = batch.reshaped(x.tensor, ())
        return _as_numbers(node, [RuleOperand(flat, TensorType(x.type.dtype), True)])
    return apply(find("cast"), x.tensor, dtype=kind.dtype)


ELEMENTWISE_RULES: dict[str, Rule] = {  # op names: a rule for each
    "where": _where,
    "cast": _same,
    "real": _same,
    "imag": _same,
    "alias": _same,
    "stop_gradient": _same,
    "recomputed": _same,
    "zero_like": _same,
    "box": _unchanged,
    "copy": _copied,
    "truth": _truth,
    "not_": _not,
    "number": _number,
}
