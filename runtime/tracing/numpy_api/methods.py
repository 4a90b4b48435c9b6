"""The methods and attributes of staged arrays and NumPy scalars.

    x.sum(axis=0)           calls the NumPy function of the same name
    x.sort()                writes into the array
    x.nbytes, x.mT          attributes

`strides` and `flags` depend on the memory layout of an array (`memory_layout.py`).
"""

import dis
import functools
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.functions.policy import is_users_file
from runtime.errors import MemoryLayoutError, staging_error, unsupported
from runtime.ir.op import find
from runtime.ir.types import (
    COMPLEX,
    PYTHON_TYPES,
    PythonType,
    TensorType,
    UnionType,
    array_type,
    is_array,
)
from runtime.ops.library import ELEMENT_METHODS, viewed
from runtime.spellings.members import ARRAYS, noted
from runtime.tracing import trace
from runtime.tracing.constant_values import UNKNOWN, constant_value
from runtime.tracing.conversion import cast
from runtime.tracing.foreign_operands import by_method, holds_foreign, recorded
from runtime.tracing.matching import reads_class
from runtime.tracing.numpy_api.dispatch import call_library
from runtime.tracing.numpy_api.foreign_calls import drop_repetition, record_write
from runtime.tracing.numpy_api.memory_layout import StagedFlags, strides
from runtime.tracing.numpy_api.registry import supported_functions
from runtime.tracing.numpy_api.shape_assignment import assign_shape
from runtime.tracing.requirements import require
from runtime.tracing.tensor import Tensor, apply, staged
from runtime.tracing.unions import Unions, note_use

IN_MEMORY = {"base", "data", "ctypes", "tobytes", "dump", "dumps", "tofile"}
IN_MEMORY |= {"__array_interface__", "__array_struct__", "__dlpack__"}
READ_FROM_MEMORY = {"tobytes"}  # of a value that is known while the graph is built
NOT_ONE = "can only convert an array of size 1 to a Python scalar"
READS = {dis.opmap[name] for name in ("LOAD_ATTR", "LOAD_METHOD") if name in dis.opmap}
METHODS: dict[str, Callable] = {}
ATTRIBUTES: dict[str, Callable] = {}


def _method(function):
    METHODS[function.__name__] = function
    return function


def _attribute(function):
    ATTRIBUTES[function.__name__] = function
    return function


def attribute(tensor: Tensor, name: str, is_written: bool = False) -> Any:
    """The attribute of a staged value that is not defined on `Tensor` itself.

    The array protocols that only NumPy's own code reads do not exist, since NumPy then tries
    others; where the user's code names one (`is_written`), it is refused.
    """
    if isinstance(tensor.type, UnionType):
        is_users = is_written or reads_class(sys._getframe(1))
        if is_users and trace.current().state(Unions).are_kept:
            return _of_each_type(tensor, name)
        tensor = _as_widest(tensor, name)
    if name in ATTRIBUTES and not isinstance(tensor.type, PythonType):
        return ATTRIBUTES[name](tensor)
    owner = class_of(tensor)
    is_protocol = name.startswith("__") and name not in METHODS
    is_written = is_written or not is_protocol or _is_written(sys._getframe(1))
    if not hasattr(owner, name) or not is_written:
        shown = owner.__name__ if isinstance(tensor.type, PythonType) else f"numpy.{owner.__name__}"
        error = AttributeError(f"'{shown}' object has no attribute '{name}'", name=name, obj=None)
        if not is_protocol:
            noted(error, name, ARRAYS, dir(owner))
        raise error
    found = METHODS.get(name)
    if found is None and name in _functions():
        return _method_of(tensor, name, getattr(np, name))
    if found is None and name in ELEMENT_METHODS:
        return lambda: call_library(ELEMENT_METHODS[name], (tensor,), {})
    if found is not None:
        return _method_of(tensor, name, found)
    if name in READ_FROM_MEMORY:
        known = constant_value(tensor._value)
        if known is not UNKNOWN:
            return getattr(known, name)
    if name in IN_MEMORY:
        raise staging_error(
            f"{name!r} of a staged array is not known",
            "It depends on the memory layout of the array, and graphs have values only.",
            "Use it outside of the function.",
            MemoryLayoutError,
        )
    raise unsupported(f"the attribute {name!r} of arrays")


