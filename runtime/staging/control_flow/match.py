"""`match` on staged values: the function that decides is run once for each way to answer.

    match x:                          p: b1 = equal(x, 0)
        case 0: ...          ->       choice = cond(p, 0, cond(equal(x, 1), 1, ...))
        case 1: ...
        case n if n > 5: ...

Python asks staged values for their truth while it decides.  The first question that has no answer
yet becomes the predicate of a branch; in each side of it the function runs again, with that answer.
What a case binds is a variable of the branches.
"""

from collections.abc import Callable

from autograph.staging.walrus_state import walrus_state
from runtime.errors import staging_error
from runtime.passes.dead_code import has_effect
from runtime.staging.control_flow.cond import stage_if
from runtime.staging.truth import truth
from runtime.tracing import trace
from runtime.tracing.tensor import Tensor, TruthRequests


class Question(BaseException):
    """Leaves code that asks for the truth of something staged, which nobody has answered yet."""

    def __init__(self, asked: Tensor):
        self.asked = asked


class Answers:
    """What is answered, in turn, to the questions that some code asks."""

    def __init__(self, known: tuple[bool, ...]):
        self._left = list(known)

    def answer(self, asked: Tensor) -> bool:
        """The next answer.  Raises `Question` where there is none."""
        if not self._left:
            raise Question(asked)
        return self._left.pop(0)


def decide(case_of: Callable, subject) -> int | Tensor:
    """The number of the case that matches; staged where a run decides."""
    return _decided(case_of, subject, ())


def _decided(case_of, subject, known):
    recorder = trace.current()
    requests = recorder.state(TruthRequests)
    around, requests.answer = requests.answer, Answers(known).answer
    count = len(recorder.region.nodes)
    try:
        return case_of(subject)
    except Question as question:
        asked = question.asked
    finally:
        requests.answer = around
    if any(map(has_effect, recorder.region.nodes[count:])):
        raise staging_error(
            "a guard of a `match` prints, draws random numbers, or raises",
            "The guards of a `match` on staged values are looked at once for each way to go on.",
            "Do that in front of the `match`, or in a case.",
        )
    return stage_if(
        truth(asked),
        lambda: _decided(case_of, subject, (*known, True)),
        lambda: _decided(case_of, subject, (*known, False)),
        walrus_state(case_of),
    )
