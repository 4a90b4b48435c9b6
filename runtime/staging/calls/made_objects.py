"""Objects that calls make while a graph is recorded; each run may need its own.

    t = table.copy()        made now, once: later code may read its columns
    t["w"] = x              each run would change the same object, so the function is recorded
                            again (`function/recorded_again.py`), with `table.copy()` as a call
                            of each run

The same holds for objects that the function returns or stores, and for objects of the standard
library with a state, such as queues and random generators.  A call is known by its place in
the code of the user.

Code that is not converted makes objects with a state too: `__init__` of a dataclass, the function
of a `defaultdict`, a decorator.  So an object that runs use, and that neither a guard has found nor
a call has made, is looked for in another recording.  It is there again if other code holds it;
else the function makes it.
"""

import gc
import io
import itertools
import sys
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

from autograph.errors import with_article
from autograph.functions.policy import is_users_file
from runtime.errors import EffectError, staging_error
from runtime.ir.pytree import flatten
from runtime.staging.calls.made_calls import MadeCalls
from runtime.staging.calls.natures import has_state
from runtime.staging.calls.outside_resources import has_changed_outside
from runtime.staging.calls.package_objects import is_package_object
from runtime.staging.reached_objects import reached_objects
from runtime.tracing import trace

Place = tuple[str, str, int]  # the file, the function, and the instruction

MOST_REACHED = 2_000  # objects that are looked at
IN_MEMORY = (io.StringIO, io.BytesIO)
IMMUTABLE = ("sympy", "mpmath", "gmpy2", "symengine")  # packages of values that never change


