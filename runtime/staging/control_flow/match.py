"""`match` on staged values in a graph; see `autograph/staging/match.py`.

match x:                          p: b1 = equal(x, 0)
    case 0: ...          ->       choice = cond(p, 0, cond(equal(x, 1), 1, ...))
    case 1: ...
    case n if n > 5: ...
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import CodeType, FrameType

from autograph.functions.bytecode import instructions, opname_at
from autograph.functions.policy import is_users_class
from autograph.staging import match
from autograph.staging.match import Answer, BranchRequest
from autograph.staging.object_state import attributes
from autograph.staging.walrus_state import walrus_state
from runtime.analyses.effects import has_effect
from runtime.errors import GuardError, ValueNeededError, staging_error
from runtime.ir.types import BOOL
from runtime.staging.calls.host_values import HostValue
from runtime.staging.chosen import Chosen
from runtime.staging.control_flow.cond import stage_if
from runtime.staging.lists.trace_list import is_staged_list
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.staging.staged_values import holds_staged
from runtime.staging.truth import truth
from runtime.tracing import trace
from runtime.tracing.matching import MatchRequests, exploring
from runtime.tracing.maybe import MaybeNone
from runtime.tracing.strings import StagedString
from runtime.tracing.tensor import Tensor


def decide(case_of: Callable, subject) -> int | Tensor:
    """The index of the case that matches, -1 for none; staged if a run decides."""
    parts = list(subject) if type(subject) is tuple else [subject]
    for i, part in enumerate(parts):
        if isinstance(part, Chosen):
            state = walrus_state(case_of)
            return part.each(lambda one: decide(case_of, _with(subject, i, one)), state=state)  # noqa: B023
        options = _singletons(part, case_of)
        if options is not None:
            return _on_each(case_of, subject, i, *options)
    refuse_to_match(subject)
    singletons = tested_singletons(case_of.__code__)
    if singletons and any(_is_one_of(one, singletons) for one in _inside(parts)):
        raise staging_error(
            "a part of the subject of a `match` is compared with None, True or False",
            "Only the run knows whether it is that, or another value.",
            "Match it alone: `match y:`, or test it before: if y is None.",
            ValueNeededError,
        )
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


def _singletons(part, case_of):
    """The condition under which a part of the subject is None, or True, and the part in both
    cases; None if patterns do not need it."""
    if isinstance(part, MaybeNone):
        return part.__is_none__, None, part.__unchecked__
    if isinstance(part, MaybeNoneObject):
        return part.__is_none__, None, lambda: part.__present__
    if _is_one_of(part, tested_singletons(case_of.__code__)):
        return part, True, lambda: False
    return None


def _on_each(case_of, subject, place, condition, singleton, other):
    """The choice for a part of the subject that is a singleton under a condition."""
    return stage_if(
        truth(condition),
        lambda: decide(case_of, _with(subject, place, singleton)),
        lambda: decide(case_of, _with(subject, place, other())),
        walrus_state(case_of),
    )


def tested_singletons(code: CodeType) -> frozenset:
    """Which of None, True and False code compares something with."""
    found, before = set(), None
    for one in instructions(code):
        if "IF_NOT_NONE" in one.opname:
            found.add(None)
        elif one.opname == "IS_OP" and before is not None and before.opname == "LOAD_CONST":
            found.add(before.argval)
        before = one
    return frozenset(found)


def _is_one_of(part, singletons):
    """Whether a value may be one of these in a run, and another in the next one."""
    if isinstance(part, (MaybeNone, MaybeNoneObject)):
        return None in singletons
    return type(part) is Tensor and part.type == BOOL and not singletons <= {None}


def _inside(parts):
    """The values in containers and objects among the parts of a subject."""
    pending, seen = [*parts], {}
    while pending:
        one = pending.pop()
        if id(one) in seen:
            continue
        seen[id(one)] = one
        if isinstance(one, (list, tuple)):
            pending += list.__iter__(one) if isinstance(one, list) else tuple.__iter__(one)
        elif isinstance(one, dict):
            pending += dict.values(one)
        elif is_users_class(type(one)):
            pending += attributes(one).values()
    return list(seen.values())


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
    requests = recorder.state(MatchRequests)
    outer = requests.answer, requests.tests_class
    requests.answer, requests.tests_class = answer, _tests_class
    token = exploring.set(True)
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
        exploring.reset(token)
        requests.answer, requests.tests_class = outer


def _tests_class(frame: FrameType) -> bool:
    """Whether a frame compares the class of an object with a pattern."""
    while frame.f_code.co_name == "__instancecheck__" and frame.f_back is not None:
        frame = frame.f_back
    return opname_at(frame.f_code, frame.f_lasti) == "MATCH_CLASS"
