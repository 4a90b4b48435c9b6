"""Loops whose iterations are known while the graph is recorded: staged, or else unrolled.

    for i in range(100):              staged: the body is recorded once, for a staged `i`
        x = x * w[i]

    for i in range(100):              unrolled: an object is looked up by `i`
        x = layers[i](x)

    while n < 100:                    the first iterations are unrolled, the others staged
        n = n + 1
        x = x * 0.5

A loop over a range, over numbers in a list, tuple or array, or over `enumerate`, `zip` or
`reversed` of these, is staged in a trial (`trial.py`).  Where that is refused, or would show a
difference to Python, everything is put back, and the loop is unrolled.  If the first iteration
gives a variable another type, that iteration is unrolled, and the loop begins after it.
"""

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from types import CodeType
from typing import Any

import numpy as np

from autograph.backend import Backend, State
from autograph.constructs.for_ import for_stmt
from autograph.staging.block_functions import block_functions
from runtime.errors import LoopError, staging_error
from runtime.staging.calls.iteration import (
    IterationIndex,
    places,
    positions,
)
from runtime.staging.calls.staged_range import StagedRange
from runtime.staging.control_flow.known_loop import KnownLoop
from runtime.staging.control_flow.trial import attempt
from runtime.staging.lists.trace_list import TraceList, is_staged_list
from runtime.staging.loop_trials import (
    FirstIterationDiffers,
    LoopOutcome,
    LoopTrials,
    are_allowed,
)
from runtime.staging.outside_iterators import note_left
from runtime.staging.truth import truth
from runtime.tracing import trace
from runtime.tracing.matching import MatchRequests
from runtime.tracing.tensor import Tensor, staged

FEWEST = 4  # iterations: a shorter loop is unrolled
DEEP = 3  # loops that contain others
SIZED = (range, tuple, list)
LOOPS = frozenset({"for_stmt", "while_stmt"})
MOST_UNROLLED = 2  # iterations before the staged ones
DIRECTIVE = "set_loop_options"
Numbers = range | tuple | np.ndarray | Tensor


# -- iterables -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class KnownElements:
    """The elements of an iterable that can be looked at without using it up.

    `combine` makes an element from one of each part; None if there is one part.
    """

    parts: tuple[Numbers, ...]
    count: int
    combine: Callable[..., Any] | None = None

    def __iter__(self) -> Iterator[Any]:
        parts = zip(*self.parts, strict=False)
        return (one[0] if self.combine is None else self.combine(*one) for one in parts)

    def rest(self, start: int) -> "KnownElements":
        """The elements from number `start` on."""
        return KnownElements(
            tuple(part[start : self.count] for part in self.parts), self.count - start, self.combine
        )

    def positions(self) -> IterationIndex:
        """The positions of a staged loop over the elements."""
        first = self.parts[0]
        if self.combine is None and isinstance(first, range):
            return positions(StagedRange(first.start, first.stop, first.step))
        found = [places(staged(p) if isinstance(p, np.ndarray) else p)[0] for p in self.parts]
        combine, count = self.combine or (lambda one: one), self.count
        return IterationIndex(
            0, 1, lambda i: combine(*(at(i) for at in found)), lambda i: i < count
        )

    @property
    def last(self) -> int | None:
        """The last element of a range."""
        first = self.parts[0]
        return first[-1] if self.combine is None and isinstance(first, range) else None


def known_elements(iterable: Any) -> KnownElements | None:
    """The elements of an iterable of which a staged loop may take each; None for others."""
    kind = type(iterable)
    if kind in (enumerate, zip):
        return _combined(iterable)
    numbers = _left(iterable) if kind.__name__ in ITERATORS else _numbers(iterable)
    return None if numbers is None else KnownElements((numbers,), len(numbers))


def _numbers(iterable: Any) -> Numbers | None:
    """A range, numbers of one type, or a staged array of a known length."""
    if type(iterable) is range:
        return iterable
    if isinstance(iterable, Tensor) and iterable.type.shape:
        return iterable if isinstance(iterable.type.shape[0], int) else None
    if type(iterable) is np.ndarray:
        return iterable if iterable.ndim == 1 and iterable.dtype.kind in "biufc" else None
    if type(iterable) in (tuple, list) or type(iterable) is TraceList:
        if is_staged_list(iterable):
            return None
        items = tuple(list.__iter__(iterable) if isinstance(iterable, list) else iterable)
        is_alike = len(set(map(type, items))) == 1 and type(items[0]) in (int, float, complex)
        return items if is_alike else None
    return None


