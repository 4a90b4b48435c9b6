"""A refusal is never swallowed: no handler in the user's code turns it into a result.

    try:
        y = scipy.linalg.expm(x)          refused: x is staged
    except Exception:                     does not see it
        y = x * 0

While a function is staged, a refusal travels as `Refused`, which is no `Exception`: handlers for
`Exception` and its subclasses, `contextlib.suppress`, and `hasattr` do not see it; a bare `except`
of converted code raises it again (`autograph/constructs/handlers.py`).  `finally: return`, an
`__exit__` that returns True, unconverted code and C code may still drop it, so it is also
remembered: the next call or operation that is staged raises it again, and when the function ends,
however it ends, `Recording` raises it.  Clean-up runs while the refusal is on its way.

The user's plain code in a block of the library (`with rt.GradientTape()`) sees the error itself,
which is remembered, too.  Code that builds a graph by hand may handle it, converted code may not.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from enum import Enum
from types import TracebackType
from typing import Any

from autograph.errors import Refused as Refused
from autograph.errors import StagingError
from autograph.functions.interruptions import note_taken
from autograph.functions.rebuild import MADE

MANY = 1000  # times that code drops a refusal before a message is printed: it may never end


class Extent(Enum):
    """The code that a recording is about."""

    FUNCTION = "a function that is staged"
    BLOCK = "a block of plain code, whose operations are staged"
    BUILDER = "plain code that builds a graph"


class GivenUp(BaseException):
    """Ends the clean-up of a generator that belongs to a recording which is given up."""


class Recording:
    """A context in which staged code runs: a refusal that reaches this code is raised at its end.

    `holds(region)` says whether a staged value of some region belongs to the recording, for
    refusals in threads that the staged code has started.
    """

    def __init__(self, holds: Callable[[Any], bool], extent: Extent = Extent.FUNCTION):
        self._holds = holds
        self.extent = extent
        self.first: Refused | None = None
        self._drops = 0  # how often it was dropped
        self._outer: Recording | None = None
        self._handled: BaseException | None = None
        self._is_open = False
        self._is_given_up = False

    def __enter__(self) -> "Recording":
        self._outer = _current.get()
        self._is_open = True
        self._handled = sys.exception()  # by code around the recording
        _current.set(self)
        _active[id(self)] = self
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._is_open = False
        # A block in a suspended generator ends at any time; functions end in order.
        if self.extent is Extent.FUNCTION or _current.get() is self:
            _current.set(self._outer if self._outer is not None and self._outer._is_open else None)
        _active.pop(id(self), None)
        first, self.first = self.first, None
        if first is None or isinstance(error, KeyboardInterrupt) or error is first.error:
            return
        outer = self._outer
        if outer is not None:
            outer.first = outer.first or first
        if outer is None or outer.extent is not Extent.FUNCTION:
            raise _as_error(first)
        if error is not first:
            raise first

    def check(self) -> None:
        """Raises the first refusal, if there was one."""
        if self.first is not None:
            raise self.first

    def check_dropped(self) -> None:
        """Raises the first refusal again, unless code cleans up: a `finally` that it passes, or
        that of a generator that is closed.  Notes an interruption that is being handled.  If the
        recording is given up, no code cleans up."""
        if self._is_given_up:
            raise GivenUp
        handled = sys.exception()
        if handled is not None and handled is not self._handled:
            note_taken(handled)
        first = self.first
        if first is None:
            return
        while handled is not None:
            if handled in (first, first.error) or isinstance(handled, GeneratorExit):
                return
            handled = handled.__context__
        self._drops += 1
        if self._drops == MANY:
            text = f"{type(first.error).__name__}: {first.error}"
            print("An operation that is refused is tried again and again.", text, file=sys.stderr)
        first.error.__traceback__ = first.error.__traceback__ or first.__traceback__
        raise first.with_traceback(None)

    @contextmanager
    def given_up(self) -> Iterator[None]:
        """A context in which no call of the staged code is made."""
        before, self._is_given_up = self._is_given_up, True
        try:
            yield
        finally:
            self._is_given_up = before

    def remember(self, carrier: Refused) -> None:
        """Keeps a refusal, unless the code that sees it may handle it."""
        match self.extent:
            case Extent.BLOCK:
                may_handle = carrier.error.is_misuse
            case Extent.BUILDER:
                may_handle = self is _current.get() and not _runs_converted_code()
            case _:
                may_handle = False
        if self.first is None and not may_handle:
            self.first = carrier

    def forget(self, error: BaseException) -> None:
        """Drops a refusal that has not reached the user's code."""
        if self.first is not None and error in (self.first, self.first.error):
            self.first = None

    def concerns(self, region: Any) -> bool:
        """Whether a staged value of a region belongs to the recording."""
        return self._holds(region)


