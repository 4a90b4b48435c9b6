"""Objects of packages that calls make while a graph is recorded; each run may need its own.

    t = table.copy()        made now, once: later code may read its columns
    t["w"] = x              each run would change the same object, so the function is recorded
                            again (`function/recorded_again.py`), with `table.copy()` as a call
                            of each run

The same holds for objects that the function returns or stores.  A call is known by its place in
the code of the user.
"""

import sys
from collections.abc import Callable
from typing import Any

from autograph.errors import with_article
from autograph.functions.policy import is_users_file
from runtime.errors import EffectError, staging_error
from runtime.ir.pytree import flatten
from runtime.staging.calls.package_objects import is_package_object
from runtime.tracing import trace

Place = tuple[str, str, int]  # the file, the function, and the instruction

IMMUTABLE = ("sympy", "mpmath", "gmpy2", "symengine")  # packages of values that never change


class MadeObjects:
    """The objects of packages that one recording has made, and where."""

    def __init__(self, in_runs: frozenset[Place] = frozenset()) -> None:
        self.in_runs = in_runs  # the calls that each run makes
        self.outside: dict[int, Any] = {}  # by identity: objects that the code has found
        self._wanted: set[Place] = set()
        self._places: dict[int, tuple[Any, Place]] = {}  # by identity
        self._owners: dict[int, Any] = {}  # by identity: what objects were read from
        self._handed: set[int] = set()  # the roots of those that calls of the run have got

    def is_in_runs(self) -> bool:
        """Whether each run makes the call that is running."""
        return bool(self.in_runs) and _place() in self.in_runs

    def note(self, result: Any, *given: Any) -> None:
        """Notes the objects in the result of a call, other than those that it was given."""
        for one in flatten(result)[0]:
            if _is_followed(one) and not any(one is other for other in given):
                self._places.setdefault(id(one), (one, _place()))

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
        if made:
            self._wanted.update(made)
            raise _made_once(value, why)
        if id(chain[-1]) not in self.outside:
            raise _made_once(value, why)

    def is_made(self, value: Any) -> bool:
        """Whether a call has made an object."""
        return id(value) in self._places

    def close(self) -> None:
        """Lets the objects go, when the recording ends."""
        for known in (self.outside, self._places, self._owners, self._handed):
            known.clear()  # type: ignore[attr-defined]

    def again(self) -> "MadeObjects | None":
        """Those of another recording, since this one has failed; None if it would be the same."""
        return None if self._wanted <= self.in_runs else MadeObjects(self.in_runs | self._wanted)


def _is_followed(value: Any) -> bool:
    package = type(value).__module__.partition(".")[0]
    return is_package_object(value) and package not in IMMUTABLE


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
