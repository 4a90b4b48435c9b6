"""Costs: about how long an operation takes, from the shapes of its operands.

    np.exp(f64[1000])                     1,000 elements, 8 ns each: 8 us
    f64[1000, 1000] @ f64[1000, 1000]     1e9 products, 0.04 ns each: 40 ms

Figures are for one core of an ordinary machine; they need not be better than a factor of three, as
they only decide what is worth another thread.  What has a dimension of unknown size costs nothing;
nor does what NumPy leaves to BLAS and LAPACK, which have threads of their own, unless the
environment says that they have not (`OMP_NUM_THREADS=1`).

Costs exist for operations that may be computed beside others: they read their operands, have no
effect, warn of nothing but floating-point errors, and leave Python's interpreter to others while
they compute.
"""

import math
import os

import numpy as np

from runtime.ir.graph import Node, Operand, operand_type
from runtime.ir.types import ListType, TensorType


def _each(table: dict[str, float]) -> dict[str, float]:
    """The figure of every name in a table whose keys are several names."""
    return {name: figure for names, figure in table.items() for name in names.split()}


# Nanoseconds for each element of a result.
ELEMENT = 1.0
SLOW = _each(
    {
        "exp exp2 expm1 log log2 log10 log1p sin cos tan arctan tanh sinh cosh cbrt": 8.0,
        "arcsin arccos arctan2 arcsinh arccosh arctanh logaddexp logaddexp2 hypot": 20.0,
        "power float_power fmod remainder floor_divide divmod divide": 5.0,
    }
)
OTHERS = _each(
    {
        "pow": 5.0,
        "take getitem": 3.0,
        "where": 2.0,
        "copy cast full arange outer": 1.0,
        "concatenate stack": 1.0,
    }
)
FREE = {"zero", "constant", "relax", "truth", "not_", "size"}
# Nanoseconds for each element of the operand.
REDUCTIONS = _each(
    {
        "sum prod max min any all mean argmax argmin": 0.7,
        "cumsum cumprod var std": 3.0,
        "sort argsort": 50.0,
    }
)
# Nanoseconds for each product of two elements, by BLAS and by NumPy itself.
PRODUCT, PLAIN_PRODUCT = 0.04, 1.0
# Nanoseconds for the third power of a matrix's size.
CUBIC = _each(
    {
        "linalg_inv linalg_det linalg_solve linalg_cholesky linalg_qr": 0.1,
        "linalg_svd linalg_eigh linalg_eigvalsh linalg_pinv": 0.5,
    }
)
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
    name = node.op.name
    if name in CUBIC:
        return 0.0 if blas_has_threads() else CUBIC[name] * _elements(node.inputs[0]) ** 1.5
    if name in ("matmul", "dot"):
        return _products(node)
    if name in REDUCTIONS:
        return _reduction(node)
    if name == "cast" and not _keeps_parts(node):
        return None  # NumPy warns of a lost imaginary part
    if name in FREE or node.op.shares and not _gathers(node):
        return 0.0
    if name in OTHERS or _is_elementwise(node):
        return OTHERS.get(name, SLOW.get(name, ELEMENT)) * max(map(_elements, node.outputs))
    return None


def _is_elementwise(node):
    function = node.op.numpy
    return isinstance(function, np.ufunc) and function.signature is None and not node.attributes


def _elements(operand: Operand) -> float:
    """How many elements an array has; 0 where that is not known."""
    shape = operand_type(operand).shape
    return math.prod(shape) if all(isinstance(size, int) for size in shape) else 0


def _products(node):
    left = operand_type(node.inputs[0])
    inner = left.shape[-1] if left.shape else 1
    products = _elements(node.output) * (inner if isinstance(inner, int) else 0)
    if node.output.type.dtype.char not in "fdFD":
        return PLAIN_PRODUCT * products
    return 0.0 if blas_has_threads() else PRODUCT * products


def _reduction(node):
    """NumPy warns where a mean has no elements, or a variance too few."""
    elements = _elements(node.inputs[0])
    if node.op.name in ("mean", "var", "std") and (not elements or node.attributes.get("ddof")):
        return None
    return REDUCTIONS[node.op.name] * elements


def _keeps_parts(node):
    kind = operand_type(node.inputs[0])
    is_complex = isinstance(kind, TensorType) and kind.dtype.kind == "c"
    return not is_complex or node.output.type.dtype.kind == "c"


def _gathers(node):
    """Whether a subscript has arrays in it, so that it copies elements."""
    return any(getattr(operand_type(operand), "shape", ()) for operand in node.inputs[1:])
