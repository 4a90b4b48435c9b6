"""Iterators from outside of a staged block: no element is taken from one inside of it.

    it = iter(items)
    if x > 0:                 recorded whether a run gets here or not
        y = next(it)          refused: how far `it` is would depend on the run

An iterator that the block itself makes is allowed: each run would take the same elements.
`next`, loops and methods of generators are refused before they take one.  Other code, such as
`sum(it)`, is found by comparing iterators before and after the block (`autograph/staging/`).

Staged iterators, such as `zip` of staged arrays, give their elements once, as Python's do.
"""

from types import GeneratorType
from typing import Any

from autograph.errors import IterationError
from autograph.functions.policy import is_users_class
from autograph.staging.heap_diff import HeapSnapshot
from autograph.staging.iterables import Combined
from autograph.staging.iterator_state import held, is_iterator
from autograph.staging.lazy_elements import LazyElements, Loop
from autograph.staging.mutations import advanced
from runtime.errors import staging_error
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


class Combinations:
    """The staged iterators (`zip`, `map`, `reversed`...) of a recording, by their ids."""

    def __init__(self) -> None:
        self.made: dict[int, tuple[Any, int]] = {}  # with how many regions were open
        self.ended: dict[int, Any] = {}  # of which all elements have been taken


def note_combination(made: Combined) -> None:
    """Notes a staged iterator, which gives its elements once.

    Raises `StagingError` if it takes elements from one iterator in several places.
    """
    recorder = trace.current()
    if recorder is None:
        return
    recorder.state(Combinations).made[id(made)] = made, len(recorder.regions)
    inside = [id(one) for one in _parts(made) if _gives_once(one)]
    if len(inside) != len(set(inside)):
        raise staging_error(
            "one iterator is used in several places of another one",
            "Each place takes the next element; a graph takes the elements by their positions.",
            "Make it a list, and take slices: zip(items[::2], items[1::2]).",
            IterationError,
        )


def has_ended(iterator: Any) -> bool:
    """Whether all elements of a staged iterator have been taken."""
    recorder = trace.current()
    return recorder is not None and id(iterator) in recorder.state(Combinations).ended


def is_in_inner_block(iterator: Any) -> bool:
    """Whether a block that is being recorded is inside of the one that has made an iterator."""
    recorder = trace.current()
    if recorder is None:
        return False
    made = recorder.state(Combinations).made.get(id(iterator), (None, 0))
    return len(recorder.regions) != made[1]


def note_ended(iterator: Combined) -> None:
    """Notes that all elements of a staged iterator are taken in the code that is recorded."""
    recorder = trace.current()
    if recorder is None:
        return
    for one in _inside(iterator):
        if isinstance(one, Combined) and not has_ended(one):
            note_left(one)
    made = recorder.state(Combinations)
    if len(recorder.regions) == made.made.get(id(iterator), (None, 0))[1]:
        made.ended[id(iterator)] = iterator
    else:
        note_left(iterator)


class LeftIterators(dict[int, Any]):
    """The iterators that staged loops have used, by their ids: how many elements are left in one,
    only the run knows."""


def note_left(iterator: Any) -> None:
    """Notes an iterator that a staged loop has used, perhaps not up to its end, and those that it
    takes its elements from."""
    recorder = trace.current()
    for one in (iterator, *_inside(iterator)):
        if _gives_once(one):
            recorder.state(Combinations).ended.pop(id(one), None)
            recorder.state(LeftIterators)[id(one)] = one


class LastIterator:
    """The iterator that a variable holds after a branch or loop that has bound it to several: its
    use is refused."""

    def __init__(self) -> None:
        self.made: Combined | None = None

    def get(self) -> Combined:
        """The iterator, one for a recording."""
        if self.made is None:
            self.made = Combined(iter, ())
            trace.current().state(LeftIterators)[id(self.made)] = self.made
        return self.made


def refuse_outside_iterator(iterator: Any) -> None:
    """Raises `StagingError` for an iterator from outside in a block that is being recorded, and for
    one that a staged loop has used."""
    recorder = trace.current()
    if recorder is None or recorder.is_eager:
        return
    left = recorder.state(LeftIterators)
    if left and any(id(one) in left for one in (iterator, *_inside(iterator))):
        raise staging_error(
            "an iterator is used after a staged loop has used it",
            "How many elements that loop has left in it is known only when the graph runs.",
            "Make it a list before the loop: items = list(iterator).",
            IterationError,
        )
    if isinstance(iterator, Combined):
        since = recorder.state(Combinations).made.get(id(iterator), (None, len(recorder.regions)))
        if recorder.may_run_often(since[1]):
            raise advanced(iterator)
    if is_iterator(iterator):
        recorder.state(OutsideIterators).refuse(iterator)


def _gives_once(value: Any) -> bool:
    """Whether reading a value uses it up."""
    return isinstance(value, (Combined, LazyElements, Loop)) or is_iterator(value)


def _inside(iterator: Any) -> list[Any]:
    """Everything from which an iterator takes its elements, directly or through others."""
    found: dict[int, Any] = {}
    pending = [iterator]
    while pending:
        for one in _read_by(pending.pop()):
            if id(one) not in found:
                found[id(one)] = one
                pending.append(one)
    return list(found.values())


def _parts(iterator: Any) -> list[Any]:
    """The parts of a combination, and theirs, each as often as it occurs."""
    return [one for part in _read_by(iterator) for one in (part, *_parts(part))]


def _read_by(iterator: Any) -> list[Any]:
    if isinstance(iterator, Combined):
        return list(iterator.parts)
    if isinstance(iterator, (LazyElements, Loop)):
        return [iterator.source]
    return held(iterator) if is_iterator(iterator) else []


def _is_hidden(iterator: Any) -> bool:
    """Whether an iterator may be one that no comparison reaches: it belongs to another package."""
    kind = type(iterator)
    of_python = kind is GeneratorType or kind.__module__ in ("builtins", "itertools")
    return not (of_python or is_users_class(kind))
