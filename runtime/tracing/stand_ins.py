"""Staged values that stand for arrays outside of a function; other threads see the arrays.

    W = np.eye(2)                    while a graph is recorded, W holds a stand-in

    the code that is recorded        a staged value, as any other Tensor
    all other code                   the array: W + 1, W[0] = 5, np.asarray(W), pickle.dumps(W) and
                                     isinstance(W, np.ndarray) are the same as for the array

`type(W)` and the buffer protocol show the difference, and nothing else.

A staged value that the function assigns to such a place is not known to another thread.  Where that
thread uses it, it waits until the graph is complete, and then reads the place again.
"""

import operator
from collections.abc import Callable
from contextlib import suppress
from typing import Any
from weakref import ref

import numpy as np

from runtime.ir.graph import Operand
from runtime.ir.pytree import flatten, transform
from runtime.tracing import trace
from runtime.tracing.aliases import Alias
from runtime.tracing.python_operators import BINARY, COMPARISONS, in_place, reflected
from runtime.tracing.recording_lock import RECORDING, RecorderIsBlocked
from runtime.tracing.tensor import Tensor

# Attributes of the stand-in itself, for any code.
_OWN = """
    array_finalize array_function array_priority array_ufunc array_wrap buffer class class_getitem
    delattr dict dir doc getattribute hash init init_subclass module new setattr sizeof subclasshook
"""
OWN = frozenset(f"__{name}__" for name in _OWN.split())

# Operators that answer NotImplemented where the array has none.
OPERATORS = frozenset(
    name
    for binary in (*BINARY, *COMPARISONS)
    for name in (binary, reflected(binary), in_place(binary))
    if name is not None
)

# Methods that Python calls implicitly, and the builtins that find the right error without them.
IMPLICIT = {
    "__bool__": bool,
    "__complex__": complex,
    "__contains__": operator.contains,
    "__float__": float,
    "__format__": format,
    "__getitem__": operator.getitem,
    "__index__": operator.index,
    "__int__": int,
    "__iter__": iter,
    "__len__": len,
    "__repr__": repr,
    "__setitem__": operator.setitem,
    "__str__": str,
}


def stands_for(value: Any) -> Any:
    """The array that a stand-in stands for in the code that is running; anything else unchanged."""
    return value._array if _is_stand_in(value) and _is_array(value) else value


def plain(value: Any) -> Any:
    """The same containers with arrays in place of stand-ins; the value itself if it has none."""
    return transform(stands_for, value) if any(map(_is_stand_in, flatten(value)[0])) else value


def _is_stand_in(value):
    return issubclass(type(value), StandsForArray)


def _is_array(value):
    return trace.current() is not value._recorder


class _Attribute:
    """An attribute of the array in most code, of the staged value in code that is recorded."""

    def __init__(self, name: str):
        self.name = name

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            return self
        if not _is_array(instance):
            return getattr(super(StandsForArray, instance), self.name)
        array, name = instance._array, self.name
        if name in IMPLICIT:
            return lambda *args: IMPLICIT[name](array, *map(stands_for, args))
        if name in OPERATORS and not hasattr(array, name):
            return lambda other: NotImplemented
        return getattr(array, name)

    def __set__(self, instance: Any, value: Any) -> None:
        if _is_array(instance):
            setattr(instance._array, self.name, value)
            return
        kinds = (vars(kind) for kind in Tensor.__mro__ if self.name in vars(kind))
        found = next(kinds, {}).get(self.name)
        if not hasattr(found, "__set__"):
            raise AttributeError(f"attribute {self.name!r} cannot be set")
        found.__set__(instance, value)

    def __call__(self, instance: Any, *args: Any) -> Any:
        """`copy.copy(x)` finds the method in the class, and passes the object."""
        return self.__get__(instance)(*args)


def _class(value):
    shows_array = _is_array(value) or value._recorder.is_eager
    return _shown_class(type(value._array)) if shows_array else type(value)


class StandsForArray:
    """A mixin of staged values that stand for an array."""

    __slots__ = ()

    _array: Any  # what it stands for
    _recorder: trace.Trace  # for which it is a staged value

    __class__ = property(_class)  # type: ignore[assignment]

    def plain_value(self) -> Any:
        """The array, in code that is not recorded."""
        return stands_for(self)

    def __array_ufunc__(self, ufunc, method, *inputs, **options):
        if not _is_array(self):
            return super().__array_ufunc__(ufunc, method, *inputs, **options)
        return getattr(ufunc, method)(*plain(inputs), **plain(options))

    def __hash__(self):
        return hash(self._array) if _is_array(self) else super().__hash__()

    def __array_function__(self, function, types, args, kwargs):
        if not _is_array(self):
            return super().__array_function__(function, types, args, kwargs)
        return function(*plain(args), **plain(kwargs))


for _name in {*dir(np.ndarray), *dir(np.float64), *dir(np.complex128), "__iadd__"} - OWN:
    setattr(StandsForArray, _name, _Attribute(_name))


class StandIn(StandsForArray, Tensor):
    """A staged array that stands for an array outside of the function."""

    __slots__ = ("_array", "_recorder")

    def __init__(self, value: Operand, recorder: trace.Trace, array: Any):
        self._array, self._recorder = array, recorder
        super().__init__(value, recorder.graph)


class StandInView(StandsForArray, Alias):
    """The same for an array that shares its memory with an argument."""

    __slots__ = ("_array", "_recorder")

    def __init__(self, alias: Alias, recorder: trace.Trace, array: Any):
        self._array, self._recorder = array, recorder
        super().__init__(alias._now, alias.kind, alias.sources, alias.recipe)


def is_unaliased(value: Any) -> bool:
    """Whether a value is the handle of an array, and no alias of another one."""
    return type(value) is Tensor or type(value) is StandIn


# -- staged values that a function assigns ---------------------------------------------------------

# By the identity of a staged value: the value, weakly, and what reads its place again.
_places: dict[int, tuple[ref, Callable[[], Any]]] = {}


def remember_place(value: Any, read: Callable[[], Any]) -> None:
    """Notes where a staged value was assigned; `read` returns what the place holds later."""
    if isinstance(value, Tensor):
        key, forget = id(value), _places.pop  # the interpreter may end before the value
        _places[key] = ref(value, lambda _: forget(key, None)), read


def _assigned_value(tensor: Tensor) -> Any:
    """The value for the code that is running: in a thread that finds a staged value while another
    thread records, what its place holds when the recording is complete."""
    if trace.current() is not None or tensor.is_eager or not RECORDING.is_elsewhere():
        return tensor
    with suppress(RecorderIsBlocked):
        RECORDING.wait()
    _, read = _places.get(id(tensor), (None, lambda: tensor))
    return stands_for(read())


Tensor.plain_value = _assigned_value  # type: ignore[method-assign]


# The classes that stand-ins show, by that of the array: it is a base class, but not the same.
_shown_classes: dict[type, type] = {}


def _shown_class(kind):
    known = _shown_classes.get(kind)
    if known is None:
        try:
            known = type(kind.__name__, (kind,), {"__slots__": (), "__module__": kind.__module__})
        except TypeError:  # NumPy's bool has no subclasses
            known = kind
        _shown_classes[kind] = known
    return known
