"""The questions that Python asks about staged values while `match` explores its cases.

case 0:              bool(x == 0)         `answer` decides
case float():        isinstance(x, float) the class of the value of a run, if it is known
"""

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from types import CodeType, FrameType
from typing import Any

from autograph.functions.bytecode import opname_at
from autograph.functions.code_tables import MADE, Mark
from autograph.functions.policy import is_users_file
from runtime.errors import ValueNeededError, staging_error


@dataclass
class MatchRequests:
    """The answers for one recording; those of no `match` are None.

    `answer` is the truth of a staged value; `tests_class` says whether the code of a frame compares
    the class of an object with a pattern.
    """

    answer: Callable[[Any], bool] | None = None
    tests_class: Callable[[FrameType], bool] | None = None


# Whether the cases of a `match` are being explored, in this thread or task.
exploring: ContextVar[bool] = ContextVar("exploring", default=False)


def asks_class(code: CodeType) -> bool:
    """Whether code may see the class of the value of a run: that of the user, and all code while
    the cases of a `match` are explored.  This is quick: each `isinstance` calls it."""
    constants = code.co_consts
    is_converted = bool(constants) and type(constants[-1]) is Mark
    return is_converted or is_users_file(code.co_filename) or exploring.get()


# Returns the class of a staged value, as `type(x)` does.
CLASSES: list[Callable[[Any], Any]] = []


def reads_class(frame: FrameType) -> bool:
    """Whether the code of a frame is the user's code that reads an attribute: `x.__class__`."""
    code = frame.f_code
    is_users = code in MADE or is_users_file(code.co_filename)
    return is_users and opname_at(code, frame.f_lasti) == "LOAD_ATTR"


def class_of(value: Any) -> Any:
    """The class that the value of a run has.  Raises `StagingError` if a run decides it."""
    return CLASSES[0](value)


def class_needed(value: str, which: str) -> BaseException:
    """The error about a pattern that tests a class which only a run knows."""
    return staging_error(
        f"the class of {value} is tested by a `match`",
        f"Only the run knows which {which} it is.",
        "Test it before the `match`: if y is None, or isinstance(y, int).",
        ValueNeededError,
    )