def _combined(iterator: Any) -> KnownElements | None:
    """The elements that an `enumerate` or `zip` has left, if its parts are known."""
    kind, arguments = iterator.__reduce__()[:2]
    if kind is enumerate:
        part = _left(arguments[0])
        return (
            None
            if part is None
            else KnownElements(
                (range(arguments[1], arguments[1] + len(part)), part), len(part), _tuple
            )
        )
    parts = [_left(one) for one in arguments]
    if not parts or any(part is None for part in parts) or len(iterator.__reduce__()) > 2:
        return None
    return KnownElements(tuple(parts), min(map(len, parts)), _tuple)


def _tuple(*items: Any) -> tuple:
    return items


def _left(iterator: Any) -> Numbers | None:
    """The numbers that an iterator over known numbers has left."""
    reduce = getattr(type(iterator), "__reduce__", None)
    if type(iterator).__name__ not in ITERATORS or reduce is None:
        return None
    made = reduce(iterator)
    if len(made) < 2 or not made[1]:
        return None
    numbers = _numbers(made[1][0])
    if numbers is None:
        return None
    if type(iterator).__name__.endswith("reverseiterator") or made[0] is reversed:
        end = made[2] + 1 if len(made) > 2 else len(numbers)
        return numbers[:end][::-1]
    return numbers[made[2] if len(made) > 2 else 0 :]


ITERATORS = ("range_iterator", "tuple_iterator", "list_iterator", "iterator")
ITERATORS += ("list_reverseiterator", "reversed")


# -- loops -----------------------------------------------------------------------------------------


def for_known(
    backend: Backend, iterable: Any, body: Callable, test: Callable | None, state: State
) -> bool:
    """Runs a loop over known elements; returns False if nothing was done, so Python runs it."""
    recorder = trace.current()
    if not _may_try(recorder, body):
        return False
    known = known_elements(iterable)
    is_asked = DIRECTIVE in body.__code__.co_names
    if known is None:
        _note_unrolled(recorder, body, iterable, "its elements are not numbers of one type")
        return False
    if not known.count:
        return False
    if known.count < FEWEST and not is_asked and (known.count == 1 or not _is_deep(body)):
        _note_unrolled(recorder, body, iterable, "it is short")
        return False
    loop = ForLoop(backend, known, body, test, state)
    done = loop.run()
    if done and hasattr(type(iterable), "__next__"):
        if test is None:
            deque(iterable, maxlen=0)  # as Python uses it up
        else:
            note_left(iterable)
            recorder.state(LoopTrials).hide_position()
    return done


def _may_try(recorder: trace.Trace | None, body: Callable) -> bool:
    if not are_allowed(recorder):
        return False
    assert recorder is not None
    if recorder.is_eager or recorder.takes_feeds or recorder.state(MatchRequests).answer:
        return False
    return body.__code__ not in recorder.state(LoopTrials).refused


def _note_unrolled(recorder: Any, body: Callable, iterable: Any, why: str) -> None:
    """Notes that a loop is not tried."""
    if type(iterable) in SIZED:
        place = body.__code__.co_filename, body.__code__.co_firstlineno
        outcome = LoopOutcome(*place, len(iterable), 0, False, why)
        recorder.state(LoopTrials).outcomes.setdefault(place, outcome)


def _is_deep(body: Callable) -> bool:
    """Whether there are so many loops inside a loop that it is worth a trial, however short it is:
    ten of two iterations, one in another, are 1,024 when they are unrolled."""
    around = [block for block in block_functions([body]) if _has_loop(block.__code__)]
    return len(around) >= DEEP


@cache
def _has_loop(code: CodeType) -> bool:
    return not LOOPS.isdisjoint(code.co_names)


