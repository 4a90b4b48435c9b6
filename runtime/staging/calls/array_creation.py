"""NumPy calls that NumPy's protocols do not dispatch, as converted code makes them.

np.zeros((n, 3)), np.arange(n), np.eye(3)     arrays of the graph, which may be written into
np.array(x), np.asarray([s, t])               staged values as arrays
np.float32(x), np.isscalar(x)                 functions that only accept NumPy's own arrays
"""

import operator
from collections.abc import Iterable
from typing import Any

import numpy as np

from runtime.errors import EffectError, LibraryResultError, staging_error, unsupported
from runtime.ir.op import find
from runtime.ir.pytree import transform
from runtime.ir.types import DTYPE_NAMES, BoxType, PythonType, TensorType, UnionType, is_array
from runtime.staging.calls.array_copies import (
    copy_mode,
    in_order,
    in_order_uncopied,
    order_of,
    refuse_to_copy,
    required,
)
from runtime.staging.calls.plain_arrays import is_of_plain_kind, shares_memory
from runtime.staging.calls.registry import answers, register_call, replacement
from runtime.staging.calls.tuple_rows import as_rows, has_rows
from runtime.staging.lists.staged_tuple import with_list
from runtime.staging.lists.trace_list import TraceList
from runtime.tracing import trace
from runtime.tracing.constant_values import UNKNOWN, constant_value
from runtime.tracing.conversion import cast
from runtime.tracing.numpy_api.dispatch import call_library
from runtime.tracing.numpy_api.positions import index_of, sole_size
from runtime.tracing.read_as_array import ReadAsArray
from runtime.tracing.strings import StagedString, no_array_of_text
from runtime.tracing.tensor import Tensor, apply, is_staged, staged
from runtime.tracing.unions import note_use
from runtime.tracing.widenings import note

# -- arrays of one value, and of numbers in a row --------------------------------------------------


def _filled_with(value, plain):
    """The replacement of `np.zeros`, `np.ones` or `np.empty`."""

    def create(shape, dtype=float, order="C", *, device=None, like=None):
        if np.dtype(dtype) not in DTYPE_NAMES and not is_staged(shape):
            return plain(shape, dtype, order)
        return full(shape, np.dtype(dtype).type(value), dtype, order)

    create.__name__ = plain.__name__
    return create


@answers(np.full)
def full(shape, fill_value, dtype=None, order="C", *, device=None, like=None):
    """An array of one value."""
    if is_of_plain_kind(fill_value, dtype) and not is_staged(shape):
        return np.full(shape, fill_value, dtype, order)
    sizes = _sizes(shape)
    known = tuple(None if isinstance(size, Tensor) else int(size) for size in sizes)
    unknown = [size for size in sizes if isinstance(size, Tensor)]
    options = {} if dtype is None else {"dtype": np.dtype(dtype)}
    if isinstance(fill_value, np.generic):
        options.setdefault("dtype", fill_value.dtype)
        fill_value = fill_value.item()
    made = apply(find("full"), fill_value, *unknown, shape=known, **options)
    return made if order == "C" or len(sizes) < 2 else made.copy(order)


def _sizes(shape):
    """The sizes in a shape, which may be an array; those that are known are Python's ints."""
    is_one = isinstance(shape, (int, np.integer)) or isinstance(shape, Tensor) and not shape.ndim
    if not is_one and not isinstance(shape, Iterable):
        shape, is_one = sole_size(shape), True
    found = []
    for one in (shape,) if is_one else tuple(shape):
        size = one if isinstance(one, Tensor) else _size(one)
        known = constant_value(size._value) if isinstance(size, Tensor) else UNKNOWN
        found.append(size if known is UNKNOWN else operator.index(known))
    return tuple(found)


def _size(value):
    """An element of a shape as an int, which may be staged if an object stands for it."""
    number = index_of(value)
    return operator.index(value) if number is None else number


for _name, _value in (("zeros", 0), ("ones", 1), ("empty", 0)):
    register_call(getattr(np, _name), _filled_with(_value, getattr(np, _name)))


@answers(np.ndarray)
def staged_ndarray(shape, dtype=float, buffer=None, offset=0, strides=None, order=None):
    """An array whose elements are to be written; one of a buffer is an ordinary array."""
    if buffer is not None or strides is not None:
        return np.ndarray(shape, dtype, buffer, offset, strides, order)
    return replacement(np.empty)(shape, dtype, order or "C")


@answers(np.arange)
def staged_arange(*bounds, dtype=None, **options):
    """Evenly spaced numbers."""
    if not any(isinstance(bound, Tensor) for bound in (*bounds, *options.values())):
        return _staged_array(np.arange(*bounds, dtype=dtype, **options))
    if len(bounds) > 4 or not options.keys() <= {"start", "stop", "step", "device", "like"}:
        np.arange(*(1 for _ in bounds), **dict.fromkeys(options, 1))  # raises the error of NumPy
    *bounds, dtype = bounds if len(bounds) == 4 else (*bounds, dtype)
    given = dict(zip(("start", "stop", "step"), bounds, strict=False))
    if len(bounds) == 1 and "stop" not in options:
        given = {"stop": bounds[0]}
    given = {"start": 0, "step": 1, **given, **options}
    kind = {} if dtype is None else {"dtype": np.dtype(dtype)}
    return apply(find("arange"), given["start"], given["stop"], given["step"], **kind)


