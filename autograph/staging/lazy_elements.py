"""The elements of a generator expression, taken one by one as long as nothing staged decides.

    sum(f(x) for x in xs if x > 0)      total = sum(elements.known())
                                        rest = elements.rest(...)    None if there is none

A function like `sum` takes the `known()` elements as it takes those of any iterator.  When a
condition or an iterable is staged, the iterator ends, and `rest` evaluates the remaining elements
in a loop that the backend stages.  Neither evaluates anything that the other has evaluated.
"""

from collections.abc import Callable, Generator, Iterator
from typing import Any

from autograph.backend import backend_of
from autograph.functions.frames import as_user
from autograph.staging.errors import asked_for


class MetStaged(BaseException):
    """A staged value decides about the elements of a generator."""


class Path:
    """The iterators that a generator is in, and the conditions that it has evaluated.

    `is_known` tells whether Python knows a value.  `unrolls`: staged iterables with a known number
    of elements are taken one by one.
    """

    def __init__(self, is_known: Callable[[Any], bool], unrolls: bool) -> None:
        self.is_known = is_known
        self.unrolls = unrolls
        self.steps: list[Any] = []
        self._first: Started | None = None

    # -- in the generator --------------------------------------------------------------------------

    def each(self, iterable: Any) -> Iterator:
        """An iterator over an iterable whose number of elements is known."""
        first, self._first = self._first, None
        return Loop(self, self._started(iterable) if first is None else first)

    def first(self, iterable: Any) -> Any:
        """The argument for the generator: the iterator over the first iterable, or the iterable if
        it is staged."""
        self._first = self._started(iterable)
        found = self._first
        return found.iterable if found.iterator is None else found.iterator

    def _started(self, iterable):
        if not self.is_known(iterable):
            iterable = backend_of(iterable).elements(iterable) if self.unrolls else iterable
            if not self.is_known(iterable):
                return Started(iterable, None)
        return Started(iterable, as_user(iter, iterable)(iterable))

    def certain(self, test: Any) -> bool:
        """The truth of a condition that is not staged."""
        holds = as_user(bool, self.known(test))(test)
        if holds:
            self.steps.append(True)
        return holds

    def known(self, value: Any) -> Any:
        """The value, if it is not staged."""
        if not self.is_known(value):
            self.steps.append(value)
            raise MetStaged
        return value

    # -- in the loop -------------------------------------------------------------------------------

    def step(self) -> Any:
        """The values that the generator has evaluated, in its order."""
        found = self.steps.pop(0)
        return found.remaining() if isinstance(found, Loop) else found


class Started:
    """An iterable and its iterator."""

    def __init__(self, iterable: Any, iterator: Iterator | None):
        self.iterable, self.iterator = iterable, iterator


class Loop:
    """The iterator of a loop of the generator, which remembers the current element."""

    def __init__(self, path: Path, started: Started):
        self.path, self.depth = path, len(path.steps)
        self.current: list[Any] = []
        if started.iterator is None:
            path.steps.append(started.iterable)
            raise MetStaged
        self.iterator = started.iterator

    def __iter__(self) -> Iterator:
        return self

    def __next__(self) -> Any:
        del self.path.steps[self.depth :]
        self.current.clear()
        self.current.append(next(self.iterator))
        self.path.steps.append(self)
        return self.current[0]

    @property
    def source(self) -> Iterator:
        """The iterator that the elements are taken from."""
        return self.iterator

    def remaining(self) -> Iterator:
        """The current element and those after it."""
        return _remaining(self.current.pop(), self.iterator)


def _remaining(element, iterator):
    """An element, and those that an iterator has left.  The generator holds the iterator itself, so
    that callers which search it for other iterators find that one."""
    yield element
    element = None
    while True:
        try:
            element = next(iterator)
        except StopIteration:
            return
        yield element
        element = None


class LazyElements:
    """The elements of a generator expression.

    `rest` is the function of the loop over those that staged values decide about.
    """

    def __init__(
        self, generator: Generator, rest: Callable | None = None, path: Path | None = None
    ):
        self._generator, self._rest = generator, rest
        self._path = path
        self.has_rest = False

    @classmethod
    def of(cls, functions: Callable, iterable: Any, path: Path) -> "LazyElements":
        """The elements that `functions(path)` yield: the generator's function and the loop's."""
        first = path.first(iterable)
        lazy, rest = functions(path)
        return cls(lazy(first), rest, path)

    @property
    def source(self) -> Iterator:
        """The generator that yields the elements."""
        return self._generator

    def __iter__(self) -> Iterator:
        return self

    def __next__(self) -> Any:
        try:
            return next(self._generator)
        except MetStaged:
            self.has_rest = True
        raise asked_for("which elements a generator expression has is staged")

    def known(self) -> Iterator:
        """The elements up to the first that a staged value decides about."""
        try:
            while True:
                try:
                    element = next(self._generator)
                except StopIteration:
                    return
                yield element
                element = None
        except MetStaged:
            self.has_rest = True
        finally:
            self._generator.close()
            if not self.has_rest:
                self._end()

    def _end(self):
        self._generator.close()
        self._generator = (one for one in ())  # and whatever it holds
        if self._path is not None:
            self._path.steps.clear()

    def first(self) -> tuple:
        """The first element, in a tuple that is empty if a staged value decides about it, or if
        there is none.  No other element is taken: as in Python, nothing holds the generator."""
        found: tuple = ()
        try:
            found = (next(self._generator),)
        except StopIteration:
            pass
        except MetStaged:
            self.has_rest = True
            return ()
        self._end()
        return found

    def rest(self, result: Any = None) -> Any:
        """The result of the loop over the remaining elements; None if there are none.

        It appends them (for `next`, the first of them) to the list `result`, or returns whether any
        or all of them are true.
        """
        if not self.has_rest or self._rest is None:
            return None
        return self._rest(None) if result is None else self._rest(None, result)
