"""One graph is recorded at a time, whatever the thread: other threads wait, but not for each other.

    thread A records f, and f waits for the results of threads B, C      (pool.map in its body)
    threads B, C call g, which needs a graph                             they wait for A: a deadlock

So a thread that waits looks at the recording thread from time to time.  If that one has been at
the same instruction for a while, `RecorderIsBlocked` tells the waiting thread to do without a
graph.  Processes that are forked while a graph is recorded begin without the recording.
"""

import os
import sys
from collections.abc import Callable
from threading import RLock, get_ident
from typing import TypeVar

from autograph.backend import activate, active
from autograph.staging import refusals
from runtime.tracing import trace

T = TypeVar("T")

PERIOD = 0.25  # seconds between two looks at the recording thread
PATIENCE = 8  # looks at the same instruction until it counts as blocked
MORE_PATIENCE = 40  # the same for a thread that calls the function that is being recorded


class RecorderIsBlocked(RuntimeError):
    """The thread that records a graph does not go on, and may be waiting for this thread."""

    def __init__(self, function: object, place: str):
        super().__init__(f"another thread is recording {function}, and waits in {place}")


class RecordingLock:
    """The reentrant lock of the thread that records a graph."""

    def __init__(self) -> None:
        self._lock = RLock()
        self._recorder: int | None = None
        self._records: list[object] = []  # the functions that are being recorded, innermost last
        self._is_held_for_fork = False

    def exclusively(self, function: object, work: Callable[[], T]) -> T:
        """The result of `work`, which records a graph of `function`.

        Raises `RecorderIsBlocked` if another thread records, and does not go on.
        """
        self._acquire(function)
        with self._lock:  # so an interrupt at any point leaves it unlocked
            self._lock.release()
            outer, self._recorder = self._recorder, get_ident()
            self._records.append(function)
            before, count = (trace.current(), active(), refusals.current()), len(OPEN_CHANGES)
            try:
                return work()
            except BaseException:
                _end(*before, count)
                raise
            finally:
                self._records.pop()
                self._recorder = outer

    def is_elsewhere(self) -> bool:
        """Whether another thread is recording a graph."""
        return self._recorder is not None and self._recorder != get_ident()

    def wait(self) -> None:
        """Waits until no other thread records a graph.  Raises `RecorderIsBlocked`, as above."""
        self.exclusively(None, lambda: None)

    def _acquire(self, function):
        try:
            seen, looks = None, 0
            while not self._lock.acquire(timeout=PERIOD):
                place = self._place()
                looks = looks + 1 if place is not None and place == seen else 0
                seen = place
                is_own = function is not None and any(function is one for one in self._records)
                if looks >= (MORE_PATIENCE if is_own else PATIENCE):
                    raise self._blocked()
        except BaseException:
            if self._lock._is_owned() and self._recorder != get_ident():  # type: ignore[attr-defined]
                self._lock.release()  # an interrupt came after the lock was acquired
            raise

    def _place(self):
        """The instruction at which the recording thread is."""
        frame = sys._current_frames().get(self._recorder)
        return None if frame is None else (id(frame), frame.f_lasti)

    def _blocked(self):
        frame = sys._current_frames().get(self._recorder)
        place = "an unknown line"
        if frame is not None:
            place = f"{frame.f_code.co_filename}, line {frame.f_lineno}"
        return RecorderIsBlocked(next(filter(None, self._records), "a graph"), place)

    # -- forks -------------------------------------------------------------------------------------

    def before_fork(self) -> None:
        """Waits until a recording is complete, unless it is this thread's or blocked."""
        try:
            self._acquire(None)
            self._is_held_for_fork = True
        except RecorderIsBlocked:
            self._is_held_for_fork = False

    def after_fork_in_parent(self) -> None:
        """Lets other threads record again."""
        if self._is_held_for_fork:
            self._is_held_for_fork = False
            self._lock.release()

    def after_fork_in_child(self) -> None:
        """Begins from scratch: of the threads, only the one that has forked exists in the child."""
        self._lock._at_fork_reinit()  # type: ignore[attr-defined]
        self._recorder, self._is_held_for_fork = None, False
        self._records.clear()
        while OPEN_CHANGES:
            OPEN_CHANGES.pop()()
        trace.restore(None)
        refusals.restore(None)


def _end(recorder, backend, refusing, count):
    """Ends what an exception may have left open: one from a signal can skip the end of a block."""
    while len(OPEN_CHANGES) > count:
        OPEN_CHANGES.pop()()
    if trace.current() is not recorder:
        trace.restore(recorder)
    if refusals.current() is not refusing:
        refusals.restore(refusing)
    if active() is not backend:
        activate(backend)


RECORDING = RecordingLock()

# The changes to undo, last first, in a child process that is forked while a graph is recorded, and
# after an exception that may have skipped the end of a block.
OPEN_CHANGES: list[Callable[[], None]] = []

if hasattr(os, "register_at_fork"):
    os.register_at_fork(
        before=RECORDING.before_fork,
        after_in_parent=RECORDING.after_fork_in_parent,
        after_in_child=RECORDING.after_fork_in_child,
    )