def _called(function, stages):
    """The replacement of a function that graphs call unchanged; its results are always staged if
    `stages` is true."""

    def create(*args, like=None, **kwargs):
        if any(map(is_staged, (*args, *kwargs.values()))):
            return call_library(function, args, kwargs)
        found = function(*args, **kwargs)
        return transform(_staged_array, found) if stages else found

    create.__name__ = function.__name__
    return create


def _staged_array(leaf):
    return staged(leaf) if isinstance(leaf, np.ndarray) and leaf.dtype in DTYPE_NAMES else leaf


for _function in (
    np.eye, np.geomspace, np.identity, np.linspace, np.logspace, np.tri
):  # fmt: skip
    register_call(_function, _called(_function, stages=True))
for _function in (np.tril_indices, np.triu_indices):
    register_call(_function, _called(_function, stages=False))

# -- arrays from values ----------------------------------------------------------------------------


@answers(np.array)
def staged_array(object, dtype=None, *, copy=True, order="K", subok=False, ndmin=0, like=None):
    """A new array."""
    object = with_list(object)
    is_view = copy_mode(copy) is not True and shares_memory(object, dtype, order)
    if is_view or is_of_plain_kind(object, dtype):
        return np.array(object, dtype, copy=copy, order=order, subok=subok, ndmin=ndmin)
    array, copy, order = as_array(object, dtype), copy_mode(copy), order_of(order)
    if copy is False and array is not object:
        refuse_to_copy()
    if copy and isinstance(object, Tensor) and array is object:
        array = array.copy(order) if order != "K" else np.copy(array)
    else:
        array = in_order_uncopied(array, order) if copy is False else in_order(array, order)
    missing = ndmin - array.ndim
    return np.reshape(array, (1,) * missing + tuple(array.shape)) if missing > 0 else array


def _refuse_empty(items):
    """Records a check that a list is not empty: NumPy converts an empty list to an array of another
    rank, and a graph cannot hold both.  The Python function computes such a call."""
    text = (
        "np.array is called with a list that is empty in this run, and holds rows in others; "
        "autograph.stack(z) gives an array of the same rank for both"
    )
    holds = apply(find("truth"), items.length())
    apply(find("assert_"), holds, error=LibraryResultError, arguments=(text,))


def _note_empty(dtype: np.dtype) -> None:
    """Notes that an array of a list that a run leaves empty has the type of the list's elements,
    where NumPy makes an array of floats."""
    if dtype != np.float64:
        text = f"an array of an empty list is float64, and {dtype} in the graph"
        note(trace.current(), text)


def as_array(value: Any, dtype=None) -> Tensor:
    """A value as an array; an array of the dtype is returned as it is."""
    value = with_list(value)
    if isinstance(value, TraceList):
        if value.value is None and not len(value):
            return staged(np.array([], dtype))
        if has_rows(value):
            value = as_rows(value)
        tensor = value.stacked(dtype)
        if value.value is not None and tensor.type.ndim > 1:
            _refuse_empty(value)
        elif value.value is not None and dtype is None:
            _note_empty(tensor.type.dtype)
    elif isinstance(value, StagedString):
        raise no_array_of_text(value)
    elif isinstance(value, Tensor):
        tensor = value
    elif isinstance(value, ReadAsArray):
        tensor = value.numbers()
    elif is_staged(value):
        tensor = staged(value)
    else:
        return cast(staged(np.array(value, dtype)), _array_type_of(np.array(value, dtype)))
    if isinstance(tensor.type, PythonType):
        tensor = cast(tensor, TensorType(tensor.dtype))
    elif isinstance(tensor.type, UnionType) and dtype is None:
        note_use(trace.current(), tensor._value)
    if dtype is not None and np.dtype(dtype) != tensor.dtype:
        tensor = tensor.astype(dtype)
    return tensor if is_array(tensor.type) else cast(tensor, BoxType(tensor.dtype))


def _array_type_of(array):
    return TensorType(array.dtype, array.shape) if array.shape else BoxType(array.dtype)


@answers(np.asarray)
def staged_asarray(a, dtype=None, order=None, *, device=None, copy=None, like=None):
    """A value as an array; an array is returned as it is."""
    if is_of_plain_kind(a, dtype) or copy is not True and shares_memory(a, dtype, order):
        return np.asarray(a, dtype, order)
    return staged_array(a, dtype, copy=copy, order=order)


@answers(np.asanyarray)
def staged_asanyarray(a, dtype=None, order=None, *, device=None, copy=None, like=None):
    """A value as an array; an array is returned as it is."""
    return staged_asarray(a, dtype, order, copy=copy)


