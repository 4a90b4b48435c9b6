"""Objects of packages that the code being recorded reads: tables, graphs, and the like.

    table["price"].values * x         valid while the table has the same contents
    for i, j in graph.edges: ...

The values that the code reads from them are constants of the graph.  Nothing is known about the
classes, so each call compares the text that `pickle` writes for such an object with that of the
recording.  Attributes and literal subscripts are no calls that could be rewritten: while a graph
is recorded, the classes of such objects have methods that note reads (`asked_objects.py`).
"""

import functools
import hashlib
import io
import pickle
import sys
import weakref
from collections.abc import Callable
from contextlib import suppress
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from autograph.functions.policy import is_users_class
from autograph.staging import memory
from autograph.staging.accessors import has_contents
from autograph.staging.iterator_state import is_iterator
from runtime.staging.calls.natures import has_state, is_of_values
from runtime.staging.calls.outside_answers import Answer
from runtime.staging.calls.package_functions import TABLE_PACKAGES
from runtime.tracing import trace

OWN = frozenset(["__main__", "autograph", "builtins", "numpy", "runtime"]) | sys.stdlib_module_names
MOST_PARTS = 20  # of a list, whose forms are compared
CODE = (type, ModuleType, FunctionType, BuiltinFunctionType, MethodType)


def is_library_object(value: Any) -> bool:
    """Whether a value is an object of the standard library whose attributes can be assigned, such
    as a `string.Template`: its methods read these.  Objects that are followed in another way are
    none: those whose methods change them, and containers."""
    kind = type(value)
    return (
        _is_of_library(value)
        and hasattr(value, "__dict__")
        and not has_state(kind)
        and not is_of_values(kind)
    )


def is_read_by_key(value: Any) -> bool:
    """Whether a value is an object of the standard library that methods change and operators read,
    such as a `ConfigParser`: the code may read it without a call."""
    kind = type(value)
    is_subscripted = hasattr(kind, "__getitem__") or hasattr(kind, "__len__")
    return _is_of_library(value) and is_subscripted and has_state(kind)


def _is_of_library(value: Any) -> bool:
    """Whether a value is an object of the standard library, which is not followed by its parts."""
    kind = type(value)
    package = kind.__module__.partition(".")[0]
    if package not in sys.stdlib_module_names or package == "builtins" or isinstance(value, CODE):
        return False
    return not (is_iterator(value) or has_contents(value) or memory.is_known(kind))


def is_package_object(value: Any) -> bool:
    """Whether a value is an object of an installed package other than NumPy: no code of it."""
    return _is_of_package(type(value)) and not is_iterator(value)


@functools.lru_cache(4096)
def _is_of_package(kind: type) -> bool:
    package = kind.__module__.partition(".")[0]
    return not (package in OWN or issubclass(kind, CODE) or is_users_class(kind))


class _Contents(pickle.Pickler):
    """A pickler that refuses objects of the user, and takes functions by their identity."""

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, CODE):
            return NotImplemented if isinstance(value, type) else (int, (id(value),))
        kind = type(value)
        if kind.__module__ in sys.modules and is_users_class(kind):  # functions of C have no module
            raise pickle.PicklingError
        return NotImplemented


def digest_of(value: Any) -> bytes | None:
    """A digest of the contents of an object; None if it cannot be pickled."""
    found = io.BytesIO()
    try:
        _Contents(found, protocol=5).dump(value)
    except Exception:  # of any package
        return None
    return hashlib.blake2b(found.getbuffer(), digest_size=16).digest()


class ContentsOf:
    """A function that returns the digest of an object, which it does not keep alive if possible."""

    def __init__(self, value: Any):
        self.value: Callable[[], Any] = lambda: value
        with suppress(TypeError):  # of a class whose objects have no weak references
            self.value = weakref.ref(value)

    def __call__(self) -> bytes | None:
        value = self.value()
        return None if value is None else digest_of(value)


class FormOf(ContentsOf):
    """A function that returns the form of a model: the types and shapes of its attributes."""

    def __call__(self) -> Any:
        return form_of(self.value())


