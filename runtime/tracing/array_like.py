"""`ArrayLike`: objects that hold an array and work like it, as `rt.Variable` does.

    v + 1, 2 ** v, v < w                  operators read the array
    np.exp(v), np.concatenate([v, x])     NumPy functions, also if it is inside of an argument
    v.sum(axis=0), v.T, v[1:]             methods; copies where NumPy would return views
    np.add(v, 1, out=v), v.sort()         writes

One method reads the array and one writes it, so a trace or a tape can observe both in one place.
"""

import operator
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from autograph.spellings import Spelling, answer, missing
from runtime.ir.pytree import transform
from runtime.ops.updates import AFTER
from runtime.tracing.python_operators import (
    BINARY,
    COMPARISONS,
    UNARY,
    function_of,
    in_place,
    reflected,
)

PLAIN = (np.generic, bool, int, float, complex, str, type(None))

# Methods that write into the array.
WRITING = {"fill", "sort", "partition", "put", "byteswap", "setfield"}

# Attributes that expose the memory; they are those of a copy.
MEMORY = {"base", "ctypes", "data", "flat"}

MISSING = object()


def _typed() -> Callable[[Any, Any], Any]:
    raise NotImplementedError  # for type checkers only


def _typed_unary() -> Callable[[Any], Any]:
    raise NotImplementedError


class ArrayLike:
    """A mixin that forwards operators, methods and NumPy functions to the array that an object
    holds.

    Callers must not write into the array that `_read` returns; the next read may return another
    one.
    """

    __slots__ = ()
    __array_priority__ = 1_000_001
    _spellings: ClassVar[dict[str, Spelling]] = {}

    def _read(self) -> Any:
        """The array; callers must not write into it."""
        raise NotImplementedError

    def _locked(self) -> AbstractContextManager:
        """A lock against writes of other threads between a read and a write."""
        raise NotImplementedError

    def _writable(self) -> Any:
        """A copy of the array, to be changed and passed to `_write`."""
        raise NotImplementedError

    def _write(self, new: Any) -> None:
        """Replaces the array by one that `_writable` has returned."""
        raise NotImplementedError

    def assign(self, value: Any) -> Self:
        """Replaces the elements by others of the same shape; returns the object."""
        raise NotImplementedError

    __hash__ = object.__hash__

    if TYPE_CHECKING:  # at run time they are set below, from the table of operators
        __add__ = __sub__ = __mul__ = __truediv__ = __floordiv__ = __mod__ = __pow__ = _typed()
        __radd__ = __rsub__ = __rmul__ = __rtruediv__ = __rfloordiv__ = __rmod__ = _typed()
        __iadd__ = __isub__ = __imul__ = __itruediv__ = __ifloordiv__ = __imod__ = _typed()
        __matmul__ = __rmatmul__ = __imatmul__ = __rpow__ = __ipow__ = _typed()
        __and__ = __or__ = __xor__ = __lshift__ = __rshift__ = __divmod__ = _typed()
        __rand__ = __ror__ = __rxor__ = __rlshift__ = __rrshift__ = __rdivmod__ = _typed()
        __iand__ = __ior__ = __ixor__ = __ilshift__ = __irshift__ = _typed()
        __lt__ = __le__ = __gt__ = __ge__ = _typed()
        __eq__ = __ne__ = _typed()  # type: ignore[assignment]
        __neg__ = __pos__ = __abs__ = __invert__ = _typed_unary()

    def __bool__(self):
        return bool(self._read())

    def __int__(self):
        return int(self._read())

    def __float__(self):
        return float(self._read())

    def __complex__(self):
        return complex(self._read())

    # -- elements ----------------------------------------------------------------------------------

    def __getitem__(self, key):
        array = self._read()
        return unshared(array[read(key)], array)

    def __setitem__(self, key, value):
        at, elements = read(key), read(value)
        with self._locked():
            changed = self._writable()
            changed[at] = elements
            self._write(changed)

    def __len__(self):
        return len(self._read())

    def __iter__(self):
        return iter(self[...])

    def __contains__(self, item):
        return read(item) in self._read()

    def __index__(self):
        return operator.index(self._read())

    def __round__(self, ndigits=None):
        return round(self[()], ndigits)

    # -- NumPy -------------------------------------------------------------------------------------

    def __array__(self, dtype=None, copy=None):
        if copy is False:
            raise ValueError(
                "Unable to avoid copy while creating an array as requested: a read of a "
                "variable never shares its memory"
            )
        return np.array(self._read(), dtype=dtype)

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **options):
        options = {name: read(value) for name, value in options.items()}
        if method == "at" and isinstance(inputs[0], ArrayLike):
            return _into(inputs[0], lambda target: ufunc.at(target, *map(read, inputs[1:])))
        inputs, function = tuple(map(read, inputs)), getattr(ufunc, method)
        if out is None:
            return function(*inputs, **options)
        return _called_with_out(function, inputs, options, out)

    def __array_function__(self, function, types, args, kwargs):
        if function in AFTER and isinstance(args[0], ArrayLike):
            rest, named = read(args[1:]), read(kwargs)
            return _into(args[0], lambda target: function(target, *rest, **named))
        out = kwargs.get("out")
        if isinstance(out, ArrayLike):
            named = {name: read(value) for name, value in kwargs.items() if name != "out"}
            return _called_with_out(function, read(args), named, (out,))
        found = function(*read(args), **read(kwargs))
        return unshared(found, *_arrays_in((args, kwargs)))

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if name in WRITING:
            return lambda *args, **options: _by_method(self, name, args, options)
        array = self[...] if name in MEMORY else self._read()
        array = array if array.ndim else array[()]
        found = getattr(array, name, MISSING)
        if found is MISSING:
            kind = type(self)
            names = {*dir(kind), *dir(np.ndarray)}
            text = answer(name, self._spellings, names, ".")
            raise missing(f"{kind.__name__!r} object has no attribute {name!r}", name, text)
        if not callable(found):
            return unshared(found, array)
        return lambda *args, **options: unshared(found(*read(args), **read(options)), array)


