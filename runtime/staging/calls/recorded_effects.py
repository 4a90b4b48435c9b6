"""What each run changes outside, before the code that is being recorded: the run reads it.

if x > limit:
    jobs.append(3)              each run that gets here changes the object
n = len(jobs)                   so each run asks how long it is
"""

from io import IOBase
from types import ModuleType
from typing import Any

import numpy as np

from autograph.staging import memory
from autograph.staging.accessors import has_contents
from runtime.errors import ContainerError, staging_error
from runtime.ops.host import itself
from runtime.staging.calls.asked_objects import AskedObjects, is_needed, is_read_by_operators
from runtime.staging.calls.host_values import asked
from runtime.tracing import trace
from runtime.tracing.tensor import Tensor


class MadeWhileRecording(dict[int, Any]):
    """Objects of other packages that calls have made while the graph is being built, by identity:
    each run of the original program would make its own."""


class RecordedEffects:
    """Whether each run changes something outside, before the code that is being recorded: what the
    code asks the outside then, it asks in each run."""

    def __init__(self) -> None:
        self.happen = False
        self._changed: dict[int, Any] = {}  # by identity: objects that are kept
        self._positions: list[tuple[Any, Any]] = []  # in streams

    def add(self, function: Any, *changed: Any) -> None:
        """Notes a call that each run makes for its effect, on objects among others.

        Raises `StagingError` for an object that later code may read by operators unnoticed.
        """
        self.happen = True
        for one in (getattr(function, "__self__", None), *changed):
            if one is None or isinstance(one, (type, ModuleType, Tensor, np.ndarray)):
                continue
            if memory.contents(one) is not None:
                raise _cannot_follow(one)
            if has_contents(one):
                continue
            if is_read_by_operators(type(one)):
                raise _cannot_follow(one)
            if id(one) not in self._changed and isinstance(one, IOBase):
                self._positions.append((one, _position(one)))
            self._changed[id(one)] = one
            trace.current().state(AskedObjects).add(one)

    def change(self, values: tuple) -> bool:
        """Whether an object among values, or in lists, tuples and dicts among them, is one that
        each run changes before."""
        return bool(self._changed) and any(map(self._holds_changed, values))

    def compare(self) -> None:
        """Raises `StagingError` if code has read a stream while the graph was built, although each
        run reads or writes it before."""
        for stream, before in self._positions:
            if _position(stream) != before:
                raise is_needed(stream)

    def _holds_changed(self, value: Any) -> bool:
        if id(value) in self._changed:
            return True
        if type(value) is dict:
            return any(map(self._holds_changed, value.values()))
        return type(value) in (list, tuple) and any(map(self._holds_changed, value))


def _position(stream: IOBase) -> Any:
    """How far a stream has been read; None if it cannot be read."""
    try:
        return stream.tell() if stream.readable() else None
    except (OSError, ValueError) as error:  # while an iterator reads it, or it is closed
        return str(error)


def in_run(value: Any) -> Any:
    """An object as later code reads it: if each run changes it before, the object of the run."""
    recorder = trace.current()
    if (
        recorder is None
        or recorder.is_eager
        or not recorder.state(RecordedEffects).change((value,))
    ):
        return value
    return asked(itself, value)


def _cannot_follow(value: Any) -> BaseException:
    kind = type(value).__name__
    return staging_error(
        f"{'an' if kind[:1] in 'aeiouAEIOU' else 'a'} {kind} is changed by each run",
        "Operators such as `a[0]` and `a == b` would read what it contains while the graph is "
        "being built.",
        "Use a list or an array, or change it outside the branch or loop.",
        ContainerError,
    )
