"""Deques that the user's code creates while it is traced, if a staged branch or loop changes one.

    q = collections.deque(maxlen=3)
    for i in range(n):               q becomes a staged list of the graph, with a greatest length
        q.append(x[i])

In the first recording of a function its deques are Python's.  If that fails, they are lists with
the methods of deques in the second one.
"""

import functools
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from autograph.constructs.ternary import if_expr
from autograph.staging.lazy_elements import LazyElements
from runtime.errors import ContainerError, staging_error
from runtime.staging.calls.iterables import collected
from runtime.staging.calls.refused_arguments import called
from runtime.staging.calls.registry import answers
from runtime.staging.calls.run_errors import check
from runtime.staging.generators import Generators, consumed_list
from runtime.staging.lists.python_classes import named_as
from runtime.staging.lists.trace_list import TraceList, is_staged_list
from runtime.tracing import trace


@named_as(deque)
class TraceDeque(TraceList):
    """A deque that is created while tracing."""

    __slots__ = ("maxlen", "changes")

    def __init__(self, iterable: Any = (), maxlen: int | None = None):
        super().__init__()
        self.maxlen = maxlen
        self.changes = 0  # how often elements were added, removed or moved
        self.extend(iterable)

    @property  # type: ignore[misc]
    def __class__(self):
        return deque

    def _replace(self, items: TraceList) -> None:
        self.put(items.contents())

    def as_list(self) -> TraceList:
        """The same elements, as a list."""
        return TraceList.copy(self)

    def plain_example(self) -> deque:
        """A deque of Python."""
        return deque()

    def text_around(self) -> tuple[str, str]:
        """The texts around that of the list."""
        return "deque(", ")" if self.maxlen is None else f", maxlen={self.maxlen})"

    def __repr__(self) -> str:
        before, after = self.text_around()
        return f"{before}{super().__repr__()}{after}"

    def append(self, item: Any) -> None:
        """Adds an element at the end; one at the start is dropped if there is no room."""
        super().append(item)
        self._drop(slice(-(self.maxlen or 0), None))

    def appendleft(self, item: Any) -> None:
        """Adds an element at the start; one at the end is dropped if there is no room."""
        super().insert(0, item)
        self._drop(slice(0, self.maxlen))

    def _drop(self, kept: slice) -> None:
        if self.maxlen is None:
            return
        if self.maxlen == 0:
            self.clear()
        elif is_staged_list(self) or list.__len__(self) > self.maxlen:
            self._replace(self.as_list()[kept])

    def extend(self, items: Any) -> None:
        """Adds elements at the end."""
        super().extend(self.as_list() if items is self else consumed_list(items))
        self._drop(slice(-(self.maxlen or 0), None))

    def extendleft(self, items: Any) -> None:
        """Adds elements at the start, one after the other."""
        added = TraceList()
        added.extend(self.as_list() if items is self else consumed_list(items))
        added.reverse()
        self._replace(added + self.as_list())
        self._drop(slice(0, self.maxlen))

    def pop(self) -> Any:  # type: ignore[override]
        """Removes and returns the last element."""
        check(self.length() > 0, IndexError, "pop from an empty deque")
        return super().pop()

    def popleft(self) -> Any:
        """Removes and returns the first element."""
        check(self.length() > 0, IndexError, "pop from an empty deque")
        return super().pop(0)

    def insert(self, index: Any, item: Any) -> None:
        """Inserts an element before another."""
        if self.maxlen is not None:
            check(self.length() < self.maxlen, IndexError, "deque already at its maximum size")
        super().insert(index, item)

    def rotate(self, n: Any = 1) -> None:
        """Moves elements from the end to the start."""
        length = self.length()
        items, place = self.as_list(), -n % if_expr(length > 0, lambda: length, lambda: 1)
        self._replace(items[place:] + items[:place])

    def copy(self) -> "TraceDeque":
        """Another deque of the same elements."""
        made = TraceDeque(maxlen=self.maxlen)
        made._replace(self.as_list())
        made.element = self.element
        return made

    __copy__ = copy

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            raise TypeError("sequence index must be integer, not 'slice'")
        return super().__getitem__(index)

    def __add__(self, others: Any) -> Any:
        if not isinstance(others, TraceDeque):
            return NotImplemented
        made = self.copy()
        made.extend(others.as_list())
        return made

    __radd__ = None  # type: ignore[assignment]

    def __mul__(self, times: Any) -> "TraceDeque":
        made = TraceDeque(maxlen=self.maxlen)
        made.extend(self.as_list() * times)
        return made

    __rmul__ = __mul__

    def __imul__(self, times: Any) -> "TraceDeque":
        self._replace((self * times).as_list())
        return self

    def __eq__(self, others: Any) -> Any:
        if not isinstance(others, TraceDeque):
            return NotImplemented
        return self.as_list() == others.as_list()

    __hash__ = None  # type: ignore[assignment]

    def sort(self, **_: Any) -> None:
        """Deques cannot be sorted."""
        raise AttributeError("'collections.deque' object has no attribute 'sort'")


CHANGING = "append appendleft extend extendleft pop popleft insert rotate clear remove reverse"


def _counted(method):
    @functools.wraps(method)
    def change(self, *args, **options):
        self.changes += 1
        return method(self, *args, **options)

    return change


for _name in (*CHANGING.split(), "__delitem__", "__iadd__", "__imul__"):
    setattr(TraceDeque, _name, _counted(getattr(TraceDeque, _name)))


@contextmanager
def unchanged(iterable: Any) -> Iterator[None]:
    """Refuses a loop that changes the deque over which it runs: Python raises RuntimeError in the
    next iteration, if there is one."""
    before = iterable.changes if isinstance(iterable, TraceDeque) else 0
    yield
    if isinstance(iterable, TraceDeque) and iterable.changes != before:
        raise staging_error(
            "a deque is changed by a loop over its elements",
            "Python raises RuntimeError if the loop goes on after that.",
            "Loop over a copy: `for item in list(items):`.",
            ContainerError,
        )


@answers(deque)
def staged_deque(*args: Any, **options: Any) -> Any:
    """A deque that may become staged, in the second recording of a function."""
    generators = trace.current().state(Generators)
    generators.are_made = True
    maxlen = options.get("maxlen", args[1] if len(args) > 1 else None)
    has_length = maxlen is None or type(maxlen) is int and maxlen >= 0
    if not (generators.are_consumed and has_length):
        return called(deque, deque, args, options)  # which may raise
    if args and isinstance(args[0], LazyElements):
        args = (collected(args[0]), *args[1:])
    return TraceDeque(*args, **options)
