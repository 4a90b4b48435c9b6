"""Costs: about how long an operation takes, from the shapes of its operands.

    np.exp(f64[1000])                     1,000 elements, 8 ns each: 8 us
    f64[1000, 1000] @ f64[1000, 1000]     1e9 products, 0.04 ns each: 40 ms

Figures are for one core of an ordinary machine; they need not be better than a factor of three, as
they only decide which parts are worth another thread. Operations of unknown size cost nothing, nor
do those of BLAS and LAPACK, which have threads of their own, unless the environment disables these
(`OMP_NUM_THREADS=1`).

Costs exist for operations that may be computed beside others: they read their operands, have no
effect, warn of nothing but floating-point errors, and leave Python's interpreter to others while
they compute.
"""

import math
import os
from typing import Any

from runtime.analyses.sizes import shape_of
from runtime.ir.graph import Node, Operand, operand_type
from runtime.ir.traits import Per
from runtime.ir.types import ListType

# Nanoseconds for each product of two elements that NumPy computes itself, without BLAS.
PLAIN_PRODUCT = 1.0
SETTINGS_OF_BLAS = (
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "BLIS_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
    "OMP_NUM_THREADS",
)


def blas_has_threads() -> bool:
    """Whether BLAS may compute in several threads: unless a setting says that it has one."""
    return not any(os.environ.get(name) == "1" for name in SETTINGS_OF_BLAS)


def cost(node: Node) -> float | None:
    """About how many nanoseconds an operation takes; None where it must not run beside others."""
    kinds = [*map(operand_type, node.inputs), *(value.type for value in node.outputs)]
    if node.op.effect or node.regions or any(isinstance(kind, ListType) for kind in kinds):
        return None
    traits = node.op.traits
    if traits.warns is not None and traits.warns(node):
        return None
    if node.op.shares and not _gathers(node):
        return 0.0
    return None if traits.cost is None else _counted(traits.cost, node)


def _counted(cost: Any, node: Node) -> Any:
    match cost.per:
        case Per.NOTHING:
            return 0.0
        case Per.RESULT:
            return cost.nanoseconds * max(map(_elements, node.outputs))
        case Per.OPERAND:
            return cost.nanoseconds * _elements(node.inputs[0])
        case Per.PRODUCT:
            return _products(cost.nanoseconds, node)
        case Per.MATRIX:
            in_threads = blas_has_threads()
            return 0.0 if in_threads else cost.nanoseconds * _elements(node.inputs[0]) ** 1.5


def _elements(operand: Operand) -> float:
    """How many elements an array has; 0 where that is not known."""
    shape = shape_of(operand)
    sizes = [size for size in shape if isinstance(size, int)]
    return math.prod(sizes) if len(sizes) == len(shape) else 0


def _products(nanoseconds: Any, node: Node) -> Any:
    left = shape_of(node.inputs[0])
    inner = left[-1] if left else 1
    products = _elements(node.output) * (inner if isinstance(inner, int) else 0)
    dtype = node.output.type.dtype
    if dtype is None or dtype.char not in "fdFD":
        return PLAIN_PRODUCT * products
    return 0.0 if blas_has_threads() else nanoseconds * products


def _gathers(node: Node) -> bool:
    """Whether a subscript has arrays in it, so that it copies elements."""
    return any(getattr(operand_type(operand), "shape", ()) for operand in node.inputs[1:])
