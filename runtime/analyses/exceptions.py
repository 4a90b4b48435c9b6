"""The exceptions that an operation may raise in a run, although its types are right.

    x[i]                 IndexError, unless the index is known to be in range
    np.linalg.inv(x)     LinAlgError
    int(x), 1 / n        ValueError; ZeroDivisionError, of Python scalars

Staging queries them if an operation is inside a `try`: the graph has no handlers
(`staging/control_flow/try_blocks.py`).  Operations that only warn (NumPy's division by zero) raise
nothing, unless `np.errstate` says so.

`may_fail` is the cautious form of the question: it holds unless the record of the op claims enough
to tell that no values of these types make it raise (`passes/unused_failures.py`).
"""

from typing import Any

import numpy as np

from runtime.ir.graph import Node, operand_type
from runtime.ir.op import Op
from runtime.ir.traits import Aliasing, Exceptions
from runtime.ir.types import INT, TensorType, Type


def may_raise(op: Op, types: tuple[Type, ...], attributes: dict[str, Any]) -> Exceptions:
    """The exceptions that an execution of the op may raise, by its record (`Traits.raises`)."""
    raises = op.traits.raises
    return raises(types, attributes) if callable(raises) else raises


def may_fail(node: Node) -> bool:
    """Whether an execution of a node without regions may raise, for some values of its operands."""
    traits, kinds = node.op.traits, tuple(map(operand_type, node.inputs))
    if traits.speculatable is not None and traits.speculatable(node):
        return False
    if may_raise(node.op, kinds, node.attributes) or not _only_sizes_matter(node):
        return True
    arrays = [kind for kind in kinds if isinstance(kind, TensorType) and kind.ndim != 0]
    results = [value.type for value in node.outputs if isinstance(value.type, TensorType)]
    is_alone = traits.elementwise and len(arrays) < 2
    sizes = [size for kind in (*arrays, *results) for size in kind.shape]
    are_known = is_alone or all(isinstance(size, int) for size in sizes)
    return not are_known or _may_overflow(node, arrays + results)


def _only_sizes_matter(node: Node) -> bool:
    """Whether an op raises nothing beside `Traits.raises` if the sizes match."""
    traits = node.op.traits
    is_claimed = traits.elementwise or traits.reduction or traits.recomputable or traits.total
    is_moving = bool(traits.linear) or traits.bilinear or traits.aliases is not Aliasing.FRESH
    return is_claimed or (is_moving and traits.aliases is not Aliasing.ANY)


def _may_overflow(node: Node, kinds: list[TensorType]) -> bool:
    """Whether a Python int meets NumPy integers that may be too small for it."""
    numbers = [one for one in node.inputs if operand_type(one) is INT]
    dtypes = [kind.dtype for kind in kinds if kind.dtype is not None and kind.dtype.kind in "iu"]
    return any(
        not isinstance(number, int) or not np.iinfo(dtype).min <= number <= np.iinfo(dtype).max
        for number in numbers
        for dtype in dtypes
    )
