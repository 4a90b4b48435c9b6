"""Loops over known elements, and the trials in which a trace stages them.

    for i in range(100):          i, and the number of iterations, are known while recording
        x = x * w[i]

Such a loop is recorded as a staged loop in a *trial*, which can be undone.  A trial is kept only if
Python could not show a difference; otherwise the loop is unrolled, iteration by iteration.  See
`control_flow/known_loop.py`.
"""

from collections.abc import Hashable
from dataclasses import dataclass, field
from traceback import walk_tb
from types import CodeType
from typing import Any

from autograph.errors import StagingError
from autograph.functions.accidents import is_accident
from autograph.pipeline import is_strict
from autograph.staging.refusals import refused
from runtime.tracing import trace
from runtime.tracing.unions import Unions
from runtime.tracing.widenings import Widenings


@dataclass(frozen=True)
class LoopOutcome:
    """What has become of one loop: the line of its body, and the reason if it is unrolled."""

    filename: str
    lineno: int
    iterations: int | None  # None for a `while`
    unrolled: int  # the iterations at the start that are unrolled, if the rest is staged
    is_staged: bool
    why: str = ""

    @property
    def verdict(self) -> str:
        """What has become of the loop, and why, without its line."""
        count = "" if self.iterations is None else f" {self.iterations} iterations"
        if not self.is_staged:
            return f"unrolled:{count}{',' if count else ''} since {self.why}"
        first = f", the first {self.unrolled} of them unrolled" if self.unrolled else ""
        return f"staged:{count}{first}" if count else "staged"

    def __str__(self) -> str:
        count = "" if self.iterations is None else f" of {self.iterations} iterations"
        if not self.is_staged:
            return f"line {self.lineno}: the loop{count} is unrolled: {self.why}"
        first = f", after {self.unrolled} that {_are(self.unrolled)} unrolled"
        return f"line {self.lineno}: the loop{count} is staged{first if self.unrolled else ''}"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


@dataclass
class LoopTrials:
    """The trials of one trace, and what they have shown."""

    are_allowed: bool = False
    depth: int = 0  # how many trials are open
    hides_known: bool = False  # what Python would know may be staged, after a loop that was kept
    kept: int = 0  # how many loops have been kept
    widened: int | None = None  # how many types were widened when the first of them was kept
    effects_wait: bool = False  # each run has effects already, so later ones belong to it, too
    is_repeated: bool = False  # the function is to be recorded again, without trials
    refused: dict[CodeType, str] = field(default_factory=dict)  # bodies that are unrolled, and why
    unrolled: dict[Hashable, int] = field(default_factory=dict)  # iterations before the staged ones
    wishes: dict[CodeType, Any] = field(default_factory=dict)  # set_loop_options(unroll=...)
    outcomes: dict[tuple[str, int], LoopOutcome] = field(default_factory=dict)

    def end(self, recorder: Any) -> None:
        """Ends a recording that has failed: it is repeated if a loop that was kept may be why."""
        may_differ = self.hides_known or recorder.transformed
        may_differ = may_differ or not recorder.state(Unions).are_kept
        self.is_repeated = bool(self.kept and may_differ)

    def hide_known(self) -> None:
        """Begins a recording in which numbers that Python would know are inputs of the graph."""
        self.kept, self.hides_known, self.widened = 1, True, 0

    def hide_position(self) -> None:
        """Notes that a loop, if it was kept, hides how far an iterator is."""
        if self.kept:
            self.hides_known = True

    def note(self, outcome: LoopOutcome, recorder: Any) -> None:
        """Notes the outcome of a loop."""
        self.outcomes[outcome.filename, outcome.lineno] = outcome
        if not outcome.is_staged:
            unrolled = recorder.state(trace.UnrolledLoops)
            unrolled[outcome.filename, outcome.lineno] = outcome.why


class NotKept(StagingError):
    """A loop over known elements cannot be staged as it is; no user sees this error."""


class FirstIterationDiffers(NotKept):
    """The first iteration gives a variable another type than the others."""


def in_trial() -> bool:
    """Whether the code that is recorded now may be recorded again, in another way."""
    recorder = trace.current()
    return recorder is not None and recorder.state(LoopTrials).depth > 0


# The files of Python functions that stand for operations of Python, and are converted.  Where one
# of them raises an exception, so does the operation, in the run.
OPERATIONS: set[str] = set()


def is_of_operation(error: BaseException) -> bool:
    """Whether the `raise` of a function that stands for an operation has raised an exception."""
    if any(one is error for one in trace.current().state(ErrorsOfOptions)):
        return True
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    return bool(frames) and frames[-1].f_code.co_filename in OPERATIONS


class ErrorsOfOptions(list[BaseException]):
    """The exceptions that uses of one of several objects have raised, each in a branch that a run
    takes if it has this object."""


def refuse_in_trial(why: str) -> None:
    """Ends the innermost trial, if there is one: its loop is unrolled."""
    if in_trial():
        raise not_kept(why)


def not_kept(why: str, kind: type[NotKept] = NotKept) -> BaseException:
    """The exception that ends a trial."""
    return refused(kind(why))


def refuse_widened(recorder: Any) -> None:
    """Refuses a recording in which a type was widened after a loop that was kept."""
    trials = recorder.state(LoopTrials)
    if trials.hides_known and len(recorder.state(Widenings)) > trials.widened:
        raise not_kept("a value would have another type than in Python")


def is_hidden_fault(error: BaseException) -> bool:
    """Whether an exception is a fault of the library, which a second recording would hide.

    For users it does: their program works, though slower.
    """
    return is_strict() and is_accident(error)


def are_allowed(recorder: Any) -> bool:
    """Whether loops may be tried in the code that is recorded now."""
    return recorder is not None and recorder.state(LoopTrials).are_allowed
