"""Calls that are made while a graph is recorded, and that no second recording makes again.

print("tracing")            printed once, although the function is recorded twice: a loop that
for i in range(100):        was staged at first is unrolled, since `names` needs a known `n`
    n += 1
names[n]

A call that fills an argument (`random.shuffle(order)`) has left its data there: the second
recording fills its own argument with the same data.

A call is known by the lines of the user that have led to it: calls between those of the first
recording may be calls of each run in the second one.
"""

import array
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

from autograph.functions.policy import is_users_file

Lines = tuple[tuple[str, int], ...]  # of the user's code that is running, the innermost first

DATA = (list, bytearray, memoryview, array.array, np.ndarray)


def fills_data(changed: Sequence[Any]) -> bool:
    """Whether data of the program is among the arguments that a call changes."""
    return any(map(_is_data, changed))


def _is_data(value: Any) -> bool:
    return issubclass(type(value), DATA)


def _copy(value: Any) -> Any:
    if issubclass(type(value), np.ndarray):
        return value.copy()
    return bytes(value) if type(value) is memoryview else value[:]


class MadeCalls:
    """The calls with an effect that one recording has made, with their results, in order."""

    def __init__(self, earlier: "MadeCalls | None" = None):
        self._earlier: list[_Made] = [] if earlier is None else list(earlier._made)
        self._made: list[_Made] = []

    def __len__(self) -> int:
        return len(self._made)

    def owners(self) -> list[Any]:
        """The objects whose methods were called."""
        found = [getattr(one.function, "__self__", None) for one in self._made]
        return [one for one in found if not isinstance(one, (type(None), type, ModuleType))]

    def once(self, function: Any, call: Callable[[], Any], changed: Sequence[Any] = ()) -> Any:
        """The result of a call that changes some arguments; of the call that an earlier recording
        has made at this place."""
        data = [value for value in changed if _is_data(value)]
        lines = _lines()
        known = self._taken(function, lines) if self._earlier else None
        if known is None:
            result = call()
            contents = [_copy(value) for value in data]
        else:
            result, contents = known.result, known.contents
            for value, one in zip(data, contents, strict=True):
                value[:] = one
        self._made.append(_Made(function, lines, result, contents))
        return result

    def _taken(self, function, lines):
        """The first call of a function that the earlier recording has made at a place."""
        found = [one for one in self._earlier if is_same(one.function, function)]
        alike = [one for one in found if one.lines == lines]
        alike = alike or [one for one in found if one.lines[:1] == lines[:1]]
        if not alike:
            return None
        self._earlier = [one for one in self._earlier if one is not alike[0]]
        return alike[0]


@dataclass(frozen=True, eq=False)
class _Made:
    """A call that has been made, and the data that it has left in its arguments."""

    function: Any
    lines: Lines
    result: Any
    contents: list[Any]


def _lines() -> Lines:
    """The lines of the user's code that is running."""
    found = []
    frame = sys._getframe(2)
    while frame is not None:
        if is_users_file(frame.f_code.co_filename):
            found.append((frame.f_code.co_filename, frame.f_lineno))
        frame = frame.f_back
    return tuple(found)


def is_same(one: Any, other: Any) -> bool:
    """Whether two callables are the same one: methods and inner functions are made each time."""
    if type(one) is type(other) and type(one) in (BuiltinFunctionType, MethodType):
        return one.__self__ is other.__self__ and one.__name__ == other.__name__
    if type(one) is type(other) is FunctionType:
        return one.__code__ is other.__code__
    return one is other
