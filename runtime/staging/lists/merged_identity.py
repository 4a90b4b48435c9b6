"""Which of the caller's lists and dicts a merged one is in a run.

    return a if p else b            a run returns the caller's list: a where p holds, else b
    return a if p else [1, 2]       the caller's list, or one that the run makes

While the graph is recorded, a merged container is neither of the two (`merged_containers.py`).
The results of a call get the containers that they have in Python (`output_template.py`).
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from runtime.staging.lists.merged_sources import GivenContainers, merged_of, sources_of
from runtime.tracing import trace

NEW = "new"  # a container that existed in no call before this one


@dataclass(eq=False)
class Which:
    """One of two containers: each is one that existed before the recording, another choice, or
    `NEW`."""

    predicate: Any
    one: Any
    other: Any


def which_of(made: Any) -> Which | None:
    """The choice of a merged list or dict; None if only the run knows it, or it is always new."""
    return getattr(merged_of(made), "which", None) if isinstance(made, (list, dict)) else None


def is_given(container: Any) -> bool:
    """Whether a container existed before the graph was recorded."""
    recorder = trace.current()
    known = None if recorder is None else recorder.state(GivenContainers).known
    return known is not None and id(container) in known


def chosen(predicate: Any, ends: tuple, is_older: Callable, choices: Mapping) -> Which | None:
    """The choice of a container that is the first of two if a predicate holds.

    `choices` has the values outside of the block that has ended for the predicates inside.
    """
    if predicate is None:
        return None
    one, other = (_side(end, is_older, choices) for end in ends)
    is_known = one is not None and other is not None
    return Which(predicate, one, other) if is_known and (one, other) != (NEW, NEW) else None


def _side(end, is_older, choices):
    """What an end is: a container, a choice, `NEW`, or None if that is not known."""
    sources = sources_of(end)
    if not sources:
        return end if is_given(end) else NEW
    if not any(map(is_given, sources)):
        return NEW
    which = which_of(end)
    return which if which is None or is_older(end) else _outside(which, choices)


def _outside(which, choices):
    """A choice that a block has made, after the block."""
    if not isinstance(which, Which):
        return which
    predicate = which.predicate
    if predicate._region not in trace.current().regions:
        predicate = choices.get(id(predicate))
    sides = [_outside(side, choices) for side in (which.one, which.other)]
    return None if predicate is None or None in sides else Which(predicate, *sides)


def predicates(made: Any) -> Iterator[Any]:
    """The predicates of the choice of a merged list or dict."""
    pending = [which_of(made)]
    while pending:
        one = pending.pop()
        if isinstance(one, Which):
            yield one.predicate
            pending += [one.one, one.other]


def given_ends(which: Which) -> Iterator[Any]:
    """The containers among which a choice chooses, without new ones."""
    for side in (which.one, which.other):
        if isinstance(side, Which):
            yield from given_ends(side)
        elif side is not NEW:
            yield side
