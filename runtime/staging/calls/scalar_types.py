"""NumPy's scalar types as functions, and `np.isscalar`.

np.float32(x)          cast(x, dtype=f32)
np.float64(text)       the number that the text of a run shows
np.float64(y)          NaN in a run in which `y` is None
"""

import numpy as np

from autograph.constructs.ternary import if_expr
from autograph.functions.calls import converted_call
from runtime.ir.op import find
from runtime.ir.types import BOOL, DTYPE_NAMES, PythonType, StringType, TensorType, is_array
from runtime.staging.calls.registry import answers, register_call
from runtime.tracing.conversion import cast
from runtime.tracing.maybe import MaybeNone
from runtime.tracing.numpy_api.dispatch import call_library
from runtime.tracing.read_as_array import ReadAsArray
from runtime.tracing.tensor import Tensor, apply, is_staged, staged

# The functions that read a text as NumPy's scalar types do, by kinds of dtypes.
PARSED = {"b": bool, "i": int, "u": int, "f": float, "c": complex}


def _scalar_type(kind):
    """The replacement of `np.float32` and other scalar types."""

    def convert(*args):
        if len(args) == 1 and isinstance(args[0], MaybeNone):
            present = args[0].__unchecked__()
            return if_expr(args[0].__is_none__, lambda: kind(None), lambda: convert(present))
        if len(args) == 1 and isinstance(args[0], ReadAsArray):
            return convert(args[0].numbers())
        if len(args) == 1 and isinstance(args[0], Tensor):
            if isinstance(args[0].type, PythonType):
                return call_library(kind, args, {})
            if isinstance(args[0].type, StringType):
                return convert(converted_call(PARSED[np.dtype(kind).kind])(args[0]))
            return cast(args[0], TensorType(np.dtype(kind), args[0].type.shape))
        if len(args) == 1 and is_staged(args[0]):
            return staged(args[0]).astype(kind)
        return kind(*args)

    convert.__name__ = kind.__name__
    return convert


for _dtype in DTYPE_NAMES:
    register_call(_dtype.type, _scalar_type(_dtype.type))


@answers(np.isscalar)
def staged_isscalar(element):
    """Whether a value is a scalar."""
    if isinstance(element, MaybeNone):
        if is_array(element.type):
            return False
        return cast(apply(find("not_"), element.__is_none__), BOOL)
    return not is_array(element.type) if isinstance(element, Tensor) else np.isscalar(element)
