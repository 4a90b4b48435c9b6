"""Exceptions by which methods tell Python something, where only a run can raise them.

    @property
    def last(self):
        if self.count < 1:          count is staged: `hasattr(table, "last")` would be True
            raise AttributeError

    def __getitem__(self, i):       in `for v in table`, the loop ends with the first IndexError;
        return self.array[i]        in `table[i]`, it is an exception like any other

Python hears of the exception while the graph is being built, or never.  A `raise` that ends an
iteration is refused by `ends_of_iteration.py`, which names the loop.
"""

import sys
from functools import cached_property
from types import FrameType
from typing import Any

from autograph.errors import HandledInRunError
from autograph.functions.bytecode import handlers, opname_at
from autograph.functions.policy import is_left_alone, is_users_file
from autograph.functions.rebuild import MADE
from autograph.staging.errors import staging_error

# The exception that a method tells something by, and the instructions that pass it on instead.
TELLING: dict[str, tuple[type[BaseException], tuple[str, ...]]] = {
    "__getitem__": (IndexError, ("BINARY_SUBSCR", "BINARY_OP", "BINARY_SLICE")),
    "__getattr__": (AttributeError, ("LOAD_ATTR", "LOAD_METHOD")),
}
READS = ("LOAD_ATTR", "LOAD_METHOD")


def refuse_telling(error: type[BaseException]) -> None:
    """Raises `StagingError` if a run would raise an exception that a method, which is being
    recorded, tells Python something by."""
    name = method_that_tells(error)
    if name:
        raise staging_error(
            f"{error.__name__}, which only a run can raise, is the answer of `{name}` to Python",
            "Python hears of it while the graph is being built, or never.",
            "Write the condition where the object is used: a loop with `while` or `break`, "
            "an `if` around the access, or a generator function.",
            HandledInRunError,
        )


def method_that_tells(error: type[BaseException]) -> str:
    """The name of the method being recorded that tells Python something by an exception; "" if
    there is none."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_code in MADE and _tells(frame, error):
            return frame.f_code.co_name
        frame = frame.f_back
    return ""


def _tells(frame: FrameType, error: type[BaseException]) -> bool:
    name = frame.f_code.co_name
    telling, passing = TELLING.get(name, (None, ()))
    owner = _owner(frame)
    if telling is None and issubclass(error, AttributeError) and _is_property(owner, name):
        telling, passing = AttributeError, () if _defines(owner, "__getattr__") else READS
    if name == "__getitem__" and issubclass(error, LookupError) and _is_caught(frame.f_back):
        return True
    if telling is None or not issubclass(error, telling):
        return False
    return _asking(frame) not in passing


def _is_caught(caller: FrameType | None) -> bool:
    """Whether a library's code, such as `Mapping.get`, has a handler where it calls."""
    if caller is None or caller.f_code in MADE:
        return False
    code, offset = caller.f_code, caller.f_lasti
    filename = code.co_filename
    if is_left_alone(filename) or is_users_file(filename):
        return False
    return any(one.start <= offset < one.end for one in handlers(code))


def _owner(frame: FrameType) -> type:
    """The class of the first argument of a function."""
    code = frame.f_code
    return type(frame.f_locals.get(code.co_varnames[0])) if code.co_argcount else object


def _defines(owner: type, name: str) -> Any:
    """The definition of a name in a class or a base of it; None if there is none."""
    return next((vars(base)[name] for base in owner.__mro__ if name in vars(base)), None)


def _is_property(owner: type, name: str) -> bool:
    return isinstance(_defines(owner, name), (property, cached_property))


def _asking(frame: FrameType) -> str:
    """The instruction that the caller of a frame is executing."""
    caller = frame.f_back
    return "" if caller is None else opname_at(caller.f_code, caller.f_lasti)
