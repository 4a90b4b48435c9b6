"""Where in the user's source an operation is recorded, and what its result will be called there.

The first frame outside this library and NumPy is the user's.  If the instruction behind the one
that is running stores into a variable, that is the name:  `area = 3.14 * r ** 2`  makes a value
`area`.
"""

import dis
import os
import sys
from bisect import bisect_right
from functools import cache, lru_cache

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
def _is_foreign(filename):
    return filename.startswith(_FOREIGN) or filename.startswith("<frozen ")


def users_frame(depth: int = 1):
    """The innermost frame of the user's, None where there is none."""
    frame = sys._getframe(depth)
    while frame is not None and _is_foreign(frame.f_code.co_filename):
        frame = frame.f_back
    return frame


def here(depth: int = 2) -> tuple[Location | None, str | None]:
    """The user's line that is running, and the variable that it is about to bind."""
    frame = users_frame(depth)
    if frame is None:
        return None, None
    code = frame.f_code
    location = Location(code.co_filename, frame.f_lineno, code.co_name)
    offsets, names = _stores(code)
    following = bisect_right(offsets, frame.f_lasti)
    return location, names[following] if following < len(names) else None


@lru_cache(4096)
def _stores(code):
    """The offsets of a code's instructions, and for each the variable that it binds, if any."""
    offsets, names = [], []
    for instruction in dis.get_instructions(code):
        offsets.append(instruction.offset)
        name = None
        if instruction.opname.startswith(
            ("STORE_FAST", "STORE_DEREF", "STORE_NAME", "STORE_GLOBAL")
        ):
            name = instruction.argval
            name = name[0] if isinstance(name, tuple) else name
        names.append(name)
    return offsets, names
