"""Where in the user's source an operation is recorded, and what its result will be called there.

The first frame outside this library and NumPy is the user's.  If the instruction behind the one
that is running stores into a variable, that is the name:  `area = 3.14 * r ** 2`  makes a value
`area`.
"""

import dis
import os
import sys
import weakref
from array import array
from functools import cache
from types import CodeType

import numpy as np

import autograph
import runtime
from runtime.ir.graph import Location

_FOREIGN = tuple(
    os.path.join(os.path.dirname(os.path.realpath(path)), "")
    for path in (
        runtime.__file__,
        np.__file__,
        autograph.__file__,
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
    line, end_line, start, end = _instructions(code).position(offset)
    columns = (start, end) if line == end_line and start != _NOWHERE else None
    line = code.co_firstlineno if line == _NOWHERE else line
    return Location(code.co_filename, line, code.co_name, columns)


class _Instructions:
    """The instructions of a code object: the variables that they bind, their places in the
    source."""

    def __init__(self, code: CodeType):
        # As plain numbers: tuples by the ten thousand would keep the garbage collector busy.
        self._positions = array("i")
        for position in code.co_positions():
            self._positions.extend([_NOWHERE if n is None else n for n in position])
        self._bytes = code.co_code
        shared = tuple(name for name in code.co_cellvars if name not in code.co_varnames)
        self._locals = (*code.co_varnames, *shared, *code.co_freevars)
        self._names = code.co_names

    def position(self, offset: int) -> array:
        """Line, last line, first and last column of the instruction at an offset."""
        first = offset // 2 * 4
        return self._positions[first : first + 4]

    def variable_after(self, offset: int) -> str | None:
        """The variable that the instruction behind the one at `offset` binds, if it does."""
        argument = 0
        for at in range(offset + 2, len(self._bytes), 2):
            opcode, low = self._bytes[at : at + 2]
            if opcode != _CACHE:
                argument = argument << 8 | low
                if opcode != dis.EXTENDED_ARG:
                    name = self._variable(dis.opname[opcode], argument)
                    return name if name and name.isidentifier() else None  # `.0`, `@py_assert1`
        return None

    def _variable(self, name, argument):
        match name:
            case "STORE_FAST" | "STORE_DEREF":
                return self._locals[argument]
            case "STORE_NAME" | "STORE_GLOBAL":
                return self._names[argument]
            case "STORE_FAST_STORE_FAST" | "STORE_FAST_LOAD_FAST":  # two in one, since 3.13
                return self._locals[argument >> 4]
        return None


_NOWHERE = -1  # stands for a line or column that an instruction does not have
_CACHE = dis.opmap["CACHE"]  # room that an instruction keeps for the interpreter's own notes

_known: dict[int, tuple[weakref.ref, _Instructions]] = {}


def _instructions(code):
    """What is known about a code object.  It is kept by identity: from 3.12 on the hash of a code
    object takes as long as the code is."""
    found = _known.get(id(code))
    if found is None:
        key = id(code)
        gone = weakref.ref(code, lambda _: _known.pop(key, None))
        found = _known[key] = gone, _Instructions(code)
    return found[1]
