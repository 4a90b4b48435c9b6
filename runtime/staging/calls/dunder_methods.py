"""Methods of the user's classes that Python itself calls, converted while a graph is recorded.

    a + b          A.__add__           k[i]     K.__getitem__
    a == b         A.__eq__            p.norm   the getter of a property
    A(x)           A.__init__          with a:  A.__enter__

No call in the user's code could be rewritten to reach these: Python looks them up in the class.  So
each class that a recorded function meets (among what it can reach at its start, and whatever it
calls) holds the converted methods until the recording is done.  On plain values they do what the
originals do, so nobody who uses the class meanwhile can tell.

Left out are methods whose result Python checks (`__bool__`, `__len__`, `__str__`): a staged one
would be no answer.  `truth.py`, `builtins.py` and `formatting.py` call these where they can.
"""

import functools
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from threading import RLock
from types import FunctionType, MethodType
from typing import Any

from autograph.errors import ConversionError
from autograph.functions.callables import converted_entity, functions_in
from autograph.functions.calls import converted_call
from autograph.functions.policy import is_users_class
from autograph.staging.heap_diff import HeapSnapshot
from runtime.tracing import trace

_NAMES = (
    "bool bytes complex contains del float format hash index init_subclass int len length_hint new "
    "repr set_name str"
)
CHECKED = frozenset(f"__{name}__" for name in _NAMES.split())
DESCRIPTORS = (property, functools.cached_property)

_lock = RLock()
_converted: dict[type, tuple[int, dict[str, Any]]] = {}  # how many recordings, the originals


@dataclass
class ConvertedClasses:
    """The user's classes whose methods are converted while a function is traced; None before."""

    classes: set[type] | None = None


class NewObjects(dict[int, tuple]):
    """The objects that the traced code has created, and the regions that did, by identity."""


@contextmanager
def methods_converted(*roots: Any) -> Iterator[None]:
    """While it is open, the classes that the roots can reach hold converted methods."""
    recorder = trace.current()
    assert recorder is not None
    converted = recorder.state(ConvertedClasses)
    converted.classes = set()
    try:
        for value in HeapSnapshot(roots=roots).containers():
            meet(value if isinstance(value, type) else type(value))
        yield
    finally:
        with _lock:
            for kind in converted.classes:
                _release(kind)


def meet(kind: type) -> None:
    """Converts the methods of a class, and of its bases, for as long as the recording goes on."""
    recorder = trace.current()
    classes = None if recorder is None else recorder.state(ConvertedClasses).classes
    if classes is None or kind in classes or not is_users_class(kind):
        return
    for base in kind.__mro__:
        if base not in classes and is_users_class(base):
            classes.add(base)
            with _lock:
                _hold(base)


def meet_callee(function: Any) -> None:
    """Converts the methods of the class that is called, or whose method is called."""
    if isinstance(function, type):
        meet(function)
    elif type(function) is MethodType:
        meet(type(function.__self__))


def makes_objects(function: Any) -> bool:
    """Whether what is called is a class whose objects hold attributes and nothing else."""
    recorder = trace.current()
    classes = None if recorder is None else recorder.state(ConvertedClasses).classes
    return (
        classes is not None
        and isinstance(function, type)
        and function in classes
        and function.__new__ is object.__new__
    )


def make_object(kind: type, /, *args: Any, **kwargs: Any) -> Any:
    """An object, of which is kept where it was made: branches that make one each are joined."""
    made = kind(*args, **kwargs)
    recorder = trace.current()
    if recorder is not None:
        recorder.state(NewObjects)[id(made)] = made, recorder.region
    return made


def is_made_inside(value: Any) -> bool:
    """Whether an object was made in a branch that is done, so that nobody around holds it."""
    recorder = trace.current()
    found = None if recorder is None else recorder.state(NewObjects).get(id(value))
    return found is not None and found[1] not in recorder.regions


def _hold(kind):
    count, originals = _converted.get(kind, (0, {}))
    if count == 0:
        originals = {name: m for name, m in vars(kind).items() if _is_pythons_to_call(name, m)}
        for name, member in originals.items():
            try:
                type.__setattr__(kind, name, _converted_member(member))
            except ConversionError:
                continue  # it stays as it is, and says so where it is asked for something staged
    _converted[kind] = count + 1, originals


def _release(kind):
    count, originals = _converted[kind]
    if count > 1:
        _converted[kind] = count - 1, originals
        return
    del _converted[kind]
    for name, member in originals.items():
        type.__setattr__(kind, name, member)


def _is_pythons_to_call(name, member):
    if isinstance(member, FunctionType):
        return name.startswith("__") and name.endswith("__") and name not in CHECKED
    return isinstance(member, DESCRIPTORS) and bool(functions_in(member))


def _converted_member(member):
    if isinstance(member, FunctionType):
        return converted_call(member)
    return converted_entity(member, converted_call)
