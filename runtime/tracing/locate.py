"""Where in the user's source an operation is recorded, and the name of its result there.

The frames of this package and of NumPy are not the user's; see `autograph/staging/locate.py`.
"""

import inspect
import os
from collections.abc import Callable
from types import CodeType

import numpy as np

from autograph.functions.policy import is_skipped, skip_frames_of
from autograph.staging.locate import current_position, position_in, position_of
from runtime.ir.graph import Location

skip_frames_of(os.path.dirname(__file__))  # the package `runtime`
skip_frames_of(np.__file__)


def here(depth: int = 2) -> tuple[Location | None, str | None]:
    """The user's line that is running, and the variable that it is about to bind."""
    position, name = current_position(depth + 1)
    return None if position is None else Location(*position), name


def definition_of(function: Callable) -> Location | None:
    """The line of the `def` or `lambda` of a function that others may wrap; None without code."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    if code is None or is_skipped(code.co_filename):
        return None
    return Location(code.co_filename, code.co_firstlineno, code.co_name, None)


def location_of(error: BaseException) -> Location | None:
    """The user's line that raised an exception."""
    position = position_of(error)
    return None if position is None else Location(*position)


def location_in(code: CodeType, offset: int) -> Location:
    """The place in the source that an instruction comes from."""
    return Location(*position_in(code, offset))
