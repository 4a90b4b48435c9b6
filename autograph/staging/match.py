"""`match` on staged values: the function that chooses the case runs once per path.

    match x:                          if x == 0: choice = 0
        case 0: ...          ->       elif x == 1: choice = 1
        case 1: ...                   else: choice = 2 if x > 5 else -1
        case n if n > 5: ...

Python needs the truth of staged values while it chooses.  The first of them whose truth is not
fixed yet becomes the predicate of a branch; in each side of it the function runs again, with that
truth fixed.  The variables that a pattern binds are variables of the branches.
"""

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from autograph.backend import State
from autograph.staging.walrus_state import walrus_state


class BranchRequest(BaseException):
    """Leaves code that needs the truth of a staged value that no branch has fixed yet."""

    def __init__(self, value: Any):
        self.value = value


class Oracle:
    """Fixed answers for the staged values whose truth some code needs, in this order."""

    def __init__(self, answers: tuple[bool, ...]):
        self._left = list(answers)

    def answer(self, value: Any) -> bool:
        """The next answer.  Raises `BranchRequest` if there is none."""
        if not self._left:
            raise BranchRequest(value)
        return self._left.pop(0)


Answer = Callable[[Any], bool]


def decide(
    case_of: Callable[[Any], int],
    subject: Any,
    answering: Callable[[Answer], AbstractContextManager],
    branch: Callable[[Any, Callable, Callable, State], Any],
) -> Any:
    """The index of the case that matches, -1 for none; staged if a run decides.

    While `answering(answer)` is open, the truth of a staged value is `answer(value)`.
    `branch(value, then, orelse, state)` stages a branch on the truth of a value, and returns the
    joined results of `then()` and `orelse()`.
    """

    def explore(answers: tuple[bool, ...]) -> Any:
        try:
            with answering(Oracle(answers).answer):
                return case_of(subject)
        except BranchRequest as request:
            value = request.value
        return branch(
            value,
            lambda: explore((*answers, True)),
            lambda: explore((*answers, False)),
            walrus_state(case_of),
        )

    return explore(())
