"""Lists and tuples of staged values where NumPy takes arrays.

    np.hypot([a, 1.0], [2.0, b])          the ufunc of two arrays
    np.interp(x, [0.0, 1.0], [a, b])      also where only another argument is a list of staged ones
    np.concatenate([[a, 1.0], y])         items of a sequence of arrays
    np.concatenate(z)                     z is a list that a run has grown

NumPy converts a list to an array of the dtype that its elements have together, and so does a graph.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.errors import unsupported
from runtime.ir.op import find
from runtime.ops.list_methods import JOINS
from runtime.ops.updates import AFTER
from runtime.staging.calls import scalar_types  # noqa: F401  (registers before the lists)
from runtime.staging.calls.array_creation import as_array
from runtime.staging.calls.registry import register_call, replacement
from runtime.staging.calls.tuple_rows import as_rows, has_rows
from runtime.staging.lists.array_types import refuse_objects
from runtime.staging.lists.elements import all_present
from runtime.staging.lists.trace_list import TraceList, is_staged_list
from runtime.tracing.numpy_api.registry import supported_functions
from runtime.tracing.read_as_array import LIST_READERS, ReadAsArray, numbers_of
from runtime.tracing.tensor import Tensor, apply, is_staged

# Functions whose first argument is a sequence of arrays, whose shapes may differ.
OF_SEQUENCES = {
    np.choose, np.column_stack, np.concatenate, np.dstack, np.hstack, np.histogramdd, np.lexsort,
    np.linalg.multi_dot, np.select, np.stack, np.vstack,
}  # fmt: skip
# Functions of any number of arrays.
OF_MANY = {np.broadcast_arrays, np.ix_, np.meshgrid}
# Functions that raise for a list, and those whose lists are no arrays, as those of np.block.
LEFT_ALONE = {
    np.array, np.asarray, np.asanyarray, np.block, np.einsum, np.indices, np.piecewise,
    np.unravel_index, np.ravel_multi_index, np.array_split, np.dsplit, np.hsplit, np.split,
    np.vsplit, np.result_type,
    *(function for function in AFTER if not isinstance(function, np.ufunc)),
}  # fmt: skip


def _has_staged(value: Any) -> bool:
    """Whether a value is a list or tuple that makes an array of staged values."""
    if isinstance(value, TraceList):
        return value.value is not None or is_staged(value.contents())
    if isinstance(value, ReadAsArray):
        return True
    return isinstance(value, (list, tuple)) and is_staged(value)


def _list_as_array(value: Any) -> Any:
    return as_array(value) if _has_staged(value) else value


def _grown_as_array(value: Any) -> Any:
    """The array of a list that a run has grown; other values as they are."""
    return as_array(value) if is_staged_list(value) else value


LIST_READERS.append(_grown_as_array)


def _items_as_arrays(value: Any) -> Any:
    """A sequence of arrays, with arrays in place of those that are lists."""
    if not isinstance(value, (list, tuple)) or is_staged_list(value):
        return value
    if not any(map(_has_staged, value)):
        return value
    return tuple(map(_list_as_array, value))


def _of_lists(function: Callable) -> Callable:
    """The replacement of a function that may get lists of staged values as arrays.

    NumPy dispatches for arrays only, so a list that is no first argument matters if it is alone.
    """
    count = function.nin if isinstance(function, np.ufunc) else 1

    def call(*args, **kwargs):
        args = (*map(_list_as_array, args[:count]), *map(numbers_of, args[count:]))
        kwargs = {name: numbers_of(value) for name, value in kwargs.items()}
        if not any(isinstance(value, Tensor) for value in (*args, *kwargs.values())):
            args = tuple(map(_list_as_array, args))
            kwargs = {name: _list_as_array(value) for name, value in kwargs.items()}
        return function(*args, **kwargs)

    call.__name__ = function.__name__
    return call


def _of_many(function: Callable) -> Callable:
    """The replacement of a function of any number of arrays, which may be lists."""

    def call(*args, **kwargs):
        return function(*map(_list_as_array, args), **kwargs)

    call.__name__ = function.__name__
    return call


def _of_items(function: Callable) -> Callable:
    """The replacement of a function that joins arrays, some of which may be lists."""

    def call(*args, **kwargs):
        kwargs = {name: _items_as_arrays(value) for name, value in kwargs.items()}
        return function(*map(_items_as_arrays, args[:2]), *args[2:], **kwargs)

    call.__name__ = function.__name__
    return call


def _of_sequences(function: Callable) -> Callable:
    """The replacement of a function that joins arrays, and may get a staged list."""
    name, plain = function.__name__, _of_items(function)

    def call(*args, **options):
        if not args or not is_staged_list(args[0]):
            return plain(*args, **options)
        arrays, *axis = args
        arrays = as_rows(arrays) if has_rows(arrays) else arrays
        options.update(zip(("axis",), axis, strict=False))
        if len(axis) > 1 or options.keys() - {"axis"} or is_staged([*options.values()]):
            what = f"an option of np.{name} of a list that a run has grown"
            raise unsupported(what, f"Pass only an axis that is known: np.{name}(z, axis=0).")
        given = tuple(options.items())
        refuse_objects(arrays.value.type.element)
        return apply(find("list_joined"), all_present(arrays.value), by=name, given=given)

    call.__name__ = name
    return call


def _replacement(function: Callable) -> Callable:
    if function in OF_MANY:
        return _of_many(function)
    return _of_items(function) if function in OF_SEQUENCES else _of_lists(function)


for _name in JOINS:
    register_call(getattr(np, _name), _of_sequences(getattr(np, _name)))
for _function in {*supported_functions()} - LEFT_ALONE:
    is_of_scalars = getattr(_function, "__module__", "") in ("math", "cmath")
    if replacement(_function) is _function and not is_of_scalars:
        register_call(_function, _replacement(_function))
