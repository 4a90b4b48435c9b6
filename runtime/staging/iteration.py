"""What staged loops run over.

for i in range(n)         a position from start to stop
for row in x              the rows of an array
for item in z             the elements of a staged list, which may grow meanwhile
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from autograph.constructs.ternary import if_expr
from runtime.errors import staging_error
from runtime.op import find
from runtime.staging.lists import TraceList
from runtime.staging.places import Place
from runtime.tensor import Tensor, apply, cast
from runtime.types import INT


class StagedRange:
    """`range(...)` of which a bound is staged."""

    def __init__(self, *bounds):
        start, stop, step = {1: (0, *bounds, 1), 2: (*bounds, 1), 3: bounds}[len(bounds)]
        self.start, self.stop, self.step = (_integer(bound) for bound in (start, stop, step))
        if isinstance(self.step, Tensor):
            raise staging_error(
                "the step of a range is staged",
                "Whether the range counts up or down must be known while the graph is recorded.",
                "Make the step a number of Python's.",
            )
        if self.step == 0:
            raise ValueError("range() arg 3 must not be zero")

    def reversed(self) -> "StagedRange":
        """The same numbers from the last to the first."""
        count = -((self.start - self.stop) // self.step)
        count = if_expr(count > 0, lambda: count, lambda: 0)
        return StagedRange(self.start + (count - 1) * self.step, self.start - self.step, -self.step)


def _integer(bound):
    """A bound of a range, as a number of Python's."""
    if not isinstance(bound, Tensor):
        return bound.__index__()
    if bound.type.ndim != 0 or bound.dtype.kind not in "iub":
        raise TypeError(f"{bound.type} cannot be interpreted as an integer")
    return cast(bound, INT)


@dataclass
class Position:
    """Where a staged loop is: `current` counts by `step` until `more` says that it is over."""

    current: Any
    step: int
    element_at: Callable[[Any], Any]
    is_inside: Callable[[Any], Any]
    place: Place = field(init=False)

    def __post_init__(self):
        self.place = Place(("position",), "i", self.current, self.put, lambda: self.current)

    def put(self, value):
        """Sets the position."""
        self.current = value

    def element(self):
        """The element that the next turn takes."""
        return self.element_at(self.current)

    def advance(self):
        """Goes to the next element."""
        self.current = self.current + self.step

    def more(self):
        """Whether there is a next element."""
        return self.is_inside(self.current)


def positions(iterable) -> Position:
    """The positions of a staged iterable, from the first.

    Raises `StagingError` for what a staged loop cannot run over.
    """
    if isinstance(iterable, StagedRange):
        stop, step = iterable.stop, iterable.step
        is_inside = (lambda i: i < stop) if step > 0 else (lambda i: i > stop)
        return Position(iterable.start, step, lambda i: i, is_inside)
    if isinstance(iterable, TraceList):
        return Position(0, 1, lambda i: iterable[i], lambda i: i < iterable.length())
    if isinstance(iterable, Tensor) and iterable.type.ndim > 0:
        size = iterable.type.shape[0]
        length = size if isinstance(size, int) else apply(find("size"), iterable, axis=0)
        return Position(0, 1, lambda i: iterable[i], lambda i: i < length)
    raise TypeError(f"{iterable!r} is not iterable")
