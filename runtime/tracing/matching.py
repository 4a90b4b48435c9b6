"""The questions that Python asks about staged values while `match` explores its cases.

case 0:              bool(x == 0)         `answer` decides
case float():        isinstance(x, float) the class of the value of a run, if it is known
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType
from typing import Any

from runtime.errors import ValueNeededError, staging_error


@dataclass
class MatchRequests:
    """The answers for one recording; those of no `match` are None.

    `answer` is the truth of a staged value; `tests_class` says whether the code of a frame compares
    the class of an object with a pattern.
    """

    answer: Callable[[Any], bool] | None = None
    tests_class: Callable[[FrameType], bool] | None = None


def class_needed(value: str, which: str) -> BaseException:
    """The error about a pattern that tests a class which only a run knows."""
    return staging_error(
        f"the class of {value} is tested by a `match`",
        f"Only the run knows which {which} it is.",
        "Test it before the `match`: if y is None, or isinstance(y, int).",
        ValueNeededError,
    )