# -- operators -------------------------------------------------------------------------------------


def _forward(function):
    return lambda self, other: function(self._read(), read(other))


def _reflected(function):
    return lambda self, other: function(other, self._read())


def _in_place(function):
    def operator(self, other):
        with self._locked():
            return self.assign(function(self._read(), read(other)))

    return operator


def _unary(function):
    return lambda self: function(self._read())


for _name in (*BINARY, *COMPARISONS):
    setattr(ArrayLike, _name, _forward(function_of(_name)))
for _name in BINARY:
    setattr(ArrayLike, reflected(_name), _reflected(function_of(_name)))
    if in_place(_name) is not None:
        setattr(ArrayLike, in_place(_name), _in_place(function_of(_name)))
for _name in UNARY:
    setattr(ArrayLike, _name, _unary(function_of(_name)))


# -- values ----------------------------------------------------------------------------------------

# Types of values that are no such objects and contain none: most values have one of them.
READ: set[type] = {bool, int, float, complex, str, type(None), np.ndarray}


def read(value: Any) -> Any:
    """A value with arrays in place of such objects, also inside lists, tuples, dicts and slices."""
    if type(value) in READ:
        return value
    if isinstance(value, ArrayLike):
        return value._read()
    if isinstance(value, (list, tuple, dict)):
        return transform(read, value) if _arrays_in(value) else value
    if isinstance(value, slice):
        return slice(read(value.start), read(value.stop), read(value.step))
    return value


def _arrays_in(value) -> list:
    """The `ArrayLike` objects in an argument."""
    found: list = []
    transform(lambda leaf: found.append(leaf) if isinstance(leaf, ArrayLike) else None, value)
    return found


def unshared(found: Any, *sources: Any) -> Any:
    """A result that shares no memory with the arrays it was computed from: views are copied."""
    arrays = [read(source) for source in sources]

    def apart(leaf):
        return leaf.copy() if any(_share(leaf, array) for array in arrays) else leaf

    return transform(apart, found)


# Each says whether a value may share the memory of another that is not a NumPy array.
SHARES_MEMORY: list[Callable[[Any, Any], bool]] = []


def _share(found, array):
    if isinstance(found, np.ndarray) and isinstance(array, np.ndarray):
        return np.may_share_memory(found, array)
    if isinstance(found, (np.ndarray, *PLAIN)) or isinstance(array, np.ndarray):
        return False
    return any(shares(found, array) for shares in SHARES_MEMORY)


# -- functions that write --------------------------------------------------------------------------


def _into(target: ArrayLike, function: Callable) -> Any:
    with target._locked():
        changed = target._writable()
        found = function(changed)
        target._write(changed)
    return target if found is changed else found


def _by_method(target, name, args, options):
    return _into(target, lambda array: getattr(array, name)(*read(args), **read(options)))


def _called_with_out(function, args, options, out):
    """A call with `out=`; objects among the targets get the result."""
    given = tuple(t._writable() if isinstance(t, ArrayLike) else t for t in out)
    found = function(*args, out=given if len(given) > 1 else given[0], **options)
    for target, array in zip(out, given, strict=True):
        if isinstance(target, ArrayLike):
            target._write(array)
    return out[0] if len(out) == 1 else found
