"""The containers that a merged list, dict or object may be: `made.sources` says which.

e = d if p else {"w": 2}        e is one of two dicts
d["w"] = 5                      from now on, a read of e is refused: it is stale
e["w"] = 5                      refused, unless nothing else can see d
"""

import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from autograph.errors import with_article
from autograph.functions.rebuild import MADE
from autograph.staging.heap_diff import HeapSnapshot
from autograph.staging.object_state import attributes
from runtime.errors import SharedMemoryError, staging_error
from runtime.staging.lists.links import remedy_for
from runtime.tracing import trace


@dataclass(eq=False)
class GivenContainers:
    """The identities of the objects that existed before the graph was recorded; None if they are
    not known."""

    known: set[int] | None = None


@dataclass(eq=False)
class Choice:
    """Which of two objects an object is: `one` if `predicate` holds, else `other`."""

    predicate: Any
    one: Any
    other: Any


@dataclass(eq=False)
class MergedObject:
    """An object that may be one of several: `sources`, whose contents were `seen`.

    `choice` says which one, unless it is known to the iterations of a loop only.
    """

    made: Any
    sources: tuple
    choice: Choice | None = None
    seen: list[tuple] = field(default_factory=list)
    is_element: bool = False  # of a staged list (`forms.py`)
    place: Any = None  # where the list has it, if elements are changed (`element_writes.py`)


# How objects that are elements of staged lists are read and written (`element_writes.py`).
ELEMENTS: dict[str, Any] = {}


class MergedObjects(dict[int, MergedObject]):
    """The merged objects of a trace, by identity."""


class MergedLists(dict[int, Any]):
    """The merged staged lists of a trace, by identity."""


class ChosenLists(list[Any]):
    """The lists that a run may change by the name of one of two lists."""


class StaleObjects(set[int]):
    """The identities of the merged objects whose sources had changed when some block ended: its
    changes are undone, and what such an object holds is not what it held at the end."""

    def note(self) -> None:
        """Adds those that are stale now."""
        known = trace.current().state(MergedObjects).values()
        self.update(id(one.made) for one in known if is_stale(one.made))
        lists = trace.current().state(MergedLists).values()
        self.update(id(one) for one in lists if is_stale(one))


def merged_of(made: Any) -> Any:
    """The record of a merged container: a list or dict itself; None for others."""
    if isinstance(made, (list, dict)):
        return made if getattr(made, "sources", None) else None
    recorder = trace.current()
    return None if recorder is None else recorder.state(MergedObjects).get(id(made))


def sources_of(made: Any) -> Any:
    """The containers that a container may be; empty if it is only itself."""
    known = merged_of(made)
    return () if known is None else known.sources


def choice_of(made: Any) -> Choice | None:
    """What says which object a merged object is."""
    recorder = trace.current()
    known = None if recorder is None else recorder.state(MergedObjects).get(id(made))
    return None if known is None else known.choice


def inner_predicates(made: Any, is_outside: Callable[[Any], bool]) -> Iterator[Any]:
    """The predicates that say which object a merged object is, as far as they belong to the block
    that has just ended."""
    choice = choice_of(made)
    if choice is not None and not is_outside(choice.predicate):
        yield choice.predicate
        for one in (choice.one, choice.other):
            yield from inner_predicates(one, is_outside)


def all_sources() -> tuple:
    """All objects that merged objects may be, and the lists in which elements are changed."""
    recorder = trace.current()
    known = () if recorder is None else recorder.state(MergedObjects).values()
    sources = [source for one in known for source in one.sources]
    owners = [one.place.owner for one in known if one.place is not None]
    lists = () if recorder is None else recorder.state(ChosenLists)
    return (*sources, *_chosen_objects(), *owners, *lists)


def _chosen_objects():
    """The objects among which merged ones choose: a run reads and writes them."""
    recorder = trace.current()
    known = () if recorder is None else recorder.state(MergedObjects).values()
    choices = [one.choice for one in known if one.choice is not None]
    return [one for choice in choices for one in (choice.one, choice.other)]


