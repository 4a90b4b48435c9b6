"""Warnings that a run issues name the user's line.

    model.py:7: RuntimeWarning: divide by zero encountered in divide
      z = y / (x - 1)

Python asks the frame that called the operation for its file and line, and that is a frame of an
engine.  The function by which `warnings` shows a warning is replaced: it finds the user's line for
such a frame, and issues the warning again, for that line.  So the filters that name the user's
module hold, and a line warns as often as it does in Python.  A run without warnings pays nothing.
"""

import re
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from types import FrameType
from typing import Any

import numpy as np

from autograph.functions.policy import is_left_alone, is_skipped
from autograph.staging.object_state import dictionary
from runtime.ir.graph import Location

PROGRAM = "<graph "  # the beginning of the file names of programs

# Each returns the user's line for a frame of an engine, None for other frames.
FINDERS: list[Callable[[FrameType], Location | None]] = []

Shown = dict[tuple[type[Warning], str, str, int], int]

# The warnings that a run has shown so far, and those that the function is not to show again.
_noted: ContextVar[Shown | None] = ContextVar("_noted", default=None)
_repeated: ContextVar[Shown | None] = ContextVar("_repeated", default=None)

_show_at_once = warnings._showwarnmsg  # type: ignore[attr-defined]


class noting_warnings:
    """Counts the warnings that a run shows: if it ends, the Python function may be called."""

    __slots__ = ("shown", "token")

    def __enter__(self) -> Shown:
        self.shown: Shown = {}
        self.token = _noted.set(self.shown)
        return self.shown

    def __exit__(self, *error: object) -> None:
        _noted.reset(self.token)
        outer = _noted.get()
        if outer is not None and self.shown:
            for key, number in self.shown.items():
                outer[key] = outer.get(key, 0) + number


@contextmanager
def without_warnings_of(shown: Shown) -> Iterator[None]:
    """While it is open, the function is called again, for a run that has shown some warnings."""
    token = _repeated.set(shown)
    try:
        yield
    finally:
        _repeated.reset(token)


@contextmanager
def without_reports_of(shown: Shown) -> Iterator[None]:
    """While it is open, the function is called again up to the exception that has ended a run: all
    errors that NumPy reports by `np.seterrcall` or on the console have been reported."""
    ways = np.geterr().items()
    printing: dict[str, Any] = {kind: "ignore" for kind, way in ways if way == "print"}
    with without_warnings_of(shown), np.errstate(call=_Unheard(), **printing):
        yield


class _Unheard:
    """Takes the reports of floating-point errors, and drops them."""

    def __call__(self, message: str, flags: int) -> None: ...

    def write(self, message: str) -> None: ...


def _show(message: warnings.WarningMessage) -> None:
    """Shows a warning, unless a run has shown it for the call that is repeated."""
    key = message.category, str(message.message), message.filename, message.lineno
    repeated, noted = _repeated.get(), _noted.get()
    if repeated is not None and repeated.get(key):
        repeated[key] -= 1
        return
    if noted is not None:
        noted[key] = noted.get(key, 0) + 1
    _show_at_once(message)


def namespace_of(filename: str) -> dict[str, Any]:
    """The global variables by which Python filters the warnings of a program, whose lines come
    from a file of the user.

    The program keeps no registry of its own: the user's module has one.
    """
    return {"__name__": _module_of(filename), "__warningregistry__": None}


@cache
def _module_of(filename: str) -> str:
    for name, module in list(sys.modules.items()):
        held = dictionary(module) or {}  # to ask a lazy module for a name would import it
        if held.get("__file__") == filename:
            return name
    return "__main__"


def shown(message: warnings.WarningMessage) -> None:
    """Shows a warning; one of a run is issued for the user's line."""
    if not (message.filename.startswith(PROGRAM) or is_left_alone(message.filename)):
        _show(message)
        return
    location, variables = _users_line(sys._getframe(1))
    if location is None:
        _show(message)
        return
    filename, line = location
    module = variables.get("__name__") or _module_of(filename)
    if _action(message, module, line) == "once":  # the first pass has counted it
        message.filename, message.lineno = filename, line
        _show(message)
        return
    registry = variables.setdefault("__warningregistry__", {})
    text, category = message.message, message.category
    warnings.warn_explicit(text, category, filename, line, module, registry, source=message.source)


def _users_line(start: FrameType) -> tuple[tuple[str, int] | None, dict[str, Any]]:
    """The user's file and line that issued a warning, and the global variables of its module."""
    found: tuple[str, int] | None = None
    frame: FrameType | None = start
    while frame is not None:
        if found is None:
            location = next(filter(None, (find(frame) for find in FINDERS)), None)
            if location is not None:
                found = location.filename, location.lineno
            elif not is_skipped(frame.f_code.co_filename) and frame.f_globals is not vars(warnings):
                return (frame.f_code.co_filename, frame.f_lineno), frame.f_globals
        elif frame.f_code.co_filename == found[0]:
            return found, frame.f_globals
        frame = frame.f_back
    if found is None:
        return None, {}
    module = sys.modules.get(_module_of(found[0]))
    known = module is not None and getattr(module, "__file__", None) == found[0]
    return found, vars(module) if known else _variables_of(found[0])


@cache
def _variables_of(filename: str) -> dict[str, Any]:
    """Stands for the global variables of a file whose module is not known."""
    return {}


def _matches(pattern: str | re.Pattern[str] | None, text: str) -> bool:
    """Whether a part of a filter accepts a text: Python's own filters hold texts that are equal."""
    if pattern is None or isinstance(pattern, str):
        return pattern is None or pattern == text
    return bool(pattern.match(text))


def _action(message: warnings.WarningMessage, module: str, line: int) -> str:
    """The action of the first filter that matches a warning."""
    text = str(message.message)
    for action, pattern, category, name, number in warnings.filters:
        if (
            _matches(pattern, text)
            and issubclass(message.category, category)
            and _matches(name, module)
            and number in (0, line)
        ):
            return action
    return warnings.defaultaction  # type: ignore[attr-defined,no-any-return]


warnings._showwarnmsg = shown  # type: ignore[attr-defined]
