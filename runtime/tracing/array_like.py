"""Objects that hold an array and do what it does: operators, NumPy's functions, methods, items.

    v + 1, 2 ** v, v < w                  the array stands in the object's place
    np.exp(v), np.concatenate([v, x])     also inside of other arguments
    v.sum(axis=0), v.T, v[1:]             copies where NumPy would give views
    np.add(v, 1, out=v), v.sort()         the object is given what the function writes

One method reads the array and one writes it, so that whoever follows reads and writes has one place
to look at: a graph that is recorded, a tape.
"""

import operator
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any, Self

import numpy as np

from runtime.ir.pytree import transform

PLAIN = (np.generic, bool, int, float, complex, str, type(None))

# Methods that write into the array.
WRITING = {"fill", "sort", "partition", "put", "byteswap", "setfield"}

# Attributes through which its memory is seen: they are those of a copy.
MEMORY = {"base", "ctypes", "data", "flat"}


# -- operators -------------------------------------------------------------------------------------


Method = Callable[[Any, Any], Any]


def _operator(name: str) -> tuple[Method, Method, Method]:
    """An operator of the object, the one of objects to its left, and the one that assigns."""
    apply = divmod if name == "divmod" else getattr(operator, name)

    def forward(self, other):
        return apply(self._read(), read(other))

    def reflected(self, other):
        return apply(other, self._read())

    def in_place(self, other):
        with self._alone():
            return self.assign(apply(self._read(), read(other)))

    return forward, reflected, in_place


def _prefix(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    return lambda self: function(self._read())


class LikeArray:
    """What an object that holds an array does like it; a class of it has the methods below.

    What is read is not to be written into, and may be another array at the next read.
    """

    __slots__ = ()
    __array_priority__ = 1_000_001

    def _read(self) -> Any:
        """The array."""
        raise NotImplementedError

    def _alone(self) -> AbstractContextManager:
        """What keeps other threads from writing between a read and a write."""
        raise NotImplementedError

    def _writable(self) -> Any:
        """An array with the same elements, to be written into and given to `_write`."""
        raise NotImplementedError

    def _write(self, new: Any) -> None:
        """Lets the object hold what `_writable` has given and somebody has written into."""
        raise NotImplementedError

    def assign(self, value: Any) -> Self:
        """Lets the object hold other elements, of the same shape; returns the object."""
        raise NotImplementedError

    # -- operators ---------------------------------------------------------------------------------

    __add__, __radd__, __iadd__ = _operator("add")
    __sub__, __rsub__, __isub__ = _operator("sub")
    __mul__, __rmul__, __imul__ = _operator("mul")
    __truediv__, __rtruediv__, __itruediv__ = _operator("truediv")
    __floordiv__, __rfloordiv__, __ifloordiv__ = _operator("floordiv")
    __mod__, __rmod__, __imod__ = _operator("mod")
    __pow__, __rpow__, __ipow__ = _operator("pow")
    __matmul__, __rmatmul__, __imatmul__ = _operator("matmul")
    __and__, __rand__, __iand__ = _operator("and_")
    __or__, __ror__, __ior__ = _operator("or_")
    __xor__, __rxor__, __ixor__ = _operator("xor")
    __lshift__, __rlshift__, __ilshift__ = _operator("lshift")
    __rshift__, __rrshift__, __irshift__ = _operator("rshift")
    __divmod__, __rdivmod__, _ = _operator("divmod")
    __eq__, _, _ = _operator("eq")  # type: ignore[assignment]
    __ne__, _, _ = _operator("ne")  # type: ignore[assignment]
    __lt__, _, _ = _operator("lt")
    __le__, _, _ = _operator("le")
    __gt__, _, _ = _operator("gt")
    __ge__, _, _ = _operator("ge")
    __hash__ = object.__hash__
    __neg__ = _prefix(operator.neg)
    __pos__ = _prefix(operator.pos)
    __abs__ = _prefix(operator.abs)
    __invert__ = _prefix(operator.invert)
    __bool__ = _prefix(bool)
    __int__ = _prefix(int)
    __float__ = _prefix(float)
    __complex__ = _prefix(complex)

    # -- elements ----------------------------------------------------------------------------------

    def __getitem__(self, key):
        array = self._read()
        return own(array[read(key)], array)

    def __setitem__(self, key, value):
        at, elements = read(key), read(value)
        with self._alone():
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
                "Unable to avoid copy while creating an array as requested: what is read of a "
                "variable never shares its memory"
            )
        return np.array(self._read(), dtype=dtype)

    def __array_ufunc__(self, ufunc, method, *inputs, out=None, **options):
        options = {name: read(value) for name, value in options.items()}
        if method == "at" and isinstance(inputs[0], LikeArray):
            return _into(inputs[0], lambda target: ufunc.at(target, *map(read, inputs[1:])))
        inputs, function = tuple(map(read, inputs)), getattr(ufunc, method)
        if out is None:
            return function(*inputs, **options)
        return _called_with_out(function, inputs, options, out)

    def __array_function__(self, function, types, args, kwargs):
        if function in writing_functions() and isinstance(args[0], LikeArray):
            rest, named = read(args[1:]), read(kwargs)
            return _into(args[0], lambda target: function(target, *rest, **named))
        out = kwargs.get("out")
        if isinstance(out, LikeArray):
            named = {name: read(value) for name, value in kwargs.items() if name != "out"}
            return _called_with_out(function, read(args), named, (out,))
        found = function(*read(args), **read(kwargs))
        return own(found, *_arrays_in((args, kwargs)))

    def __getattr__(self, name):
        if name.startswith("_"):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        if name in WRITING:
            return lambda *args, **options: _by_method(self, name, args, options)
        array = self[...] if name in MEMORY else self._read()
        array = array if array.ndim else array[()]
        found = getattr(array, name)
        if not callable(found):
            return own(found, array)
        return lambda *args, **options: own(found(*read(args), **read(options)), array)


