"""Generators of the user's whose elements are consumed while they run.

    def gen(x):                      for y in gen(x):         sum(gen(x)), list(gen(x))
        for v in x:                      body
            if v > 0:
                yield v * 2

Python suspends a generator at its `yield`, which no graph can do in a staged branch or loop.  If a
function that uses generators cannot be recorded otherwise, it is recorded again, and a generator
then calls the code that consumes its elements (`autograph/constructs/yield_.py`).

This is Python's order as long as one loop takes the elements.  A generator that is resumed after a
loop that may have been left, or inside of a loop that takes its elements, is refused.
"""

import functools
import itertools
import weakref
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from types import FunctionType, GeneratorType
from typing import Any

from autograph.backend import State
from autograph.constructs.for_ import for_stmt
from autograph.conversion.consumed_generators import consumed_form, has_value
from autograph.conversion.converter import is_excluded, to_graph
from autograph.conversion.generator_cleanup import cleans_up
from autograph.functions.calls import converted_call
from autograph.functions.policy import is_users_class, is_users_function
from autograph.staging.dunder_methods import original_method
from runtime.errors import IterationError, staging_error
from runtime.staging.lists.python_classes import method_of_list
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.tracing import trace

MOST_SUSPENDED = 40  # elements that Python takes in the first recording
DEEPEST = 50  # calls of one generator function inside of each other
ENDLESS = (itertools.count, itertools.cycle, itertools.repeat)
FRESH, PYTHONS, TAKEN, ENDED = "fresh", "Python's", "taken", "ended"


@dataclass(eq=False)
class Started:
    """A call of a generator function, and how far its generator is."""

    function: FunctionType
    args: tuple
    kwargs: dict
    stage: str = FRESH

    def has_form(self, may_end: bool) -> bool:
        """Whether the generator can call a consumer of its elements."""
        return self.form(print, may_end) is not None

    def form(self, consume: Callable[[Any], Any], may_end: bool) -> Callable | None:
        """A function that calls `consume` with each element; None if that is impossible."""
        return consumed_form(self.function, consume, may_end)

    @property
    def name(self) -> str:
        """The name of the generator."""
        return self.function.__name__

    @property
    def title(self) -> str:
        """The generator in messages."""
        return f"the generator of {self.name}"

    @property
    def has_value(self) -> bool:
        """Whether the generator may end with a value."""
        return has_value(self.function)

    def cleans_up(self, line: int) -> bool:
        """Whether closing the generator runs code, if it is suspended in a line."""
        return cleans_up(self.function, line)

    def known_as(self, made: Generator) -> Generator:
        """The generator that Python makes, in the first recording."""
        generators = trace.current().state(Generators)
        generators.are_made = True
        generators.known[made] = self
        return made

    def watched(self, made: Generator) -> Generator:
        """A generator for code that Python runs; the elements of which a consumer may take."""
        known = trace.current().state(Generators).known
        watched = _watched(made, self)
        watched.__name__, watched.__qualname__ = made.__name__, made.__qualname__
        known[watched] = known[made] = self
        return watched

    def run(self, consume: Callable[[Any], Any], may_end: bool = False) -> Any:
        """Calls `consume` with each element; with `may_end` until it returns true.

        Returns the value that the generator function returns.
        """
        running = trace.current().state(Generators).running
        if [one.function.__code__ for one in running].count(self.function.__code__) >= DEEPEST:
            raise _too_deep(self.name)
        form = self.form(consume, may_end)
        assert form is not None
        self.stage = TAKEN
        running.append(self)
        try:
            value = form(*self.args, **self.kwargs)
        finally:
            running.pop()
        if not may_end:
            self.stage = ENDED
        return value


@dataclass
class Generators:
    """The generators of one recording."""

    are_consumed: bool = False  # whether they call the code that consumes their elements
    are_made: bool = False  # whether the code has made one
    known: weakref.WeakKeyDictionary = field(default_factory=weakref.WeakKeyDictionary)
    running: list[Started] = field(default_factory=list)


def starting(function: FunctionType, converted: Callable) -> Callable:
    """The replacement of a generator function: it makes generators that can be consumed."""
    if function not in _own and (not is_users_function(function) or is_excluded(function)):
        return converted

    def start(*args, **kwargs):
        made = converted(*args, **kwargs)
        started = Started(function, args, kwargs)
        generators = trace.current().state(Generators)
        generators.are_made = True
        if not started.has_form(False):
            return made
        return started.watched(made) if generators.are_consumed else started.known_as(made)

    return start


_own: set[FunctionType] = set()


def may_consume(function: Any) -> Callable:
    """Registers a generator function of this package; returns its replacement."""
    _own.add(function)
    return starting(function, function)


def _watched(made: Generator, started: Started) -> Generator:
    """A generator, for code that Python runs; it ends if its elements have been consumed."""
    if started.stage == ENDED:
        return None
    if started.stage == TAKEN:
        raise _resumed(started.title)
    started.stage = PYTHONS
    return (yield from made)


def _limited(made: Iterator, title: str) -> Generator:
    """An iterator of which Python takes some elements: a loop over it might have no end, if only a
    run knows where."""
    for _ in range(MOST_SUSPENDED):
        try:
            element = next(made)
        except StopIteration as end:
            return end.value
        yield element
        element = None
    raise _resumed(title)


def is_generator(iterable: Any) -> bool:
    """Whether an iterable is a generator of Python."""
    return type(iterable) is GeneratorType


