"""Tracebacks show the user's code: frames of the library are left out of exceptions that leave it.

    Traceback (most recent call last):
      File "train.py", line 20, in <module>
        loss(x)
      File "train.py", line 12, in loss
        return json.dumps(x)
               ^^^^^^^^^^^^^
    runtime.errors.ArgumentError: json.dumps is given the staged value `x` ...

`rt.config.full_tracebacks(True)` shows them.  Frames of other packages stay, except below the
user's line in errors of the library itself.
"""

import contextlib
import functools
from collections.abc import Callable
from types import TracebackType
from typing import ParamSpec, TypeVar

from autograph.errors import Explained
from autograph.functions.accidents import NOTE, is_accident
from autograph.functions.frames import BLOCKS
from autograph.functions.policy import is_left_alone, is_users_file
from runtime import config
from runtime.tracing import trace

P = ParamSpec("P")
R = TypeVar("R")


def hide_library(error: BaseException) -> None:
    """Leaves the frames of the library out of the tracebacks of an exception and its causes.

    While a graph is being built, exceptions stay as they are: the library looks where they arose.
    """
    recorder = trace.current()
    if recorder is not None and not recorder.is_eager or config.current().full_tracebacks:
        return
    seen: set[int] = set()
    following: list[BaseException | None] = [error]
    while following:
        one = following.pop()
        if one is None or id(one) in seen:
            continue
        seen.add(id(one))
        if is_accident(one):
            if NOTE not in getattr(one, "__notes__", ()):
                one.add_note(NOTE)
            return
        one.__traceback__ = _shown(one)
        following += [one.__cause__, None if one.__suppress_context__ else one.__context__]


def shown_to_user(function: Callable[P, R]) -> Callable[P, R]:
    """Decorates a function that users call: its exceptions show their own code."""

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        __tracebackhide__ = True
        try:
            return function(*args, **kwargs)
        except BaseException as error:
            hide_library(error)
            raise

    return call


def _shown(error: BaseException) -> TracebackType | None:
    entries = []
    entry = error.__traceback__
    while entry is not None:
        entries.append(entry)
        entry = entry.tb_next
    kept = [one for i, one in enumerate(entries) if not _is_library(entries, i)]
    # A block runs in a frame of its own, inside the frame of its function: one of them is shown.
    around = {i for i, one in enumerate(kept[1:]) if one.tb_frame.f_code in BLOCKS}
    kept = [one for i, one in enumerate(kept) if i not in around]
    while isinstance(error, Explained) and kept and not _is_users(kept[-1]):
        kept.pop()
    following = None
    for one in reversed(kept):
        following = TracebackType(following, one.tb_frame, one.tb_lasti, one.tb_lineno)
    return following


def _is_library(entries: list[TracebackType], i: int) -> bool:
    filename = entries[i].tb_frame.f_code.co_filename
    if filename == contextlib.__file__:  # of the library's own context managers
        after = entries[i + 1] if i + 1 < len(entries) else None
        before = entries[i - 1] if i else None
        return any(one is not None and _is_own(one) for one in (after, before))
    return _is_own(entries[i])


def _is_own(entry: TracebackType) -> bool:
    filename = entry.tb_frame.f_code.co_filename
    return filename.startswith("<graph ") or is_left_alone(filename)


def _is_users(entry: TracebackType) -> bool:
    return is_users_file(entry.tb_frame.f_code.co_filename)
