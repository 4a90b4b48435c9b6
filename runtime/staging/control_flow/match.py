"""`match` on staged values in a graph; see `autograph/staging/match.py`.

match x:                          p: b1 = equal(x, 0)
    case 0: ...          ->       choice = cond(p, 0, cond(equal(x, 1), 1, ...))
    case 1: ...
    case n if n > 5: ...
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from autograph.functions.bytecode import instructions
from autograph.staging import match
from autograph.staging.match import Answer, BranchRequest
from autograph.staging.walrus_state import walrus_state
from runtime.analyses.effects import has_effect
from runtime.errors import GuardError, ValueNeededError, staging_error
from runtime.staging.calls.host_values import HostValue
from runtime.staging.chosen import Chosen
from runtime.staging.control_flow.cond import stage_if
from runtime.staging.lists.trace_list import is_staged_list
from runtime.staging.staged_values import holds_staged
from runtime.staging.truth import truth
from runtime.tracing import trace
from runtime.tracing.strings import StagedString
from runtime.tracing.tensor import Tensor, TruthRequests


def decide(case_of: Callable, subject) -> int | Tensor:
    """The index of the case that matches, -1 for none; staged if a run decides."""
    parts = list(subject) if type(subject) is tuple else [subject]
    for i, part in enumerate(parts):
        if isinstance(part, Chosen):
            state = walrus_state(case_of)
            return part.each(lambda one: decide(case_of, _with(subject, i, one)), state=state)  # noqa: B023
    refuse_to_match(subject)
    if isinstance(subject, StagedString) and any(
        one.opname == "MATCH_CLASS" for one in instructions(case_of.__code__)
    ):
        raise staging_error(
            "the class of a staged string is tested by a `match`",
            "Only the run has the string whose class Python would test.",
            "Compare it with strings only: `case 'up':`, or a last `case other:`.",
            ValueNeededError,
        )
    return match.decide(
        case_of,
        subject,
        _answering,
        lambda value, then, orelse, state: stage_if(truth(value), then, orelse, state),
    )


def _with(subject, place, value):
    """A subject of which one part has another value."""
    if type(subject) is not tuple:
        return value
    return (*subject[:place], value, *subject[place + 1 :])


def refuse_to_match(subject: object) -> None:
    """Raises `StagingError` for a subject that has an object that only a run has."""
    if is_staged_list(subject) or not holds_staged(subject, (HostValue,)):
        return
    raise staging_error(
        "the subject of a `match` is, or has, an object that only a run has",
        "Python cannot choose the case while the graph is being built: the class and the parts of "
        "the object are not known.",
        "Compare its parts with `if`, or let each run choose: number = rt.host_call(choose, value, "
        "like=0), where `choose` has the `match`.",
        ValueNeededError,
    )


@contextmanager
def _answering(answer: Answer) -> Iterator[None]:
    recorder = trace.current()
    requests = recorder.state(TruthRequests)
    outer, requests.answer = requests.answer, answer
    count = len(recorder.region.nodes)
    try:
        yield
    except BranchRequest:
        if any(map(has_effect, recorder.region.nodes[count:])):
            raise staging_error(
                "a guard of a `match` prints, draws random numbers, or raises",
                "The guards of a `match` on staged values are evaluated once for each combination "
                "of their answers.",
                "Do that before the `match`, or in a case.",
                GuardError,
            ) from None
        raise
    finally:
        requests.answer = outer