@answers(np.from_dlpack)
def staged_from_dlpack(x, /, *, device=None, copy=None):
    """An array of another library as one of NumPy; a staged array is returned as it is."""
    if not isinstance(x, Tensor):
        options = {} if device is copy is None else {"device": device, "copy": copy}
        return np.from_dlpack(x, **options)
    return x.copy() if copy else x


@answers(np.ascontiguousarray)
def staged_ascontiguousarray(a, dtype=None, *, like=None):
    """A C-contiguous array."""
    if shares_memory(a, dtype, "C"):
        return np.ascontiguousarray(a, dtype)
    array = staged_asarray(a, dtype)
    return call_library(np.ascontiguousarray, (array,), {})


@answers(np.asfortranarray)
def staged_asfortranarray(a, dtype=None, *, like=None):
    """A Fortran-contiguous array."""
    if shares_memory(a, dtype, "F"):
        return np.asfortranarray(a, dtype)
    array = staged_asarray(a, dtype)
    return in_order(array, "F") if array.ndim else call_library(np.asfortranarray, (array,), {})


@answers(np.require)
def staged_require(a, dtype=None, requirements=None, *, like=None):
    """An array of a dtype."""
    array = staged_asanyarray(a, dtype)
    if not requirements or not isinstance(array, Tensor):
        return array if not requirements else np.require(a, dtype, requirements)
    found = required(array, requirements)
    return np.require(a, dtype, requirements) if found is None else found


@answers(np.asarray_chkfinite)
def staged_asarray_chkfinite(a, dtype=None, order=None):
    """A value as an array, of which each run checks that it holds no infinities and no NaN."""
    array = staged_asarray(a, dtype, order)
    if not isinstance(array, Tensor):
        return np.asarray_chkfinite(a, dtype, order)
    if array.dtype.kind in "fc":
        holds = apply(find("truth"), np.all(np.isfinite(array)))
        text = "array must not contain infs or NaNs"
        apply(find("assert_"), holds, error=LibraryResultError, arguments=(text,))
    return array


@answers(np.fromiter)
def staged_fromiter(iter, dtype, count=-1, *, like=None):
    """An array of the elements of an iterator."""
    items = list(iter) if count < 0 else [next(iter) for _ in range(count)]
    if not is_staged(items):
        return staged(np.fromiter(items, dtype))
    return staged(items).astype(dtype)


def concatenated(joiner, parts: tuple) -> Tensor:
    """`np.r_[parts]` and `np.c_[parts]`: numbers, ranges and arrays joined to one array."""
    columns = joiner is np.c_
    found = []
    for part in parts:
        if isinstance(part, str):
            raise unsupported(f"a direction ({part!r}) in np.r_ or np.c_", "Use np.concatenate.")
        if isinstance(part, slice):
            if any(is_staged(bound) for bound in (part.start, part.stop, part.step)):
                part = staged_arange(part.start or 0, part.stop, part.step or 1)
            else:
                part = np.r_[part]
        found.append(part)
    weak = (int, float, complex, bool)
    kinds = [p if type(p) in weak else staged(p).dtype for p in found]
    weak_types = [p.type.kind(0) if _is_weak(p) else k for p, k in zip(found, kinds, strict=True)]
    dtype = np.result_type(*weak_types)
    arrays = [staged_array(part, dtype, copy=None, ndmin=0 if columns else 1) for part in found]
    if columns:
        arrays = [a if a.ndim > 1 else np.reshape(a, (-1, 1)) for a in arrays]
    return np.concatenate(arrays, axis=-1 if columns else 0)


def _is_weak(value):
    return isinstance(value, Tensor) and isinstance(value.type, PythonType)


# -- functions that accept only NumPy's own arrays -------------------------------------------------


class StagedErrors:
    """`with np.errstate(...)` around operations that are recorded."""

    def __init__(self, **options):
        for name, wanted in options.items():
            if wanted not in (None, "ignore", "warn"):
                raise staging_error(
                    f"np.errstate({name}={wanted!r}) is entered while the graph is being built",
                    "A graph computes some values earlier, later, or once for several uses.",
                    "Use it around the call of the function, or test the values in the function.",
                    EffectError,
                )
        self._options = options
        self._while_recording = np.errstate(**options)

    def __enter__(self):
        self._while_recording.__enter__()
        apply(find("enter_errors"), options=tuple(self._options.items()))

    def __exit__(self, *error):
        apply(find("leave_errors"))
        return self._while_recording.__exit__(*error)


register_call(np.errstate, StagedErrors)


@answers(np.seterr)
def staged_seterr(*args, **options):
    """Raises `StagingError`: a graph cannot set NumPy's error handling for code after it."""
    raise staging_error(
        "np.seterr is called while the graph is being built",
        "Its effect would last longer than the run.",
        "Write `with np.errstate(...):` around the operations.",
        EffectError,
    )


@answers(np.ndenumerate)
def staged_ndenumerate(arr):
    """The indices and elements of an array."""
    if not isinstance(arr, Tensor):
        return np.ndenumerate(arr)
    return ((place, arr[place]) for place in np.ndindex(arr.shape))