def form_of(value: Any, depth: int = 3) -> Any:
    """The types and shapes of what an object holds."""
    kind = type(value)
    if isinstance(value, np.ndarray):
        return value.shape, value.dtype.str
    if kind in (list, tuple) and depth:
        return kind.__name__, tuple(form_of(one, depth - 1) for one in value[:MOST_PARTS])
    held = vars(value) if hasattr(value, "__dict__") and not isinstance(value, CODE) else {}
    if not depth or not held:
        return kind.__name__
    return kind.__name__, tuple((name, form_of(one, depth - 1)) for name, one in held.items())


class ReadObjects:
    """The objects of packages whose contents a recording has read."""

    def __init__(self) -> None:
        self._known: dict[int, ContentsOf] = {}
        self._forms: dict[int, ContentsOf] = {}
        self._parts: dict[int, Any] = {}  # by identity: what was read of them, which is kept
        self._outside: dict[int, Any] = {}  # by identity: objects of the standard library

    def note_outside(self, value: Any) -> None:
        """Notes an object that the code may read, and that other code has made."""
        if is_library_object(value):
            self._outside[id(value)] = value
        elif is_read_by_key(value):
            self.note(value)

    def is_outside(self, value: Any) -> bool:
        """Whether it is such an object of the standard library."""
        return id(value) in self._outside

    def note(self, value: Any) -> None:
        """Makes the contents of an object a condition of the graph, if it can be pickled."""
        if id(value) in self._known or id(value) in self._parts:
            return
        self._known[id(value)] = ContentsOf(value)

    def note_form(self, value: Any) -> None:
        """Makes the form of an object a condition, on which the types of results depend."""
        if id(value) not in self._forms and id(value) not in self._parts:
            self._forms[id(value)] = FormOf(value)

    def note_part(self, value: Any) -> None:
        """Notes what was read of an object: its contents are a part of the object's."""
        self._parts[id(value)] = value

    def answers(self) -> list[Answer]:
        """The conditions, when the recording has ended: arrays are not staged any more."""
        asked = [Answer(one, (), {}) for one in (*self._known.values(), *self._forms.values())]
        for one in asked:
            one.contents = one.contents_now()
        self._parts.clear()
        self._outside.clear()
        return [one for one in asked if one.again() is not None]


def note_read(*values: Any) -> None:
    """Notes that the code being recorded reads values, as far as they are objects of packages."""
    recorder = trace.current()
    if recorder is None or recorder.is_eager:
        return
    known = recorder.state(ReadObjects)
    for value in values:
        if is_package_object(value) or known.is_outside(value):
            known.note(value)


def is_table(value: Any) -> bool:
    """Whether an object is of a package of tables."""
    return type(value).__module__.partition(".")[0] in TABLE_PACKAGES


def state_of(value: Any) -> Any:
    """What the types of results may depend on: the contents of a table, the form of a model."""
    return digest_of(value) if is_table(value) else form_of(value)


def note_used(value: Any) -> None:
    """Notes an object that a call of each run is given, whose result has a known type: that of
    tables may depend on the contents, that of models on the form."""
    recorder = trace.current()
    if recorder is None or recorder.is_eager or not is_package_object(value):
        return
    if is_table(value):
        recorder.state(ReadObjects).note(value)
    else:
        recorder.state(ReadObjects).note_form(value)


def note_part(owner: Any, value: Any) -> Any:
    """Notes that the code being recorded reads a value of an object of a package; returns it."""
    note_read(owner)
    recorder = trace.current()
    if recorder is not None and is_package_object(value):
        recorder.state(ReadObjects).note_part(value)
    return value


def read_now(call: Callable[..., Any], function: Any, args: tuple, kwargs: dict) -> Any:
    """The result of a call that happens while the graph is being built: it may read its arguments,
    and the object whose method it is."""
    read = (getattr(function, "__self__", None), *args, *kwargs.values())
    note_read(*read)
    if not any(map(is_package_object, read)):
        return call(args, kwargs)
    found = call(args, kwargs)
    note_part(None, found)
    return found
