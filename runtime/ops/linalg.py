"""Matrix and vector products."""

import numpy as np

from runtime.ir.broadcasting import ShapeError, broadcast
from runtime.ir.derivative import Adjoint
from runtime.ir.op import Op
from runtime.ir.traits import Cost, Per, Traits
from runtime.ir.types import TensorType, promote, tensor_type
from runtime.ops.adjoints import products


def _contracted(x, y, left, right):
    if isinstance(left, int) and isinstance(right, int) and left != right:
        raise ShapeError(f"shapes {x.shape} and {y.shape} do not match: {left} is not {right}")


def _matmul_rule(x, y):
    if x.ndim == 0 or y.ndim == 0:
        raise ValueError("matmul takes arrays with at least one dimension; use * for scalars")
    dtype = tensor_type(promote(x, y)).dtype
    _contracted(x, y, x.shape[-1], y.shape[-2 if y.ndim > 1 else 0])
    rows = x.shape[-2:-1]
    columns = y.shape[-1:] if y.ndim > 1 else ()
    return TensorType(dtype, (*broadcast(x.shape[:-2], y.shape[:-2]), *rows, *columns))


matmul = Op(
    "matmul",
    "Matrix product over the last two axes; a vector is a row on the left, a column on the right.",
    _matmul_rule,
    "x @ y",
    np.matmul,
    arity=2,
    traits=Traits(bilinear=True, cost=Cost(0.04, Per.PRODUCT)),
    derivative=Adjoint(products.matmul),
)


def _dtype_of_arrays(x, y):
    """The dtype of a product that first converts Python scalars to arrays."""
    return tensor_type(np.result_type(x.dtype, y.dtype)).dtype


def _dot_rule(x, y):
    dtype = _dtype_of_arrays(x, y)
    if x.ndim == 0 or y.ndim == 0:
        return TensorType(dtype, x.shape or y.shape)
    inner = -2 if y.ndim > 1 else 0
    _contracted(x, y, x.shape[-1], y.shape[inner])
    rest = y.shape[:-2] + y.shape[-1:] if y.ndim > 1 else ()
    return TensorType(dtype, x.shape[:-1] + rest)


dot = Op(
    "dot",
    "Dot product: sums of products over the last axis of x and the second-to-last axis of y.",
    _dot_rule,
    "xp.dot(x, y)",
    np.dot,
    arity=2,
    traits=Traits(bilinear=True, cost=Cost(0.04, Per.PRODUCT)),
    derivative=Adjoint(products.dot),
)
outer = Op(
    "outer",
    "Outer product: the products of each element of x with each element of y.",
    lambda x, y: TensorType(_dtype_of_arrays(x, y), (_elements(x.shape), _elements(y.shape))),
    "xp.outer(x, y)",
    np.outer,
    arity=2,
    traits=Traits(bilinear=True, cost=Cost(1.0)),
    derivative=Adjoint(products.outer),
)


def _elements(shape):
    return None if any(not isinstance(s, int) for s in shape) else int(np.prod(shape, dtype=int))
