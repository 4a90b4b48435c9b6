"""Loops over host values, and host values that are unpacked: each step is a host call.

for line in file:          cursor: object = host_call(file, function=Cursor)
    print(line)            p = host_call(cursor, function=Cursor.advance)
                           while p:
                               line: object = host_call(cursor, function=Cursor.element)
                               ...
                               p = host_call(cursor, function=Cursor.advance)

name, end = split(line)    parts: object = host_call(pair, function=unpacked, given=(_0, 2))
"""

import operator
import sys
from collections.abc import Iterator
from typing import Any

from runtime.ir.types import BOOL
from runtime.staging.calls.host_values import HostValue, asked
from runtime.staging.calls.unpacking import assigned, count_of_targets


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
    count = count_of_targets(sys._getframe(1))
    if count is None:
        value._refused()
    parts = asked(unpacked, value, count)
    return iter([asked(operator.getitem, parts, i) for i in range(count)])


HostValue.__iter__ = _iterated  # type: ignore[assignment]


def unpacked(value: Any, count: int) -> tuple[Any, ...]:
    """The elements of an iterable, if there are `count`; raises the errors of an assignment."""
    return assigned(count)(value)