_current: ContextVar[Recording | None] = ContextVar("recording", default=None)
_active: dict[int, Recording] = {}  # in all threads, by identity: changed in single steps, no lock


def refused(error: StagingError, region: Any = None) -> BaseException:
    """The exception that refuses: to be raised at once, and raised again when the recording ends.

    `region` is that of the staged value concerned, if any: another thread, which has no recording
    of its own, finds the right one by it.
    """
    recording = _current.get() or _recording_of(region)
    if recording is None:
        return error
    carrier = Refused(error)
    recording.remember(carrier)
    is_inside = recording is _current.get() and recording.extent is Extent.FUNCTION
    return carrier if is_inside else error


def is_refusal(error: BaseException) -> bool:
    """Whether an exception refuses the user's code, rather than being one of the program's."""
    recording = _current.get()
    if isinstance(error, Refused):
        return True
    return recording is not None and recording.first is not None and recording.first.error is error


def first() -> Refused | None:
    """The first refusal of the recording that is under way here, if there was one."""
    recording = _current.get()
    return None if recording is None else recording.first


def forget_since(before: Refused | None) -> None:
    """Drops the refusals of code that is undone: `before` was the first one before it ran."""
    recording = _current.get()
    if recording is not None:
        recording.first = before


def check() -> None:
    """Raises the first refusal of the recording that is under way here, if there was one."""
    recording = _current.get()
    if recording is not None:
        recording.check()


def check_dropped() -> None:
    """Raises a refusal that the staged code here has dropped; its next step calls this."""
    recording = _current.get()
    if recording is not None:
        recording.check_dropped()


def is_recorded(region: Any) -> bool:
    """Whether code that is being staged, in any thread, computes the values of a region."""
    return _recording_of(region) is not None


def current() -> Recording | None:
    """The recording that is under way here."""
    return _current.get()


def restore(recording: Recording | None) -> None:
    """Makes a recording the current one again, or none, and ends those inside: an exception from a
    signal may have skipped the end of a block."""
    left = _current.get()
    while left is not None and left is not recording:
        left._is_open = False
        _active.pop(id(left), None)
        left = left._outer
    _current.set(recording)


def postponed(refusal: BaseException) -> StagingError:
    """The error of a refusal that is not raised now; `refused` makes it one later."""
    recording = _current.get()
    if recording is not None:
        recording.forget(refusal)
    error = refusal.error if isinstance(refusal, Refused) else refusal
    assert isinstance(error, StagingError)
    return error


@contextmanager
def attempt() -> Iterator[None]:
    """The library's own code in this block may be refused: the block ends, and nothing else does.

        with attempt():
            return recomputed(view)
        return None                         the view cannot be recomputed

    The user's code must not run in it.
    """
    try:
        yield
    except (Refused, StagingError) as refusal:
        postponed(refusal)


def _runs_converted_code():
    frame = sys._getframe(1)
    while frame is not None and frame.f_code not in MADE:
        frame = frame.f_back
    return frame is not None


def _recording_of(region):
    if region is None:
        return None
    return next((one for one in reversed(list(_active.values())) if one.concerns(region)), None)


def _as_error(carrier):
    """The error that a `Refused` carries, with the traceback of the place that refused."""
    error = carrier.error
    if error.__traceback__ is None:
        error.__traceback__ = carrier.__traceback__
    error.__cause__ = carrier.__cause__
    error.__suppress_context__ = True
    return error
