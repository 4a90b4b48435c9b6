"""Calls that are made while a graph is recorded, and that no second recording makes again.

print("tracing")            printed once, although the function is recorded twice: a loop that
for i in range(100):        was staged at first is unrolled, since `names` needs a known `n`
    n += 1
names[n]

A call that fills an argument (`random.shuffle(order)`) has left its data there: the second
recording fills its own argument with the same data.
"""

import array
from collections import deque
from collections.abc import Callable, Sequence
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

import numpy as np

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
        self._earlier = deque(() if earlier is None else earlier._made)
        self._made: list[tuple[Any, Any, list[Any]]] = []

    def __len__(self) -> int:
        return len(self._made)

    def once(self, function: Any, call: Callable[[], Any], changed: Sequence[Any] = ()) -> Any:
        """The result of a call that changes some arguments; of the call that an earlier recording
        has made at this place."""
        data = [value for value in changed if _is_data(value)]
        if self._earlier and is_same(self._earlier[0][0], function):
            _, result, contents = self._earlier.popleft()
            for value, known in zip(data, contents, strict=True):
                value[:] = known
        else:
            self._earlier.clear()
            result = call()
            contents = [_copy(value) for value in data]
        self._made.append((function, result, contents))
        return result


def is_same(one: Any, other: Any) -> bool:
    """Whether two callables are the same one: methods and inner functions are made each time."""
    if type(one) is type(other) and type(one) in (BuiltinFunctionType, MethodType):
        return one.__self__ is other.__self__ and one.__name__ == other.__name__
    if type(one) is type(other) is FunctionType:
        return one.__code__ is other.__code__
    return one is other
