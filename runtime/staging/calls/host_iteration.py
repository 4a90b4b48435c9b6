"""Loops over host values, and host values that are unpacked: each step is a host call.

for line in file:          cursor: object = host_call(file, function=Cursor)
    print(line)            p = host_call(cursor, function=Cursor.advance)
                           while p:
                               line: object = host_call(cursor, function=Cursor.element)
                               ...
                               p = host_call(cursor, function=Cursor.advance)

name, end = split(line)    parts: object = host_call(pair, function=unpacked, given=(_0, 2))
"""

import dis
import functools
import operator
import sys
from collections.abc import Callable, Iterator
from typing import Any

from runtime.ir.types import BOOL
from runtime.staging.calls.host_values import HostValue, asked

UNPACK = dis.opmap["UNPACK_SEQUENCE"]


class Cursor:
    """A position in an iterable of a run."""

    def __init__(self, iterable: Any):
        self._iterator = iter(iterable)
        self._element: Any = None

    def advance(self) -> bool:
        """Goes to the next element; returns whether there is one."""
        for element in self._iterator:
            self._element = element
            return True
        return False

    def element(self) -> Any:
        """The element, which is not kept."""
        element, self._element = self._element, None
        return element


class HostElements:
    """The elements of a host value, as a staged loop takes them."""

    places = ()  # the loop carries no position: the cursor has it

    def __init__(self, iterable: HostValue):
        self._cursor = asked(Cursor, iterable)

    def advance(self) -> None:
        """Does nothing: reading an element advances the iterator."""

    def more(self) -> Any:
        """Whether there is another element; goes to it."""
        return asked(Cursor.advance, self._cursor, kind=BOOL)

    def element(self) -> HostValue:
        """The element for the next iteration."""
        return asked(Cursor.element, self._cursor)


def _iterated(value: HostValue) -> Iterator[HostValue]:
    """The elements of a host value, where the user's code unpacks it into variables."""
    frame = sys._getframe(1)
    code, offset = frame.f_code.co_code, frame.f_lasti
    if code[offset] != UNPACK or code[offset - 2] == dis.EXTENDED_ARG:
        value._refused()
    count = code[offset + 1]
    parts = asked(unpacked, value, count)
    return iter([asked(operator.getitem, parts, i) for i in range(count)])


HostValue.__iter__ = _iterated  # type: ignore[assignment]


def unpacked(value: Any, count: int) -> tuple[Any, ...]:
    """The elements of an iterable, if there are `count`; raises the errors of an assignment."""
    return _unpacking(count)(value)


@functools.cache
def _unpacking(count: int) -> Callable[[Any], tuple[Any, ...]]:
    """A function that assigns the elements of its argument to `count` variables."""
    names = "".join(f"part_{i}, " for i in range(count))
    namespace: dict[str, Any] = {}
    exec(f"def unpack(value):\n    ({names}) = value\n    return ({names})", namespace)
    return namespace["unpack"]