def _method_of(tensor, name, function):
    """The method of a staged value; with an operand of another package a run calls NumPy's."""

    def method(*args, **kwargs):
        if holds_foreign(args, kwargs):
            return recorded(by_method, tensor, name, *args, **kwargs)
        try:
            return function(tensor, *args, **kwargs)
        except TypeError as error:
            drop_repetition(error)
            raise

    return method


def _of_each_type(tensor, name):
    """The attribute or method of a scalar of which only the run knows the type: that of the type
    which the run has."""
    if any(callable(getattr(class_of_type(kind), name, None)) for kind in tensor.type.options):
        return lambda *args, **kwargs: tensor.each_type(
            lambda one: getattr(one, name)(*args, **kwargs)
        )
    return tensor.each_type(lambda one: attribute_of_run(one, name))


def attribute_of_run(tensor, name):
    """The attribute of a staged value, as the user's code reads it."""
    if hasattr(type(tensor), name) and hasattr(class_of(tensor), name):
        return getattr(tensor, name)
    return attribute(tensor, name, is_written=True)


def _as_widest(tensor, name):
    """A scalar of which only the run knows the type, as the widest of its types."""
    if name != "astype":
        note_use(trace.current(), tensor._value)
    return cast(tensor, tensor.type.widest)


@functools.cache
def _functions():
    """The names of the array methods that are equivalent to the NumPy function of the same name."""
    answered = {function.__name__ for function in supported_functions()}
    others = {"resize"}  # the method resizes the array in place, and pads with zeros
    return {
        name
        for name in answered - others
        if callable(getattr(np.ndarray, name, None)) and hasattr(np, name)
    }


def _is_written(frame):
    """Whether the user's code reads an attribute in this frame; NumPy reads protocols itself."""
    return is_users_file(frame.f_code.co_filename) and frame.f_code.co_code[frame.f_lasti] in READS


def class_of(tensor: Tensor) -> type:
    """The class that the value has at run time."""
    return class_of_type(tensor.type)


def class_of_type(kind: Any) -> type:
    """The class of the values of a type."""
    if isinstance(kind, PythonType):
        return kind.kind
    return np.ndarray if is_array(kind) else kind.dtype.type


# -- attributes ------------------------------------------------------------------------------------


@_attribute
def itemsize(x):
    return x.dtype.itemsize


@_attribute
def nbytes(x):
    return x.size * x.dtype.itemsize


@_attribute
def mT(x):
    return np.matrix_transpose(x)


ATTRIBUTES["flags"] = StagedFlags
ATTRIBUTES["strides"] = strides


@_attribute
def device(x):
    return "cpu"


# -- methods ---------------------------------------------------------------------------------------


@_method
def var(x, axis=None, dtype=None, out=None, ddof=0, keepdims=False, **options):
    """Variance."""
    return _spread(np.var, x, (axis, dtype, out, ddof, keepdims), options)


@_method
def std(x, axis=None, dtype=None, out=None, ddof=0, keepdims=False, **options):
    """Standard deviation."""
    return _spread(np.std, x, (axis, dtype, out, ddof, keepdims), options)


def _spread(function, x, args, options):
    for name in options:
        if name not in ("where", "mean"):
            raise TypeError(f"_{function.__name__}() got an unexpected keyword argument '{name}'")
    return function(x, *args, **options)


@_method
def clip(x, min=None, max=None, out=None, **options):
    """Limited to an interval."""
    return np.clip(x, min, max, out=out, **options)


@_method
def astype(x, dtype, order="K", casting="unsafe", subok=True, copy=True):
    """The array cast to another dtype."""
    dtype = np.dtype(dtype)
    loses_parts = x.dtype.kind == "c" and dtype.kind in "biuf"  # of which the run warns
    if not isinstance(x.type, PythonType) and not (loses_parts and casting == "unsafe"):
        np.zeros((0,) if is_array(x.type) else (), x.dtype).astype(dtype, casting=casting)
    if dtype == x.dtype and not isinstance(x.type, (PythonType, UnionType)):
        if not copy and order in ("C", "F") and x.ndim:
            is_fortran = order == "F" and x.ndim > 1
            return call_library(np.asfortranarray if is_fortran else np.ascontiguousarray, (x,), {})
        return x if not copy or not is_array(x.type) else copied(x, order)
    made = array_type if is_array(x.type) else TensorType
    found = cast(x, made(dtype, x.type.shape))
    return found if order == "K" or x.ndim < 2 else copied(found, order)