def refresh(made: Any) -> None:
    """Marks a merged container as up to date with the containers that it may be."""
    known = merged_of(made)
    known.seen = [tuple(contents(one)) for one in _watched(known)]


def expire(made: Any) -> None:
    """Makes each read of a merged object choose among the objects that it may be."""
    known = merged_of(made)
    known.seen = [(None,)] * len(_watched(known))


def _watched(known):
    """The containers in which a merged one may be changed: a write into an object goes to those
    among which it chooses, also to one that no other name holds."""
    choice = getattr(known, "choice", None)
    return known.sources if choice is None else (*known.sources, choice.one, choice.other)


def contents(container: Any) -> Iterator[Any]:
    """The keys and values of a dict, the elements of a list, the attributes of an object."""
    if isinstance(container, dict):
        yield from (part for pair in dict.items(container) for part in pair)
    elif not isinstance(container, list):
        yield from (part for pair in attributes(container).items() for part in pair)
    elif getattr(container, "_staged", None) is not None:
        yield container._staged
    else:
        yield from list.__iter__(container)


def is_stale(made: Any) -> bool:
    """Whether one of the containers has changed since the merged one was made."""
    known = merged_of(made)
    for one, seen in zip(_watched(known), known.seen, strict=True):
        now = tuple(contents(one))
        if len(now) != len(seen) or any(a is not b for a, b in zip(now, seen, strict=True)):
            return True
    return False


def refuse_changed(made: Any) -> None:
    """Raises `StagingError` if what an object holds is not known: one of its sources has changed
    since it was merged."""
    recorder = trace.current()
    if recorder is not None:
        ELEMENTS["read_whole"](made)
    if merged_of(made) is None:
        return
    if is_stale(made) or recorder is not None and id(made) in recorder.state(StaleObjects):
        raise merged_error(made, "is read after one of them was changed")


def refuse_stale(made: Any) -> None:
    """Raises `StagingError` if one of the containers that a merged one may be has changed."""
    if is_stale(made):
        raise merged_error(made, "is read after one of them was changed")


def refuse_stale_at_end(made: Any) -> None:
    """Raises `StagingError` if one of them had changed when some block ended, which has been undone
    since then."""
    if id(made) in trace.current().state(StaleObjects):
        raise merged_error(made, "is read after one of them was changed")


def can_be_seen(made: Any) -> bool:
    """Whether a write into a merged container may be seen through another name."""
    given = trace.current().state(GivenContainers).known if trace.current() else None
    known = sources_of(made)
    if given is None or any(id(source) in given for source in known):
        return True
    sources = set(map(id, known))
    frame, held = sys._getframe(2), _chosen_objects()
    while frame is not None:
        if frame.f_code in MADE:
            held += frame.f_locals.values()
        frame = frame.f_back
    return any(
        id(one) in sources or one is not made and not sources.isdisjoint(map(id, sources_of(one)))
        for one in HeapSnapshot(roots=tuple(held)).containers()
    )


def merged_error(made: Any, what: str) -> BaseException:
    """The error about a use of a merged container that a graph cannot follow."""
    plain = "dict" if isinstance(made, dict) else getattr(made, "stands_for", "list")
    if isinstance(made, (list, dict)):
        kind, kinds, remedy = plain, f"{plain}s", f"z = {plain}(z)"
    else:
        kind = f"an object of {type(made).__qualname__.rpartition('.')[2]}"
        kinds, remedy = "objects", "z = copy.copy(z)"
        return staging_error(
            f"{kind} that may be one of several {kinds} {what}",
            "A branch or loop has bound the variable to another object, and another name of either "
            "would have to see the change.",
            remedy_for(_watched(merged_of(made)), f"Change a copy: {remedy}."),
            SharedMemoryError,
        )
    return staging_error(
        f"{with_article(kind)} that may be one of several {kinds} {what}",
        f"A branch or loop has bound the variable to another {kind}, and another name of either "
        "would have to see the change.",
        f"Change a copy: {remedy}.",
        SharedMemoryError,
    )
