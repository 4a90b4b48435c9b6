"""Functions of `functools` that choose another one by the class of the first argument.

    @singledispatch
    def area(shape): ...

`inspect.signature` and `__wrapped__` show the function for all other classes, but a call may take
other arguments; of a method they also show `self`, which a bound method is not given.
"""

import functools
from types import CodeType, FunctionType
from typing import Any


def _code_of_method() -> CodeType:
    class Example:
        @functools.singledispatchmethod
        def method(self, value: Any) -> Any:
            return value

    return Example().method.__code__


FUNCTION = functools.singledispatch(lambda value: value).__code__
METHOD = _code_of_method()


def is_dispatcher(function: object) -> bool:
    """Whether a function was made by `singledispatch`, or is such a method."""
    return type(function) is FunctionType and function.__code__ in (FUNCTION, METHOD)
