"""Methods of user classes that Python itself calls, converted while a function is staged.

    a + b          A.__add__           k[i]     K.__getitem__
    a == b         A.__eq__            p.norm   the getter of a property
    A(x)           A.__init__          with a:  A.__enter__

The user's code has no call that could be rewritten to reach these methods: Python looks them up in
the class.  So each class that a staged function meets (among the objects it can reach at its start,
and whatever it calls) holds converted methods until staging is done.  On plain values they are
equivalent to the originals, so other users of the class notice nothing.

Python checks the result of some of them (`__bool__`, `__len__`, `__str__`): if that is staged, the
call is refused.  Backends call the `original_method` themselves where they can.
"""

import functools
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from threading import RLock
from types import FunctionType, MethodType
from typing import Any

from autograph.backend import PYTHON, backend_of
from autograph.errors import ConversionError, ValueNeededError
from autograph.functions.callables import converted_callable, functions_in
from autograph.functions.calls import converted_call
from autograph.functions.policy import is_users_class
from autograph.staging.errors import staging_error
from autograph.staging.heap_diff import HeapSnapshot
from autograph.staging.session import StagingSession

# Methods that Python calls without code that needs them, for each attribute that the converted code
# of a method itself reads, or when a class is made.
UNASKED = frozenset(("__del__", "__getattribute__", "__init_subclass__", "__set_name__"))
_NAMES = "array bool bytes complex float format fspath hash index int len length_hint repr str"
CHECKED = frozenset(f"__{name}__" for name in _NAMES.split())
DESCRIPTORS = (property, functools.cached_property)

_lock = RLock()
_converted: dict[type, tuple[int, dict[str, Any]]] = {}  # number of sessions, original methods


class ConvertedClasses:
    """The user classes that hold converted methods on behalf of one session."""

    def __init__(self) -> None:
        self.classes: set[type] | None = None  # None unless methods are being converted

    @contextmanager
    def convert_methods(self, *roots: Any) -> Iterator[None]:
        """While it is open, the classes of objects that the roots reach hold converted methods."""
        self.open()
        try:
            self.meet_all(HeapSnapshot(roots=roots).containers())
            yield
        finally:
            self.close()

    def open(self) -> None:
        """Begins to convert the methods of the classes that are met."""
        self.classes = set()

    def close(self) -> None:
        """Gives the classes that were met their own methods again."""
        with _lock:
            for kind in self.classes or ():
                _release(kind)
        self.classes = None

    def meet_all(self, values: Iterable[Any]) -> None:
        """Converts the methods of the classes among some values, and of the values' classes."""
        for value in values:
            self.meet(value if isinstance(value, type) else type(value))

    def meet(self, kind: type) -> None:
        """Converts the methods of a class and its bases, until the session ends."""
        if self.classes is None or kind in self.classes or not is_users_class(kind):
            return
        for base in kind.__mro__:
            if base not in self.classes and is_users_class(base):
                self.classes.add(base)
                with _lock:
                    _acquire(base)
                for member in vars(base).values():
                    self.meet(type(member))  # the user's descriptors
        self.meet(type(kind))

    def meet_callee(self, function: Any) -> None:
        """Converts the methods of the class that is called, or whose method is called."""
        if isinstance(function, type):
            self.meet(function)
        elif type(function) is MethodType:
            self.meet(type(function.__self__))

    def makes_plain_objects(self, function: Any) -> bool:
        """Whether a callable is a converted class whose objects hold attributes and nothing
        else."""
        return (
            self.classes is not None
            and isinstance(function, type)
            and function in self.classes
            and function.__new__ is object.__new__
        )


class NewObjects(dict[int, tuple[Any, object]]):
    """By identity: the objects that staged code has created, and the regions that did."""

    def add(self, value: Any, region: object) -> Any:
        """Notes an object that was created in a region; returns it."""
        self[id(value)] = value, region
        return value


def make_object(session: StagingSession, kind: type, /, *args: Any, **kwargs: Any) -> Any:
    """Creates an object and notes the region: branches that create one each can be joined."""
    return session.state(NewObjects).add(kind(*args, **kwargs), session.regions[-1])


def is_local(value: Any, session: StagingSession) -> bool:
    """Whether an object was created in a branch that has been staged: no code outside holds it."""
    found = session.state(NewObjects).get(id(value))
    return found is not None and found[1] not in session.regions


def original_method(kind: type, name: str) -> Any:
    """The method of a class as the user has written it, None if there is none."""
    for base in kind.__mro__:
        _, originals = _converted.get(base, (0, {}))
        if name in originals or name in vars(base):
            return originals.get(name, vars(base).get(name))
    return None


def _acquire(kind):
    count, originals = _converted.get(kind, (0, {}))
    if count == 0:
        called = {name: m for name, m in vars(kind).items() if _is_called_by_python(name, m)}
        originals = {name: m for name, m in called.items() if _is_stored(kind, name)}
        for name, member in originals.items():
            try:
                type.__setattr__(kind, name, _converted_member(name, member))
            except ConversionError:
                continue  # it is left unconverted, and raises if it needs a staged value
    _converted[kind] = count + 1, originals


def _is_stored(kind, name):
    """Whether to set an attribute of a class stores it there: a descriptor of the metaclass, such
    as those of `__class__` and `__name__`, would take it instead."""
    found = next((vars(base)[name] for base in type(kind).__mro__ if name in vars(base)), None)
    return not hasattr(type(found), "__set__")


def _release(kind):
    count, originals = _converted[kind]
    if count > 1:
        _converted[kind] = count - 1, originals
        return
    del _converted[kind]
    for name, member in originals.items():
        type.__setattr__(kind, name, member)


def _is_called_by_python(name, member):
    if isinstance(member, FunctionType) or name == "__new__" and type(member) is staticmethod:
        return name.startswith("__") and name.endswith("__") and name not in UNASKED
    return isinstance(member, DESCRIPTORS) and bool(functions_in(member))


def _converted_member(name, member):
    if name in CHECKED and isinstance(member, FunctionType):
        return _checked_method(member)
    if isinstance(member, FunctionType):
        return _converted_method(member)
    if type(member) is staticmethod:
        return staticmethod(_converted_method(member.__func__))
    return converted_callable(member, _converted_method)


def _checked_method(method):
    """The conversion of a method whose result Python checks; a staged one is refused."""
    converted = _converted_method(method)

    @functools.wraps(method)
    def checked(self, /, *args, **options):
        found = converted(self, *args, **options)
        if backend_of(found) is PYTHON:
            return found
        raise staging_error(
            f"`{type(self).__name__}.{method.__name__}` returns a staged value",
            "Python itself calls this method, and needs a value of its own.",
            "Return the value from a method of another name, and call that.",
            ValueNeededError,
        )

    return checked


def _converted_method(method):
    """The conversion of a method; other callables would not be bound."""
    converted = converted_call(method)
    return converted if isinstance(converted, FunctionType) else method
