"""Calls of functions that remember their results: `functools.cache` and `functools.lru_cache`.

    @lru_cache
    def table(n): ...

    table(3)        called as Python calls it, with plain arrays around it: the cache holds what it
                    would hold in Python; each call of the graph takes its result from there
    table(x)        called by each run, if x is staged: the cache is searched by its value

The graph is valid while the cache holds the same result.  If code could change it, the function is
recorded again, and the walk over all that the function reads begins at the result too: its arrays
become inputs, its contents conditions.  A cache that the recorded function itself has made may hold
staged values.
"""

import gc
from collections.abc import Callable, Container, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import _lru_cache_wrapper, _make_key
from types import MethodType
from typing import Any

from autograph.backend import PYTHON, staging
from autograph.functions.policy import is_users_function
from autograph.functions.rebuild import MADE
from autograph.staging.heap_diff import HeapSnapshot
from runtime.errors import NotStageableError, staging_error
from runtime.ir.host import described
from runtime.staging.calls import gate, kept_functions
from runtime.staging.calls.gate import Gate
from runtime.staging.calls.made_calls import MadeCalls
from runtime.staging.calls.natures import nature_of
from runtime.staging.calls.outside_answers import OutsideAnswers, comparable
from runtime.staging.calls.recorded_effects import RecordedEffects
from runtime.staging.staged_values import VARIABLES_TOO, holds_staged
from runtime.tracing import trace
from runtime.tracing.array_inputs import ArrayInputs
from runtime.tracing.signature import is_value
from runtime.tracing.tensor import Tensor

gate.FILES.add(__file__)


@dataclass(eq=False)
class CachedResult:
    """A result that the cache of a function holds for some arguments."""

    function: _lru_cache_wrapper
    args: tuple
    kwargs: dict
    result: Any = None
    asked: int = 0  # how often the recorded code has requested it
    is_walked: bool = False  # whether the guard looks into it
    is_quiet: bool = False  # whether looking at it is no call
    read: Callable[[Any], Any] = field(init=False)  # the result now, for the guard

    def __post_init__(self) -> None:
        self.read = lambda _: self.now()
        self.cache, self.key = (
            cache_of(self.function),
            key_of(self.function, self.args, self.kwargs),
        )
        self.counts_reads = self.function.cache_parameters()["maxsize"] is not None

    def is_held(self) -> bool:
        """Whether the cache has the result, so that a call runs no other code."""
        return self.key in self.cache

    def taken(self) -> Any:
        """The result of a call; Python runs the function if the cache has none."""
        return self.function(*self.args, **self.kwargs)

    def now(self) -> Any:
        """The result that the cache holds.  Raises `KeyError` if it holds none."""
        held = self.cache[self.key]
        if self.counts_reads:
            return self.result if self.is_quiet else self.taken()
        return held

    def count(self) -> None:
        """Counts the calls of a run, in which the cache has the result."""
        for _ in range(self.asked - self.counts_reads):
            self.taken()

    def is_for(self, function: Any, args: tuple, kwargs: dict) -> bool:
        """Whether it is the result of the same call."""
        return self.function is function and self.key == key_of(function, args, kwargs)

    def again(self) -> Any:
        """The result that the cache holds; the exception where it holds none."""
        try:
            return self.now()
        except Exception as error:
            return error

    def is_same(self) -> bool:
        """Whether the cache holds the same constant."""
        found = self.again()
        return found is self.result or (
            is_constant(found) and comparable(found) == comparable(self.result)
        )

    def shown(self) -> str:
        """The call, about as the user writes it."""
        return f"{described(self.function.__wrapped__)}(...)"


@dataclass
class CachedResults:
    """The results that caches gave while a graph is recorded."""

    found: list[CachedResult] = field(default_factory=list)
    is_repeatable: bool = False  # whether the function can be recorded again
    is_repeated: bool = False  # whether it must be
    outside: Container[int] = ()  # by identity: what the guard has found before

    def of(self, function: Any, args: tuple, kwargs: dict) -> CachedResult:
        """The entry for a call; a new one at the first request of the code."""
        for one in self.found:
            if one.is_for(function, args, kwargs):
                return one
        return CachedResult(function, args, kwargs)

    def is_own(self, function: _lru_cache_wrapper) -> bool:
        """Whether the recorded code itself has made a cache."""
        code = getattr(function.__wrapped__, "__code__", None)
        return code is not None and code in MADE and id(function) not in self.outside

    def walked(self) -> list[CachedResult]:
        """Those that the guard looks into."""
        return [one for one in self.found if one.is_walked]

    @contextmanager
    def uncounted(self) -> Iterator[None]:
        """While it is open, looking at results is no call of a function."""
        for one in self.found:
            one.is_quiet = True
        try:
            yield
        finally:
            for one in self.found:
                one.is_quiet = False

    def constants(self) -> list[CachedResult]:
        """Those that the guard compares."""
        return [one for one in self.found if not one.is_walked and is_constant(one.result)]

    def again(self) -> "CachedResults":
        """Those that another recording begins with."""
        kept = [one for one in self.found if not is_constant(one.result)]
        for one in kept:
            one.asked, one.is_walked = 0, True
        return CachedResults(kept, is_repeatable=True)

    def count(self) -> bool:
        """Counts the calls of a run, when everything else is the same; returns True."""
        for one in self.found:
            one.count()
        return True


