"""Which dicts and sets of a function are staged ones.

In the first recording of a function, its dicts and sets are Python's.  If one of them would need a
staged key, the function is recorded again, and the line that makes it makes a staged one.  A line
may make several: `maker` says which one, by the keys of a display or the name of the function.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from autograph.staging.errors import users_location
from autograph.staging.mutations import MutableLocation
from runtime.errors import HashNeededError
from runtime.staging.lists.homes import note_home
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.tracing import trace
from runtime.tracing.tensor import is_staged


class MadeDicts:
    """The dicts and sets that one recording makes, and the lines that make staged ones."""

    def __init__(self, staged: frozenset = frozenset()):
        self.staged = staged
        self.wanted: set = set()
        self._made: dict[int, tuple[Any, Any]] = {}

    def note(self, container: Any, maker: Any = None) -> Any:
        """Remembers where a container was made."""
        self._made[id(container)] = container, _place(maker)
        return note_home(container)

    def note_copies(self, copy: Any, original: Any) -> Any:
        """Remembers that a container, and those inside, have the contents of others."""
        if not self._made or type(copy) is not type(original):
            return copy
        if id(original) in self._made:
            self._made[id(copy)] = copy, self._made[id(original)][1]
        items = (copy.values(), original.values()) if type(copy) is dict else (copy, original)
        for pair in zip(*items, strict=False) if type(copy) in (dict, list, tuple) else ():
            self.note_copies(*pair)
        return copy

    def is_staged_here(self, maker: Any = None) -> bool:
        """Whether the running line makes a staged container."""
        return _place(maker) in self.staged

    @contextmanager
    def wanting(self, maker: Any = None) -> Iterator[None]:
        """Notes the running line if a container that it makes would need a staged key."""
        try:
            yield
        except BaseException as error:
            if _needs_hash(error):
                self.wanted.add(_place(maker))
            raise

    def collected(self, collect: Callable[[Any], Any], iterable: Any) -> Any:
        """The dict or set that a comprehension makes of known elements."""
        with self.wanting():
            made = collect(iterable)
        return self.note(made)

    def note_failure(self, error: BaseException) -> None:
        """Wants all containers to be staged if a recording has failed for a staged key, and it is
        not known of which."""
        if _needs_hash(error) and not self.wanted - self.staged:
            self.want_all()

    def want_all(self) -> None:
        """Each container would have to be a staged one: it is not known which."""
        self.wanted |= {place for _, place in self._made.values()}

    def want(self, key: int) -> None:
        """A container, by its identity, would have to be a staged one."""
        if key in self._made:
            self.wanted.add(self._made[key][1])

    def __contains__(self, container: Any) -> bool:
        return id(container) in self._made

    def same(self) -> "MadeDicts":
        """For another recording, in which the same lines make staged ones."""
        return MadeDicts(self.staged)

    def again(self) -> "MadeDicts | None":
        """For another recording, in which more lines make staged ones; None if there are none."""
        return MadeDicts(self.staged | self.wanted) if self.wanted - self.staged else None


def _needs_hash(error):
    return isinstance(getattr(error, "error", error), HashNeededError)


def _place(maker):
    place = users_location()
    return None if place is None else (place.filename, place.lineno, maker)


def is_recording() -> bool:
    """Whether dicts and sets may have to be staged: keys of feeds have a hash."""
    recorder = trace.current()
    return not (recorder is None or recorder.is_eager or recorder.takes_feeds)


def made_dicts() -> MadeDicts:
    """The dicts and sets of the recording that is going on."""
    return trace.current().state(MadeDicts) if is_recording() else MadeDicts()


def want_staged(container: Any) -> None:
    """Notes that a container would have to be a staged one."""
    if is_recording():
        made_dicts().want(id(container))


def is_key_of_run(key: Any) -> bool:
    """Whether only the run knows a key: it is staged, or may be None."""
    return is_staged(key) or isinstance(key, MaybeNoneObject)


def note_one_sided(location: MutableLocation) -> None:
    """Notes that the container of a location has a key on one path only."""
    made_dicts().want(location.key[1])
