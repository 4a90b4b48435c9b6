"""In which region of the graph a list, dict or object was made.

    item = next(p for p in items if p.x > n)      one of the older objects, not one of the branch
    item.x = 5                                    is seen by other names of it

A join has to know whether a branch has made a container or was given it.  It may be one that the
branch's own code does not name, so the region that made it decides.
"""

from collections.abc import Callable
from typing import Any

from autograph.staging.dunder_methods import NewObjects
from runtime.staging.lists.merged_sources import GivenContainers
from runtime.tracing import trace


class Homes(dict[int, tuple[Any, object]]):
    """By identity: containers of Python that code makes, and the regions in which it does."""


def note_home(made: Any) -> Any:
    """Remembers that a container is made in the current region; returns it."""
    recorder = trace.current()
    if recorder is not None:
        recorder.state(Homes)[id(made)] = made, recorder.region
    return made


def home_of(one: Any) -> Any:
    """The region in which a container was made; None if that is not known."""
    recorder, home = trace.current(), getattr(one, "home", None) if isinstance(one, list) else None
    for known in (recorder.state(Homes), recorder.state(NewObjects)):
        home = home or known.get(id(one), (None, None))[1]
    return home


def older_than(heap: Any) -> Callable[[Any], bool]:
    """Whether a container is older than a block that has just ended: `heap` has those that it could
    name when it began."""
    recorder = trace.current()
    given = recorder.state(GivenContainers).known or ()

    def is_older(one: Any) -> bool:
        return one in heap or id(one) in given or home_of(one) in recorder.regions

    return is_older
