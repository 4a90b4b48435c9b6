"""The contents of containers and of other objects without attributes, as plain lists and values.

    a list of a subclass        its items, whatever the class makes of __iter__
    a dict by objects           its keys and its values, two lists: no key is hashed
    a bytearray                 bytes
    an array of texts           its bytes, shape and dtype
    an array of objects         its elements
    a ctypes structure          its bytes

A guard reads the contents at each call and compares them.  Readers run no user code.
"""

import array
import collections
import gc
import weakref
from collections.abc import Callable
from types import BuiltinFunctionType, FunctionType, MappingProxyType
from typing import Any

import numpy as np

from autograph.staging import memory
from autograph.staging.object_state import dictionary
from runtime.tracing.descriptions import VALUES
from runtime.tracing.stand_ins import StandsForArray

# Containers whose items are read without running user code.
PLAIN = (list, tuple, set, frozenset, collections.deque, dict)
PLAIN_DICTS = (dict, collections.OrderedDict, collections.defaultdict, collections.Counter)
BASES = (list, tuple, set, frozenset, collections.deque)


def is_plain_key(key: Any) -> bool:
    """Whether a key is hashed and compared without running user code."""
    kind = type(key)
    if kind is tuple:
        return all(map(is_plain_key, key))
    return kind in VALUES or kind in (FunctionType, BuiltinFunctionType, type)


# -- readers ---------------------------------------------------------------------------------------


def keys_of(value: dict) -> list:
    """The keys of a dict of any class.

    The order of an OrderedDict is its own, and CPython finds each next key by its hash.
    """
    ordered = issubclass(type(value), collections.OrderedDict)
    return list(collections.OrderedDict.__iter__(value) if ordered else dict.__iter__(value))


def values_of(value: dict) -> list:
    """The values of a dict of any class, in the order of its keys."""
    if not issubclass(type(value), collections.OrderedDict):
        return list(dict.values(value))
    held = {id(key): one for key, one in list(dict.items(value))}  # a lookup would hash the keys
    return [held[id(key)] for key in keys_of(value)]


def description_of(described: Any) -> list:
    """What a function or class says about itself, which libraries read."""
    held = dictionary(described) or {}
    found = [held.get(name) for name in ("__signature__", "__wrapped__", "__text_signature__")]
    if issubclass(type(described), type):
        annotations = held.get("__annotations__")
    elif type(described) is FunctionType:
        found += [described.__name__, described.__qualname__, described.__doc__]
        annotations = described.__annotations__
    else:
        annotations = None
    if type(annotations) is dict:
        found += [*annotations, *annotations.values()]
    return found


def factory_of(value: collections.defaultdict) -> Any:
    """What a `defaultdict` calls for a new key."""
    return vars(collections.defaultdict)["default_factory"].__get__(value)


def items_of(value: Any) -> list:
    """The items of a sequence or set of any class."""
    for base in BASES:
        if issubclass(type(value), base):
            return list(base.__iter__(value))
    raise TypeError(f"{type(value).__name__} is no sequence")


def referent_of(value: Any) -> Any:
    """The dict that a view or a read-only view of it shows."""
    return gc.get_referents(value)[0]


def bytes_of(value: Any) -> bytes | None:
    """The bytes of a buffer; None for one that was released."""
    try:
        return bytes(value)
    except ValueError:
        return None


def elements_of(value: np.ndarray) -> list:
    """The elements of an array of objects, and its shape."""
    flat = np.ndarray.flatten(value)
    return [np.ndarray.__getitem__(flat, i) for i in range(flat.size)] + list(value.shape)


def memory_of(value: np.ndarray) -> list:
    """The bits of an array or scalar of any class and dtype, and of its mask if it has one."""
    plain = np.ndarray.view(np.asanyarray(value), np.ndarray)
    found = [str(plain.dtype), str(plain.shape), plain.tobytes()]
    if issubclass(type(value), np.ma.MaskedArray):
        found.append(np.ma.getmaskarray(value).tobytes())
    return found


def array_of(value: StandsForArray) -> list:
    """The bits of the array that a stand-in of another recording stands for."""
    return memory_of(value._array)


def entries_of(value: Any) -> list:
    """The entries of a container that refers to objects weakly: the objects, and what belongs to
    them."""
    found = object.__getattribute__(value, "data")
    if isinstance(value, weakref.WeakValueDictionary):
        return [x for key, entry in found.copy().items() for x in (key, entry())]
    if isinstance(value, weakref.WeakKeyDictionary):
        return [x for key, held in found.copy().items() for x in (key(), held)]
    return [entry() for entry in found.copy()]


READERS: dict[type, Callable[[Any], Any]] = {
    bytearray: bytes_of,
    memoryview: bytes_of,
    array.array: lambda value: [value.typecode, value.tobytes()],
    MappingProxyType: referent_of,
    type({}.keys()): referent_of,
    type({}.values()): referent_of,
    type({}.items()): referent_of,
    weakref.WeakValueDictionary: entries_of,
    weakref.WeakKeyDictionary: entries_of,
    weakref.WeakSet: entries_of,
}


def reader_of(value: Any) -> Callable[[Any], Any] | None:
    """The reader for the contents of an object that is no container; None if it has none."""
    kind = type(value)
    if issubclass(kind, StandsForArray):
        return array_of
    if issubclass(kind, (np.ndarray, np.generic)):
        return elements_of if value.dtype.kind == "O" and kind is np.ndarray else memory_of
    if kind not in READERS and memory.is_known(kind):  # ctypes, mmap
        return memory.contents
    return READERS.get(kind)
