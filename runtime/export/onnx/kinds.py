"""Types of graphs as types of ONNX.

f64[n, 3]          a tensor of doubles, with the dimension n
int, float, bool   a tensor without dimensions: int64, double, bool
list[f32[2]]       a sequence of tensors
"""

import numpy as np
from onnx import TensorProto, TypeProto, helper

from runtime.ir.types import ListType, PythonType, TensorType, Type

ELEMENTS = {
    np.dtype(np.bool_): TensorProto.BOOL,
    np.dtype(np.int8): TensorProto.INT8,
    np.dtype(np.int16): TensorProto.INT16,
    np.dtype(np.int32): TensorProto.INT32,
    np.dtype(np.int64): TensorProto.INT64,
    np.dtype(np.uint8): TensorProto.UINT8,
    np.dtype(np.uint16): TensorProto.UINT16,
    np.dtype(np.uint32): TensorProto.UINT32,
    np.dtype(np.uint64): TensorProto.UINT64,
    np.dtype(np.float16): TensorProto.FLOAT16,
    np.dtype(np.float32): TensorProto.FLOAT,
    np.dtype(np.float64): TensorProto.DOUBLE,
}


def is_representable(kind: Type) -> bool:
    """Whether ONNX has a type for the values of a type: no complex numbers, texts or tuples."""
    if isinstance(kind, ListType):
        return not isinstance(kind.element, ListType) and is_representable(kind.element)
    return isinstance(kind, (TensorType, PythonType)) and kind.dtype in ELEMENTS


def proto_of(kind: Type) -> TypeProto:
    """The ONNX type of a type that `is_representable` accepts."""
    if isinstance(kind, ListType):
        return helper.make_sequence_type_proto(proto_of(kind.element))
    return helper.make_tensor_type_proto(ELEMENTS[kind.dtype], kind.shape)
