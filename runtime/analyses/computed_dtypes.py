"""The dtypes in which NumPy computes an elementwise op: those to which it casts the operands.

f32[3] + i32[3]     f64, f64        int8[3] + 5     i8, i8        2 ** 3.0     f64, f64
"""

import numpy as np

from runtime.ir.graph import Node, operand_type
from runtime.ir.types import BOOL, PythonType


def is_python(node: Node) -> bool:
    """Whether all operands are Python scalars, so that the op has Python's meaning."""
    return all(isinstance(operand_type(operand), PythonType) for operand in node.inputs)


def computed_dtypes(node: Node) -> tuple[np.dtype, ...]:
    """The dtype of each operand, as the loop of the ufunc takes it.

    Raises `TypeError` for an op that is no ufunc, or has no loop for its operands.
    """
    kinds = [operand_type(operand) for operand in node.inputs]
    ufunc = getattr(node.op.infer, "ufunc", None)
    if is_python(node) and (node.op.traits.comparison or ufunc is not None):
        results = [] if node.op.traits.comparison else [value.type.dtype for value in node.outputs]
        return (np.result_type(*(kind.dtype for kind in kinds), *results),) * len(kinds)
    ufunc = ufunc or node.op.numpy
    if not isinstance(ufunc, np.ufunc):
        raise TypeError(f"{node.op.name} is no ufunc of NumPy")
    given = [
        kind.kind
        if isinstance(kind, PythonType) and kind is not BOOL and not is_python(node)
        else kind.dtype
        for kind in kinds
    ]
    resolved: tuple[np.dtype, ...] = ufunc.resolve_dtypes((*given, *[None] * ufunc.nout))
    return resolved[: len(kinds)]