@_method
def copy(x, order="C"):
    """A copy."""
    return copied(x, order)


def copied(x, order):
    """A copy with the given memory order."""
    if order == "C" or not is_array(x.type):
        return apply(find("copy"), x)
    return call_library(np.copy, (x,), {"order": order})


@_method
def reshape(x, *shape, **options):
    """The same elements in another shape."""
    return np.reshape(x, shape[0] if len(shape) == 1 else shape, **options)


@_method
def transpose(x, *axes):
    """The axes in another order."""
    axes = axes[0] if len(axes) == 1 else axes or None
    return np.transpose(x) if axes is None else np.transpose(x, axes)


@_method
def flatten(x, order="C"):
    """All elements in one dimension, copied."""
    return np.ravel(x, order=order).copy()


@_method
def view(x, dtype=None):
    """A new handle of the array itself; another dtype reinterprets the memory."""
    if dtype is not None and np.dtype(dtype) != x.dtype:
        trace.check_dtype(np.dtype(dtype))
        return call_library(viewed, (x, np.dtype(dtype)), {})
    return x[...] if is_array(x.type) else x


@_method
def byteswap(x, inplace=False):
    """The bytes of each element in reverse order."""
    target = x if inplace else x.copy()
    record_write(np.ndarray.byteswap, (target, True), {})
    return target


@_method
def compress(x, condition, axis=None, out=None):
    """The slices that a condition selects."""
    return np.compress(condition, x, axis=axis, out=out)


@_method
def conj(x):
    """The complex conjugate; of real numbers the value itself."""
    return np.conjugate(x) if x.dtype.kind == "c" else x


@_method
def conjugate(x):
    """The complex conjugate; of real arrays the array itself."""
    if not isinstance(x.type, PythonType):
        return conj(x)
    return apply(find("of_parts"), x.real, -x.imag) if x.type is COMPLEX else +x


@_method
def fill(x, value):
    """Gives all elements one value."""
    if np.ndim(value) or not is_array(x.type):
        x = x if is_array(x.type) else np.array(x)
        record_write(np.ndarray.fill, (x, value), {})
    else:
        x[...] = value


@_method
def sort(x, axis=-1, kind=None, order=None, *, stable=None):
    """Sorts the array in place."""
    options = {"kind": kind, "stable": stable}
    options = {name: value for name, value in options.items() if value is not None}
    if order is not None:
        raise unsupported("x.sort(order=)")
    record_write(np.ndarray.sort, (x if is_array(x.type) else np.array(x), axis), options)


@_method
def partition(x, kth, axis=-1, kind="introselect", order=None):
    """Partially sorts the array in place."""
    record_write(np.ndarray.partition, (x, kth, axis, kind), {})


@_method
def put(x, indices, values, mode="raise"):
    """Assigns values to elements of the flattened array."""
    record_write(np.put, (x, indices, values), {"mode": mode})


@_method
def item(x, *at):
    """An element as a Python scalar."""
    if isinstance(x.type, PythonType):
        return x
    if len(at) == 1 and not isinstance(at[0], tuple):
        x = np.ravel(x)
    if at:
        x = x[at[0] if isinstance(at[0], tuple) else at]
    elif any(isinstance(size, int) and size != 1 for size in x.type.shape):
        raise ValueError(NOT_ONE)
    elif x.type.shape:
        if None in x.type.shape:
            require(staged(np.size(x)) == 1, ValueError, NOT_ONE)
        x = x[(0,) * x.ndim]
    return cast(x, PYTHON_TYPES[type(x.dtype.type(0).item())])


@_method
def bit_length(x):
    """The number of bits of a Python int."""
    return apply(find("bit_length"), x)


@_method
def to_device(x, device, *, stream=None):
    """The array itself: graphs run on the CPU."""
    if device != "cpu":
        raise ValueError(f'Unsupported device: "{device}". Only "cpu" is allowed.')
    return x


# -- Tensor's own attributes that need the functions above -----------------------------------------


Tensor.__getattr__ = attribute  # type: ignore[attr-defined]
Tensor.users_attribute = functools.partialmethod(attribute, is_written=True)  # type: ignore[attr-defined]
Tensor.shape = Tensor.shape.setter(assign_shape)  # type: ignore[attr-defined]