# -- values ----------------------------------------------------------------------------------------


def read(value: Any) -> Any:
    """A value with the arrays of such objects in their places, also in lists, tuples and dicts."""
    if isinstance(value, LikeArray):
        return value._read()
    if isinstance(value, (list, tuple, dict)):
        return transform(read, value) if _arrays_in(value) else value
    if isinstance(value, slice):
        return slice(read(value.start), read(value.stop), read(value.step))
    return value


def _arrays_in(value) -> list:
    """The objects that are in an argument."""
    found: list = []
    transform(lambda leaf: found.append(leaf) if isinstance(leaf, LikeArray) else None, value)
    return found


def own(found: Any, *sources: Any) -> Any:
    """A result without the memory of what it was computed of: copies of what may be views."""
    arrays = [read(source) for source in sources]

    def apart(leaf):
        return leaf.copy() if any(_share(leaf, array) for array in arrays) else leaf

    return transform(apart, found)


def _share(found, array):
    if isinstance(found, np.ndarray) and isinstance(array, np.ndarray):
        return np.may_share_memory(found, array)
    if isinstance(found, (np.ndarray, *PLAIN)) or isinstance(array, np.ndarray):
        return False
    from runtime.tracing.aliases import shares_origin

    return shares_origin(found, array)


# -- what functions write --------------------------------------------------------------------------


def writing_functions() -> Any:
    """The functions of NumPy's that write into their first argument."""
    from runtime.ops.updates import AFTER

    return AFTER


def _into(target: LikeArray, function: Callable) -> Any:
    with target._alone():
        changed = target._writable()
        found = function(changed)
        target._write(changed)
    return target if found is changed else found


def _by_method(target, name, args, options):
    return _into(target, lambda array: getattr(array, name)(*read(args), **read(options)))


def _called_with_out(function, args, options, out):
    """`out=`: objects among the targets are given what is written."""
    given = tuple(t._writable() if isinstance(t, LikeArray) else t for t in out)
    found = function(*args, out=given if len(given) > 1 else given[0], **options)
    for target, array in zip(out, given, strict=True):
        if isinstance(target, LikeArray):
            target._write(array)
    return out[0] if len(out) == 1 else found
