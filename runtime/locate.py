"""Where in the user's source an operation is recorded, and what its result will be called there.

The first frame outside this library and NumPy is the user's.  If the instruction behind the one
that is running stores into a variable, that is the name:  `area = 3.14 * r ** 2`  makes a value
`area`.
"""

import dis
import os
import sys
from bisect import bisect_right
from dataclasses import dataclass
from functools import cache, lru_cache
from types import CodeType

import numpy as np

from runtime.ir import Location

_FOREIGN = tuple(
    os.path.join(os.path.dirname(os.path.realpath(path)), "")
    for path in (
        __file__,
        np.__file__,
        os.path.join(os.path.dirname(os.path.dirname(__file__)), "autograph", "x"),
    )
)


@cache
def is_foreign(filename: str) -> bool:
    """Whether a file is none of the user's: of this library, of NumPy, or of Python's start."""
    return filename.startswith(_FOREIGN) or filename.startswith("<frozen ")


def users_frame(depth: int = 1):
    """The innermost frame of the user's, None where there is none."""
    frame = sys._getframe(depth)
    while frame is not None and is_foreign(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def here(depth: int = 2) -> tuple[Location | None, str | None]:
    """The user's line that is running, and the variable that it is about to bind."""
    frame = users_frame(depth)
    if frame is None:
        return None, None
    instructions = _instructions(frame.f_code)
    return location_in(frame.f_code, frame.f_lasti), instructions.variable_after(frame.f_lasti)


def location_of(error: BaseException) -> Location | None:
    """The user's line that raised an exception."""
    found = None
    entry = error.__traceback__
    while entry is not None:
        code = entry.tb_frame.f_code
        if not is_foreign(code.co_filename):
            found = location_in(code, entry.tb_lasti)
        entry = entry.tb_next
    return found


def location_in(code: CodeType, offset: int) -> Location:
    """The place in the source that an instruction comes from."""
    line, end_line, start, end = _instructions(code).positions[offset // 2]
    columns = (start, end) if line == end_line and start is not None else None
    return Location(code.co_filename, line or code.co_firstlineno, code.co_name, columns)


@dataclass(frozen=True)
class _Instructions:
    """The instructions of a code: offsets, the variables that they bind, places in the source."""

    offsets: list[int]
    variables: list[str | None]
    positions: list[tuple]

    def variable_after(self, offset):
        """The variable that the instruction behind the one at `offset` binds, if it does."""
        following = bisect_right(self.offsets, offset)
        return self.variables[following] if following < len(self.variables) else None


STORES = ("STORE_FAST", "STORE_DEREF", "STORE_NAME", "STORE_GLOBAL")


@lru_cache(4096)
def _instructions(code):
    found = list(dis.get_instructions(code))
    return _Instructions(
        [instruction.offset for instruction in found],
        [_variable(instruction) for instruction in found],
        list(code.co_positions()),
    )


def _variable(instruction):
    """The variable that an instruction binds, None where it binds none."""
    if not instruction.opname.startswith(STORES):
        return None
    name = instruction.argval
    return name[0] if isinstance(name, tuple) else name  # two instructions in one, since 3.13