class ForLoop:
    """A `for` over known elements: its first iterations may be unrolled, the rest is staged."""

    def __init__(self, backend, known: KnownElements, body, test, state: State):
        self.backend, self.known, self.state = backend, known, state
        self.body, self.test = body, test
        self.trials = trace.current().state(LoopTrials)
        self.done = 0  # how many iterations are unrolled
        self.going_on: Any = True  # whether there is another iteration, as far as `test` says
        self.elements = iter(known)
        self.together = 1  # how many iterations one of the staged loop makes
        self.attempted: KnownLoop | None = None

    def run(self) -> bool:
        """Whether the loop has been run; if not, nothing was done."""
        kinds = self.body.__code__, _kinds(self.state)
        for _ in range(self.trials.unrolled.get(kinds, 0)):
            if not self._unroll_one():
                return True
        while True:
            why = attempt(self._loop, self.going_on)
            if why is None:
                self._note(True)
                return True
            if self._is_grouped():
                if not self._unroll_remainder():
                    return True
                continue
            is_first = isinstance(why, FirstIterationDiffers) and self.going_on is True
            if not is_first or self.done == MOST_UNROLLED or self.known.count == self.done + 1:
                break
            if self.attempted is not None and self.attempted.has_effects:
                self.trials.effects_wait = True  # those of the first iterations, too
            if not self._unroll_one():
                return True
            self.trials.unrolled[kinds] = self.done
        return self._unroll(why)

    def _is_grouped(self) -> bool:
        """Whether the directive requires another number of iterations in one."""
        wish = self.trials.wishes.get(self.body.__code__)
        if type(wish) is not int or wish == self.together or self.test is not None:
            return False
        self.together = wish
        return True

    def _unroll_remainder(self) -> bool:
        """Unrolls iterations until groups of them are left; returns whether any is left."""
        for _ in range((self.known.count - self.done) % self.together):
            if not self._unroll_one():
                return False
        return True

    def _loop(self) -> KnownLoop:
        """The loop over the elements that are left."""
        rest = self.known.rest(self.done)
        position = rest.positions()

        def iteration():
            for _ in range(self.together):
                self.body(position.element())
                position.advance()
            if self.test is None:
                return position.more()
            going_on = truth(self.test())
            loop.may_end_early = loop.may_end_early or isinstance(going_on, Tensor)
            return self.backend.if_expr(going_on, position.more, lambda: False)

        last = rest.last if self.test is None else None
        blocks = self.body, self.test
        loop = KnownLoop(iteration, self.state, blocks, position.places, (), rest.count, last)
        loop.together = self.together
        self.attempted = loop
        return loop

    def _unroll_one(self) -> bool:
        """Runs one iteration in Python; returns whether another one may follow."""
        self.body(next(self.elements))
        self.done += 1
        self.going_on = True if self.test is None else truth(self.test())
        return self.going_on is not False and self.done < self.known.count

    def _unroll(self, why) -> bool:
        """Runs the iterations that are left in Python; returns whether any has been run here."""
        self.trials.refused[self.body.__code__] = _reason(why)
        self._note(False, _reason(why))
        _refuse_against_wish(self.trials, self.body, why)
        if not self.done:
            return False
        others = self._others()
        if isinstance(self.going_on, Tensor):
            self.backend.if_stmt(self.going_on, others, None, self.state)
        else:
            others()
        return True

    def _others(self) -> Callable[[], None]:
        """A block of the iterations that are left.  The body and the test are in its closure, where
        the changes that a block may make are looked for."""
        body, test, state = self.body, self.test, self.state
        rest = tuple(self.known.rest(self.done))

        def others():
            for_stmt(rest, body, state.get_state, state.set_state, state.names, test)

        return others

    def _note(self, is_staged, why=""):
        code, count = self.body.__code__, self.known.count
        place = code.co_filename, code.co_firstlineno
        self.trials.note(LoopOutcome(*place, count, self.done, is_staged, why), trace.current())


def while_known(test: Callable, body: Callable, state: State) -> bool:
    """Stages the iterations that are left of a `while` over numbers, whose test holds; returns
    False if nothing was done."""
    recorder = trace.current()
    if not _may_try(recorder, body):
        return False
    trials = recorder.state(LoopTrials)

    def iteration():
        body()
        return truth(test())

    why = attempt(lambda: KnownLoop(iteration, state, (body, test)), True)
    code = body.__code__
    reason = "" if why is None else _reason(why)
    place = code.co_filename, code.co_firstlineno
    trials.note(LoopOutcome(*place, None, 0, why is None, reason), recorder)
    if why is not None:
        trials.refused[code] = reason
        _refuse_against_wish(trials, body, why)
    return why is None


def _refuse_against_wish(trials, body, why):
    """Raises `LoopError` if the user requires a staged loop."""
    if trials.wishes.get(body.__code__) is False:
        raise staging_error(
            "a loop cannot be staged, as set_loop_options(unroll=False) asks",
            f"{_reason(why)[:1].upper()}{_reason(why)[1:]}.",
            "Remove the option: then the loop is unrolled.",
            LoopError,
        )


def _reason(why: Exception) -> str:
    return str(why).partition("\n")[0].partition("  [")[0]


def _kinds(state: State) -> tuple:
    """The types of a loop's variables, as far as its first iterations depend on them."""
    return tuple(
        (type(value), *((type(value.type), value.dtype) if isinstance(value, Tensor) else ()))
        for value in state.get()
    )