class MadeObjects:
    """The objects that one recording has made, and where."""

    def __init__(
        self, in_runs: frozenset[Place] = frozenset(), earlier: dict[int, Any] | None = None
    ) -> None:
        self.in_runs = in_runs  # the calls that each run makes
        self._earlier = earlier  # by identity: objects of others, as a recording before has found
        self._found: dict[int, Any] = {}  # by identity: objects that runs use
        self._is_complete = False
        self.outside: dict[int, Any] = {}  # by identity: objects that the code has found
        self._wanted: set[Place] = set()
        self._places: dict[int, tuple[Any, Place]] = {}  # by identity
        self._owners: dict[int, Any] = {}  # by identity: what objects were read from
        # By identity, the object itself, and how many were made at the last search.
        self._searched: dict[int, tuple[Any, int]] = {}
        self._handed: set[int] = set()  # the roots of those that calls of the run have got

    def is_in_runs(self) -> bool:
        """Whether each run makes the call that is running."""
        return bool(self.in_runs) and _place() in self.in_runs

    def note(self, result: Any, *given: Any) -> None:
        """Notes the objects in the result of a call, other than those that it was given."""
        for one in flatten(result)[0]:
            if _is_followed(one) and not any(one is other for other in given):
                self._places.setdefault(id(one), (one, _place()))

    def note_own(self, value: Any) -> None:
        """Notes an object that the call that is running has made."""
        self._places.setdefault(id(value), (value, _place()))

    def want_own(self, value: Any) -> None:
        """Lets each run make an object, in another recording."""
        if id(value) in self._places:
            self._wanted.add(self._places[id(value)][1])

    def want_kinds(self, kinds: tuple[type, ...]) -> None:
        """Lets each run make the objects of some classes, in another recording."""
        self._wanted.update(at for value, at in self._places.values() if isinstance(value, kinds))

    def want_this(self) -> None:
        """Lets each run make the call that is running, in another recording."""
        self._wanted.add(_place())

    def note_part(self, owner: Any, part: Any) -> None:
        """Notes an object that was read from another one, whose memory it may show."""
        if part is not owner and _is_followed(part) and id(part) not in self._owners:
            self._owners[id(part)] = owner
            self._places.setdefault(id(part), (part, _place()))

    def root_of(self, value: Any) -> Any:
        """The object that a value was read from; the value itself if from none."""
        while id(value) in self._owners:
            value = self._owners[id(value)]
        return value

    def hand(self, value: Any) -> None:
        """Notes that a call of each run gets an object."""
        self._handed.add(id(self.root_of(value)))

    def is_handed(self, value: Any) -> bool:
        """Whether a call of each run has got an object, or one whose memory it shows."""
        return bool(self._handed) and id(self.root_of(value)) in self._handed

    def need_own(self, value: Any, why: str) -> None:
        """Raises `StagingError` for an object that was made here: each run needs its own."""
        chain = [value]
        while id(chain[-1]) in self._owners:
            chain.append(self._owners[id(chain[-1])])
        made = [self._places[id(one)][1] for one in chain if id(one) in self._places]
        owners = trace.current().state(MadeCalls).owners() if made else []
        if has_changed_outside(chain, owners, self._places):
            raise _made_once(value, why)
        if made:
            self._wanted.update(made)
            raise _made_once(value, why)
        if id(chain[-1]) not in self.outside:
            raise _made_once(value, why)

    def note_used(self, value: Any, why: str, is_changeable: bool = False) -> None:
        """Notes the objects with a state that each run uses with a value, as far as it is not known
        whose they are; `is_changeable`: also the value itself.

        Raises `StagingError` if an earlier recording has not found one: the function makes it.
        """
        for one in (value,) if is_changeable else _with_state(value):
            if self.is_made(one) or id(self.root_of(one)) in self.outside:
                continue
            if self._earlier is not None and id(one) not in self._earlier:
                raise _made_once(one, why)
            self._found[id(one)] = one

    def compare(self) -> None:
        """Raises `StagingError` if another recording has to show whose objects runs use."""
        if self._earlier is None and self._found:
            self._is_complete = True
            raise _made_once(next(iter(self._found.values())), "is used by each run")

    def is_made(self, value: Any) -> bool:
        """Whether a call has made an object."""
        return id(value) in self._places

    def reached_from(self, value: Any) -> list[Any]:
        """The first object that a call has made among a value and those that it leads to."""
        if self.is_made(value):
            return [value]
        _, searched = self._searched.get(id(value), (None, 0))
        if searched == len(self._places):
            return []
        found = filter(self.is_made, reached_objects(value, most=MOST_REACHED))
        first = list(itertools.islice(found, 1))
        if not first:
            self._searched[id(value)] = value, len(self._places)
        return first

    def close_files(self) -> None:
        """Closes the files that a recording which is given up has opened."""
        for value, _ in self._places.values():
            if isinstance(value, io.IOBase) and not isinstance(value, IN_MEMORY):
                value.close()

    def close(self) -> None:
        """Lets the objects go, when the recording ends."""
        for known in (self.outside, self._places, self._owners, self._handed, self._searched):
            known.clear()  # type: ignore[attr-defined]

    def again(self) -> "MadeObjects | None":
        """Those of another recording, since this one has failed; None if it would be the same."""
        if self._wanted <= self.in_runs and not self._is_complete:
            return None
        return self.same()

    def same(self) -> "MadeObjects":
        """Those of another recording, which knows what this one knows."""
        earlier = dict(self._found) if self._is_complete else self._earlier
        return MadeObjects(self.in_runs | self._wanted, earlier)


def _is_followed(value: Any) -> bool:
    package = type(value).__module__.partition(".")[0]
    return is_package_object(value) and package not in IMMUTABLE


def _with_state(value: Any) -> Iterator[Any]:
    """The objects with a state among a value, the object whose method it is, and those that an
    inner function holds."""
    held = gc.get_referents(*(value.__closure__ or ())) if type(value) is FunctionType else ()
    for one in (value, getattr(value, "__self__", None), *held):
        if has_state(type(one)):
            yield one


def _place() -> Place:
    """The place of the call of the user's code that is running."""
    frame = sys._getframe(1)
    while frame.f_back is not None and not is_users_file(frame.f_code.co_filename):
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_code.co_name, frame.f_lasti


def _made_once(value: Any, why: str) -> BaseException:
    kind = type(value).__name__
    return staging_error(
        f"{with_article(kind)} that was made while the graph was being built {why}",
        f"Each call of the function would make its own {kind}; the graph has only one.",
        "Make it outside of the function, or in a function of its own that each run calls: "
        "rt.library_call(fn, ...).",
        EffectError,
    )


def made_now(call: Callable[[], Any], *given: Any) -> Any:
    """The result of a call that happens now; each run may have to make its objects."""
    result = call()
    recorder = trace.current()
    if recorder is not None and not recorder.is_eager:
        recorder.state(MadeObjects).note(result, *given)
    return result
