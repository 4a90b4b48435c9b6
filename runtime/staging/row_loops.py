"""Loops over rows of a known number: staged, or unrolled in a second recording.

    for v in x:                   x is f64[5]: one loop of the graph, whatever the number is
        total = total + v

    for v in x:                   refused: an object holds another one after each iteration
        head = Node(v, head)      the function is recorded again, with this loop unrolled

A loop that a refusal has passed through is unrolled in the next recording; the innermost, if there
are several.  If none of them is the reason, all that were staged are unrolled.  `MOST` bounds the
iterations that one recording unrolls in this way.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from autograph.errors import StagingError
from autograph.staging.refusals import Refused, is_refusal
from runtime.staging.loop_trials import LoopOutcome, LoopTrials, is_hidden_fault

MOST = 512  # iterations that are unrolled in one recording


@dataclass
class RowLoops:
    """The loops over rows of a known number, by the code of their bodies."""

    unrolled: frozenset[CodeType] = frozenset()
    staged: dict[CodeType, int] = field(default_factory=dict)  # and the numbers of rows
    refused: CodeType | None = None  # the innermost that a refusal has passed through
    left: int = MOST  # iterations that may still be unrolled
    first: BaseException | None = None  # the refusal of the first recording

    def unrolls(self, body: Callable, count: int) -> bool:
        """Whether a loop of this recording is to be unrolled."""
        if body.__code__ not in self.unrolled or count > self.left:
            return False
        self.left -= count
        return True

    @contextmanager
    def noted(self, body: Callable, count: int | None) -> Iterator[None]:
        """Notes the loop that is staged in this context, and whether it is refused."""
        if count is None or count > MOST:
            yield
            return
        self.staged[body.__code__] = count
        try:
            yield
        except BaseException as error:
            if self.refused is None and is_refusal(error) and not is_hidden_fault(error):
                self.refused = body.__code__
            raise

    def next(self, error: BaseException | None = None) -> "RowLoops":
        """The loops of another recording: after a refusal, one in which more are unrolled."""
        more: set[CodeType] = set()
        if error is not None:
            more = set(self.staged) if self.refused is None else {self.refused}
        first = self.first or (error if more else None)
        return RowLoops(self.unrolled | more, first=first)

    def can_unroll(self, error: BaseException) -> bool:
        """Whether another recording may avoid a refusal by unrolling more loops."""
        return is_refused(error) and not self.unrolled.issuperset(self.staged)


def is_refused(error: BaseException) -> bool:
    """Whether an exception that has left a recording refuses the user's code."""
    return isinstance(error, (StagingError, Refused))


def note_unrolled(body: Callable, count: int, recorder: Any) -> None:
    """Notes for explanations that a loop over rows is unrolled."""
    code = body.__code__
    why = "a graph cannot hold what an iteration leaves, or what code after it needs"
    outcome = LoopOutcome(code.co_filename, code.co_firstlineno, count, 0, False, why)
    recorder.state(LoopTrials).note(outcome, recorder)
