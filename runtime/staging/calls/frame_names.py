"""Functions of packages that look up the names in a text in the frame of their caller.

    numexpr.evaluate("2 * x + w")       the variables of the user's function
    table.query("a > @limit")           the names after `@`

Frames of the library come between, so the values are given by name.  Variables of the function
are also those of the blocks that are running.
"""

import re
import sys
from types import FrameType, ModuleType
from typing import Any

from autograph.functions.frames import BLOCKS
from autograph.functions.policy import is_users_file

NAME = re.compile(r"(?<![\w.@])[A-Za-z_]\w*")
MARKED_NAME = re.compile(r"@([A-Za-z_]\w*)")

READERS = {
    ("numexpr", "evaluate"): NAME,
    ("pandas", "eval"): NAME,
    ("pandas", "DataFrame.eval"): MARKED_NAME,
    ("pandas", "DataFrame.query"): MARKED_NAME,
}


def reads_names(function: Any) -> bool:
    """Whether a function looks up names in the frame of its caller."""
    return _key(function) in READERS


def with_names(function: Any, args: tuple, kwargs: dict) -> dict:
    """The keyword arguments of a call, with the variables that the text names."""
    text = args[0] if args else kwargs.get("ex", kwargs.get("expr"))
    if type(text) is not str or "local_dict" in kwargs or len(args) > 1:
        return kwargs
    known = _variables()
    named = {name: known[name] for name in READERS[_key(function)].findall(text) if name in known}
    found = {name: value for name, value in named.items() if _is_operand(value)}
    return {**kwargs, "local_dict": found} if found else kwargs


def _key(function: Any) -> tuple[str, str]:
    module = getattr(function, "__module__", None) or ""
    return module.partition(".")[0], getattr(function, "__qualname__", "")


def _is_operand(value: Any) -> bool:
    return not (callable(value) or isinstance(value, ModuleType))


def _variables() -> dict[str, Any]:
    """The variables that the running code of the user sees, the innermost last."""
    frame: FrameType | None = sys._getframe(1)
    frames = []
    while frame is not None:
        if is_users_file(frame.f_code.co_filename):
            frames.append(frame)
            if frame.f_code not in BLOCKS and not frame.f_code.co_name.startswith("<"):
                break
        frame = frame.f_back
    found: dict[str, Any] = dict(frames[-1].f_globals) if frames else {}
    for one in reversed(frames):
        found |= one.f_locals
    return found