def cache_of(function: _lru_cache_wrapper) -> dict:
    """The dict of a cache, by the keys of calls."""
    own = vars(function)
    for held in gc.get_referents(function):
        if type(held) is dict and held is not own:
            return held
    return {}


def key_of(function: _lru_cache_wrapper, args: tuple, kwargs: dict) -> Any:
    """The key of a call in the cache of a function."""
    is_typed = function.cache_parameters()["typed"]
    if not kwargs and not is_typed and len(args) == 1 and type(args[0]) in (int, str):
        return args[0]
    mark = [one for one in gc.get_referents(function) if type(one) is object]
    return tuple(_make_key(args, kwargs, True, tuple(mark))) if is_typed or kwargs else args


# -- calls -----------------------------------------------------------------------------------------


def gated(function: Any, known: Any) -> Any:
    """The callable to use in place of `function`, for which the runtime has `known`."""
    is_method = type(function) is MethodType
    written = function.__func__ if is_method else function
    if type(written) is _lru_cache_wrapper and _remembers_users(written):
        return CachedGate(function, known, nature_of(written))
    return kept_functions.gated(function, known)


def _remembers_users(function: Any) -> bool:
    """Whether a cache is for the user's function, or for one written in C."""
    written = getattr(function, "__wrapped__", None)
    while hasattr(written, "__wrapped__"):
        written = written.__wrapped__
    return not hasattr(written, "__code__") or is_users_function(written)


class CachedGate(Gate):
    """A function that remembers its results, or a method."""

    __slots__ = ()

    def _higher(self, args, kwargs, recorder):
        function = self.function
        if type(function) is MethodType:
            function, args = function.__func__, (function.__self__, *args)
        if recorder.state(CachedResults).is_own(function):
            return function(*args, **kwargs)
        if recorder.depends_on_run or holds_staged((args, kwargs), VARIABLES_TOO, objects=False):
            return self._run(function, args, kwargs, recorder)
        known = recorder.state(CachedResults)
        one = known.of(function, args, kwargs)
        if recorder.state(RecordedEffects).happen and not one.is_held():
            return self._run(function, args, kwargs, recorder)
        one.asked += 1
        made = recorder.state(MadeCalls).once(function, lambda: _called(one, recorder))
        if one not in known.found:
            one.result = made
            known.found.append(one)
            self._keep(one, known, recorder)
        return one.result

    def _run(self, function, args, kwargs, recorder):
        """Lets each run call the function."""
        _refuse_staged_reads(function, args, recorder)
        return Gate(function, function, self.nature).in_each_run(args, kwargs)

    def _keep(self, one, known, recorder):
        """Makes the result one that the guard looks into, if code can change it."""
        if is_constant(one.result):
            return
        if not known.is_repeatable or recorder.state(OutsideAnswers).fleeting:
            recorder.state(OutsideAnswers).fleeting.append(one.shown())
            return
        known.is_repeated = True
        raise staging_error(
            f"{one.shown()} has a result that graphs take as an input",
            "The function is recorded again for that.",
            "",
            NotStageableError,
        )


def is_constant(value: Any) -> bool:
    """Whether no code can change a value."""
    return all(map(is_constant, value)) if type(value) is tuple else is_value(value)


def _called(one: CachedResult, recorder: Any) -> Any:
    """The result of a call as Python makes it: arrays are plain, and no graph is recorded."""
    if one.is_held():
        with trace.suspended(), staging(PYTHON):
            return one.function(*one.args, **one.kwargs)
    _refuse_written_arrays(one, recorder)
    with trace.suspended(), staging(PYTHON):
        result = one.function(*one.args, **one.kwargs)
    if holds_staged(result):
        one.function.cache_clear()  # no other graph must find it
        raise _computes_staged(one.function)
    return result


def _refuse_staged_reads(function: Any, args: tuple, recorder: Any) -> None:
    """Raises `StagingError` if the function can read what the recorded code has changed before: the
    places hold staged values, and the outside the values from before the run."""
    inputs = {id(tensor): value for tensor, value in recorder.state(ArrayInputs).of_graph.values()}
    roots = (function, *(value for value in args if not isinstance(value, Tensor)))
    for held in HeapSnapshot(roots=roots).held():
        if isinstance(held, Tensor) and held._value is not inputs.get(id(held)):
            raise _computes_staged(function)


def _refuse_written_arrays(one: CachedResult, recorder: Any) -> None:
    """Raises `StagingError` if the function reads an array into which the run writes before."""
    inputs = recorder.state(ArrayInputs).of_graph.values()
    written = {id(tensor) for tensor, value in inputs if tensor._value is not value}
    if written:
        heap = HeapSnapshot(roots=(one.function, one.args))
        if any(id(held) in written for held in heap.held()):
            raise _computes_staged(one.function)


def _computes_staged(function: Any) -> BaseException:
    name = described(function.__wrapped__)
    return staging_error(
        f"{name} remembers its results, and one of them is computed from staged values",
        "The cache would keep a value that only this run of the graph has.",
        f"Call the function without its cache: {name}.__wrapped__(...), or pass it plain values.",
        NotStageableError,
    )
