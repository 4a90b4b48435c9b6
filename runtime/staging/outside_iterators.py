"""Iterators from outside of a staged block: no element is taken from one inside of it.

    it = iter(items)
    if x > 0:                 recorded whether a run gets here or not
        y = next(it)          refused: how far `it` is would depend on the run

An iterator that the block itself makes is allowed: each run would take the same elements.
`next`, loops and methods of generators are refused before they take one.  Other code, such as
`sum(it)`, is found by comparing iterators before and after the block (`autograph/staging/`).
"""

from types import GeneratorType
from typing import Any

from autograph.functions.policy import is_users_class
from autograph.staging.heap_diff import HeapSnapshot
from autograph.staging.iterator_state import held, is_iterator
from autograph.staging.mutations import advanced
from runtime.tracing import trace


class OutsideIterators:
    """The iterators that were there when staged blocks began, with how many regions were open."""

    def __init__(self) -> None:
        self._noted: dict[int, tuple[Any, int]] = {}

    def note(self, heap: HeapSnapshot) -> None:
        """Notes the iterators that a block can reach, before its region is opened."""
        depth = len(trace.current().regions)
        for key, (iterator, *_) in heap.iterators.items():
            self._noted.setdefault(key, (iterator, depth))

    def refuse(self, iterator: Any) -> None:
        """Raises `StagingError` if elements are about to be taken from an iterator that was made
        outside of a block that a run may not reach, or reach more than once."""
        recorder = trace.current()
        pending, seen = [iterator], set()
        while pending:
            one = pending.pop()
            if id(one) in seen or not is_iterator(one):
                continue
            seen.add(id(one))
            pending += held(one)  # as a `zip` holds others
            since = self._noted.get(id(one), (None, len(recorder.regions)))[1]
            if recorder.may_run_often(since) or recorder.may_run_often(1) and _is_hidden(one):
                raise advanced(one)


def refuse_outside_iterator(iterator: Any) -> None:
    """Raises `StagingError` for an iterator from outside in a block that is being recorded."""
    recorder = trace.current()
    if recorder is None or recorder.is_eager or not is_iterator(iterator):
        return
    recorder.state(OutsideIterators).refuse(iterator)


def _is_hidden(iterator: Any) -> bool:
    """Whether an iterator may be one that no comparison reaches: it belongs to another package."""
    kind = type(iterator)
    of_python = kind is GeneratorType or kind.__module__ in ("builtins", "itertools")
    return not (of_python or is_users_class(kind))
