"""Items of containers in code that is being recorded.

    z[i]                 a staged list, or a known one with a staged index
    table[key]           a dict, whose keys may be staged
    frame["a"]           an object of another package: the run reads it
    rows[i] = x          the same for writes, and for `del`

The backend calls these functions where the user's code has such an item (`backend.py`).
"""

import operator
from typing import Any

import numpy as np

from autograph.staging.refusals import check_dropped
from runtime.ir.types import DTYPE_NAMES, PythonType, is_array
from runtime.staging.calls.dict_keys import is_staged_key, item_of_dict
from runtime.staging.calls.foreign_statements import is_foreign
from runtime.staging.calls.grids import built, is_builder
from runtime.staging.calls.host_values import HostValue, asked, done
from runtime.staging.calls.package_objects import is_package_object, note_part
from runtime.staging.calls.package_operators import change_package, is_recording, item_of_package
from runtime.staging.calls.run_errors import check
from runtime.staging.chosen import Chosen
from runtime.staging.lists.rows_outside import item_outside
from runtime.staging.lists.trace_list import item_at
from runtime.staging.made_dicts import is_key_of_run, want_staged
from runtime.staging.plain_containers import has_staged, not_staged_error
from runtime.tracing.array_like import read
from runtime.tracing.numpy_api.constants import with_constants
from runtime.tracing.numpy_api.other_operands import zero_of
from runtime.tracing.numpy_api.positions import integer_of
from runtime.tracing.strings import call_method
from runtime.tracing.tensor import Tensor, staged


def get_item(container: Any, key: Any) -> Any:
    """`container[key]`"""
    check_dropped()
    if isinstance(key, Chosen):
        return key.each(lambda one: get_item(container, one), container)
    if isinstance(container, Chosen):
        return container.each(lambda one: get_item(one, key), key)
    if isinstance(container, (list, tuple, np.ndarray)):
        key = read(key)
    if isinstance(key, Tensor) and isinstance(container, (list, tuple)):
        key = _index_of(container, key)
        if isinstance(container, tuple):
            _check_index(key, len(container), "tuple")
        items = tuple(list.__iter__(container) if isinstance(container, list) else container)
        return item_outside(items, key)
    if isinstance(container, np.ndarray) and has_staged(key):
        if container.dtype not in DTYPE_NAMES:
            return container[with_constants(key)]
        return staged(container)[key]
    if isinstance(container, (bytes, bytearray)) and isinstance(key, Tensor):
        return _byte_at(container, key)
    if is_builder(container) and has_staged(key):
        return built(container, key)
    if type(container) is str and has_staged(key):
        return call_method(container, "__getitem__", (key,))
    if isinstance(container, dict) and is_key_of_run(key):
        want_staged(container)
        if type(container) is dict and is_staged_key(key):
            return item_of_dict(container, key)
    if is_package_object(container) and is_recording():
        return item_of_package(container, key)
    if isinstance(container, HostValue) or is_foreign(container, "__getitem__"):
        return asked(operator.getitem, container, key)
    return note_part(container, container[key])


def _index_of(sequence, key):
    """A staged index of a list, tuple or bytes; a TypeError for a value that is no index."""
    key = integer_of(key)
    is_bool_of_python = isinstance(key.type, PythonType) and key.dtype.kind == "b"
    if not key.type.shape and (key.dtype.kind in "iu" or is_bool_of_python):
        return key
    if is_array(key.type):
        raise TypeError("only integer scalar arrays can be converted to a scalar index")
    kinds = (list, tuple, bytes, bytearray)
    empty = next(kind for kind in kinds if isinstance(sequence, kind))()
    return empty[zero_of(key.type)]  # which raises


def _check_index(key, count, kind):
    check((key >= -count) & (key < count), IndexError, f"{kind} index out of range".lstrip())


def _byte_at(octets, key):
    key = _index_of(octets, key)
    _check_index(key, len(octets), "bytearray" if isinstance(octets, bytearray) else "")
    return item_at(tuple(octets) or (0,), key)


def delete_item(container: Any, key: Any) -> None:
    """`del container[key]`"""
    check_dropped()
    if isinstance(container, Chosen):
        container.each(lambda one: delete_item(one, key), key)
    elif is_package_object(container) and is_recording():
        change_package(operator.delitem, container, key)
    elif is_foreign(container, "__delitem__"):
        done(operator.delitem, container, key)
    else:
        if is_key_of_run(key):
            want_staged(container)
        del container[key]


def set_item(container: Any, key: Any, value: Any) -> None:
    """`container[key] = value`"""
    check_dropped()
    if isinstance(container, Chosen):
        container.each(lambda one: set_item(one, key, value), key, value)
        return
    if is_package_object(container) and is_recording():
        change_package(operator.setitem, container, key, value)
        return
    if is_foreign(container, "__setitem__"):
        done(operator.setitem, container, key, value)
        return
    if isinstance(key, Chosen):
        key.each(lambda one: set_item(container, one, value), container, value)
        return
    if isinstance(container, np.ndarray):
        foreign = "an array" if has_staged((key, value)) else None
    else:
        foreign = "a list" if isinstance(container, list) and has_staged(key) else None
    if foreign is not None:
        raise not_staged_error(container, foreign)
    if isinstance(container, dict) and is_key_of_run(key):
        want_staged(container)
    container[key] = value
