"""How far iterators are: a comparison before and after a block finds those that it has advanced.

    before = position(iterator)
    next(iterator)
    position(iterator) == before        False

An iterator has no contents that code could put back, so a block that may not run must not advance
one from outside.  Nothing is taken from an iterator, and no user code runs: iterators of the
standard library tell their state to `pickle`, and generators keep theirs in their frames.
"""

import functools
import gc
import io
import warnings
from collections.abc import Hashable
from types import CodeType, FrameType, FunctionType, GeneratorType, ModuleType
from typing import Any

from autograph.functions.policy import is_users_class

DEEPEST = 20  # iterators of iterators
OURS = ("autograph", "runtime")
VALUES = (bool, int, float, complex, str, bytes, type(None), range, slice)
NO_STATE = (CodeType, FrameType, FunctionType, ModuleType, type)


@functools.lru_cache(1024)
def _has_position(kind: type) -> bool:
    if kind.__module__.partition(".")[0] in OURS or is_users_class(kind):
        return False
    takes = any("__next__" in vars(base) for base in kind.__mro__)
    return takes and not issubclass(kind, io.IOBase)


def is_iterator(value: object) -> bool:
    """Whether reading an object uses it up: an iterator, generator, `zip`, `map`...

    Objects of the user's classes are none: their attributes say how far they are.
    """
    return _has_position(type(value))


def held(iterator: Any) -> list[object]:
    """The objects that an iterator reads, and those in the frame of a generator."""
    found = []
    for one in gc.get_referents(iterator):
        if type(one) is tuple:  # as in a `zip`
            found += one
        elif not issubclass(type(one), NO_STATE):
            found.append(one)
    return found


def position(iterator: Any, depth: int = 0) -> Hashable:
    """How far an iterator is; equal if nothing has been taken meanwhile, as long as the objects
    that it held are alive."""
    if isinstance(iterator, GeneratorType):
        frame = iterator.gi_frame
        if frame is None:
            return "ended"
        return frame.f_lasti, tuple(_told(one, depth) for one in held(iterator))
    state = _pickled(iterator)
    if state is None:
        return tuple(_told(one, depth) for one in held(iterator))
    return _told(state, depth)


def _pickled(iterator: Any) -> Any:
    """The state that an iterator tells to `pickle`; None if it tells none."""
    kind = type(iterator)
    if "dict" in kind.__name__ or kind.__name__ == "set_iterator":
        return iterator.__length_hint__()  # they tell their elements
    if kind.__module__ not in ("builtins", "itertools") or kind.__name__ in ("map", "filter"):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # itertools shall not tell it in Python 3.14
            return kind.__reduce__(iterator)
    except TypeError:
        return None


def _told(value: Any, depth: int) -> Hashable:
    """A part of a state: the value of a number or text, the position of an iterator, else the
    identity of an object."""
    kind = type(value)
    if kind in VALUES:
        return kind.__name__, repr(value)
    if kind in (tuple, list) and (kind is tuple or not value):
        return tuple(_told(one, depth) for one in value)
    if depth < DEEPEST and is_iterator(value):
        return kind.__name__, position(value, depth + 1)
    return id(value)
