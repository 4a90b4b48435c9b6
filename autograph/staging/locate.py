"""The user's line that is running, and the variable that it is about to bind.

    area = 3.14 * r ** 2        an operation of this line makes a value called `area`

The innermost frame outside this library, and outside the packages named by `policy.leave_alone` and
`policy.skip_frames_of`, is the user's.  If the instruction after the current one binds a variable,
that is the name.
"""

import sys
from types import CodeType, FrameType
from typing import NamedTuple

from autograph.functions.bytecode import NOWHERE, Instructions
from autograph.functions.code_tables import MADE
from autograph.functions.policy import is_of_dataclass, is_skipped, is_users_file


class Position(NamedTuple):
    """A position in the source: file, line from 1, function, and columns (UTF-8 bytes, from 0)."""

    filename: str
    lineno: int
    function: str
    columns: tuple[int, int] | None


def users_frame(depth: int = 1) -> FrameType | None:
    """The user's innermost frame, None if there is none."""
    frame: FrameType | None = sys._getframe(depth)
    while frame is not None and is_skipped(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def own_frame() -> FrameType | None:
    """The innermost frame in a file of the user's own; of any code but this library's, if there is
    none."""
    frame = innermost = users_frame(2)
    while frame is not None and not _is_own(frame.f_code):
        frame = frame.f_back
    return frame or innermost


def package_frame(own: FrameType) -> FrameType | None:
    """The innermost frame of a converted package that the user's frame `own` has called; None if
    there is none."""
    frame = users_frame(2)
    while frame is not None and frame is not own:
        if frame.f_code in MADE and not is_skipped(frame.f_code.co_filename):
            return frame
        frame = frame.f_back
    return None


def _is_own(code):
    filename = code.co_filename
    return is_users_file(filename) and not is_skipped(filename) and not is_of_dataclass(code)


def current_position(depth: int = 2) -> tuple[Position | None, str | None]:
    """The position in the user's source that is running, and the variable it is about to bind."""
    frame = users_frame(depth)
    if frame is None:
        return None, None
    name = Instructions.of(frame.f_code).variable_after(frame.f_lasti)
    return position_in(frame.f_code, frame.f_lasti), name


def position_of(error: BaseException) -> Position | None:
    """The position in the user's source that raised an exception."""
    found = None
    entry = error.__traceback__
    while entry is not None:
        code = entry.tb_frame.f_code
        if not is_skipped(code.co_filename):
            found = position_in(code, entry.tb_lasti)
        entry = entry.tb_next
    return found


def position_in(code: CodeType, offset: int) -> Position:
    """The position in the source that an instruction comes from."""
    line, end_line, start, end = Instructions.of(code).position(offset)
    columns = (start, end) if line == end_line and start != NOWHERE else None
    line = code.co_firstlineno if line == NOWHERE else line
    return Position(code.co_filename, line, code.co_name, columns)