def limited(iterable: Any) -> Any:
    """An iterator without end, in the first recording, as one that ends with an error."""
    recorder = trace.current()
    if recorder is None or recorder.state(Generators).are_consumed:
        return iterable
    found = recorder.state(Generators).known.get(iterable) if is_generator(iterable) else None
    if type(iterable) not in ENDLESS and (found is None or not found.has_form(True)):
        return iterable
    title = f"the generator of {type(iterable).__name__}" if found is None else found.title
    return _limited(iterable, title)


def started_of(iterable: Any, may_end: bool = False) -> Started | None:
    """The call that has made a generator that can be consumed, and has not begun; else None."""
    if not is_generator(iterable):
        return None
    recorder = trace.current()
    if recorder is None or not recorder.state(Generators).are_consumed:
        return None
    found = recorder.state(Generators).known.get(iterable)
    if found is None or found.stage != FRESH or not found.has_form(may_end):
        return None
    return found


def is_consumable(iterable: Any) -> bool:
    """Whether an iterable is a generator that can be consumed."""
    return started_of(iterable) is not None


@functools.cache
def in_python(function: Callable) -> Callable:
    """A function of this package that takes elements of a generator in a loop, converted."""
    return to_graph(function)


# Iterables that run no code of the user, and are no containers.
PLAIN_ITERATORS = frozenset(
    map(type, ({}.keys(), {}.values(), {}.items(), iter([]), iter(()), iter({}.values())))
)


def opened(items: Any) -> Any:
    """The iterator that an object of the user's class makes of itself, by its `__iter__`; other
    values themselves."""
    kind = type(items)
    method = original_method(kind, "__iter__") if is_users_class(kind) else None
    is_own = type(method) is FunctionType and is_users_function(method)
    if not is_own or is_excluded(method) or trace.current() is None:
        return items
    found = converted_call(method)(items)
    if not hasattr(type(found), "__next__"):
        return iter(items)  # which raises
    return found if hasattr(type(found), "__iter__") else WithIter(found)


class WithIter:
    """An iterator without `__iter__`, which Python's loops accept only from an `__iter__`."""

    def __init__(self, iterator: Any):
        self._iterator = iterator

    def __iter__(self) -> "WithIter":
        return self

    def __next__(self) -> Any:
        return next(self._iterator)


EACH: dict[type, Callable[[Any], Any]] = {}  # how a loop takes the elements of other iterables
UNORDERED: dict[type, Callable[[Any], TraceList]] = {}  # of which the order may not matter
AS_LISTS: dict[type, Callable[[Any], TraceList]] = {}  # of iterables that other modules define


def each_of(items: Any) -> Any:
    """An iterable for a loop, which reads the elements one by one."""
    items = opened(items)
    return EACH[type(items)](items) if type(items) in EACH else items


def in_any_order(items: Any) -> Any:
    """An iterable for a function whose result does not depend on the order of the elements."""
    if isinstance(items, MaybeNoneObject):
        items = items.__checked__(iter)
    return UNORDERED[type(items)](items) if type(items) in UNORDERED else items


def consumed_list(items: Any) -> Any:
    """The elements of a generator that can be consumed as a list, of a staged dict or set, of a
    view of a dict, or of an iterator of a container; other values themselves."""
    items = opened(items)
    if type(items) in PLAIN_ITERATORS:
        return list(items)
    if type(items) in AS_LISTS:
        return AS_LISTS[type(items)](items)
    started = started_of(items)
    if started is None:
        return items
    made = TraceList()
    started.run(made.append)
    return made


_extend = TraceList.extend


def _extended(items: TraceList, added: Any) -> None:
    """Adds elements at the end."""
    _extend(items, consumed_list(added))


TraceList.extend = method_of_list("extend", _extended)  # type: ignore[method-assign]


def consumed_by_loop(
    iterable: Any, body: Callable, test: Callable | None, state: State, negated: Callable
) -> bool:
    """Runs a loop over a generator that can be consumed; returns False if it is none.  An iterator
    without end is refused in the first recording if the loop does not end by itself."""
    given, iterable = iterable, opened(iterable)
    started = started_of(iterable, test is not None)
    if started is None and iterable is not given:
        for_stmt(iterable, body, state.get_state, state.set_state, state.names, test)
    elif started is None:
        rest = iterable if test is None else limited(iterable)
        if rest is iterable:
            return False
        for_stmt(rest, body, state.get_state, state.set_state, state.names, test)
    elif test is None:
        started.run(body)
    else:
        started.run(lambda element: (body(element), negated(test()))[1], may_end=True)
    return True


def run_all(iterable: Any, consume: Callable) -> Any:
    """Calls `consume` with each element of an iterable; returns the value of a generator."""
    iterable = opened(iterable)
    started = started_of(iterable)
    if started is not None:
        return started.run(consume)
    elements = iter(iterable)
    while True:
        try:
            element = next(elements)
        except StopIteration as end:
            return end.value
        consume(element)


def _resumed(title):
    return staging_error(
        f"{title} is resumed in another place than a loop that takes its elements",
        "A condition around its `yield` is staged, so the loop's body is recorded in place of "
        "the `yield`; a graph cannot go on from there later.",
        "Make another generator, or take all elements in one loop.",
        IterationError,
    )


def _too_deep(name):
    return staging_error(
        f"the generator function {name} calls itself again and again",
        "A condition around its `yield` is staged, so each call is inlined; their number is known "
        "only at run time.",
        "Collect the elements in a list that a recursive function appends to.",
        IterationError,
    )
