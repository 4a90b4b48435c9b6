"""Whose code is whose: the user's own, or Python's and installed packages'.

The user's functions are converted when converted code calls them, and the user's objects are looked
into when a block is staged.  Everything else is left alone.
"""

import functools
import os
import sys
import sysconfig
from types import FunctionType

_PATHS = sysconfig.get_paths()
_LIBRARY = tuple(
    os.path.join(os.path.realpath(_PATHS[kind]), "")
    for kind in ("stdlib", "platstdlib", "purelib", "platlib")
)


_left_alone: list[str] = []


def leave_alone(filename: str) -> None:
    """Makes the package whose `__init__.py` is `filename` one that is never converted."""
    _left_alone.append(os.path.join(os.path.dirname(os.path.realpath(filename)), ""))
    is_users_file.cache_clear()


@functools.cache
def is_users_file(filename: str) -> bool:
    """Whether a file belongs to the user (also a prompt or notebook cell, which is no file)."""
    if filename.startswith("<frozen "):
        return False
    path = os.path.realpath(filename)
    return not path.startswith((*_LIBRARY, *_left_alone))


leave_alone(__file__)


def is_users_function(function: FunctionType) -> bool:
    """Whether a function is the user's own."""
    return is_users_file(function.__code__.co_filename)


def is_users_class(kind: type) -> bool:
    """Whether a class is the user's own."""
    module = sys.modules.get(kind.__module__)
    if module is None:
        return True
    filename = getattr(module, "__file__", None)
    return kind.__module__ == "__main__" if filename is None else is_users_file(filename)
