"""The iterables of staged loops.

for i in range(n)         a position from start to stop
for row in x              the rows of an array
for item in z             the elements of a staged list, which the loop may extend
for i, v in enumerate(x)  enumerate, zip and map of these, also with lists and ranges
"""

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from autograph.constructs.ternary import if_expr
from autograph.staging import iterables
from autograph.staging.mutations import MutableLocation
from runtime.errors import IterationError, asked_for, staging_error
from runtime.ir.op import find
from runtime.ir.types import INT, TensorType
from runtime.staging.lists.elements import type_of_element
from runtime.staging.lists.trace_list import TraceList, is_staged_list
from runtime.tracing.axis_errors import not_an_integer, not_iterable
from runtime.tracing.conversion import cast
from runtime.tracing.maybe import MaybeNone
from runtime.tracing.strings import StagedString
from runtime.tracing.tensor import Tensor, apply


class StagedRange:
    """`range(...)` with a staged bound."""

    def __init__(self, *bounds):
        start, stop, step = {1: (0, *bounds, 1), 2: (*bounds, 1), 3: bounds}[len(bounds)]
        self.start, self.stop, self.step = (_integer(bound) for bound in (start, stop, step))
        if isinstance(self.step, Tensor):
            raise staging_error(
                "the step of a range is staged",
                "Whether the range counts up or down must be known while the graph is being built.",
                "Use a Python int as the step.",
                IterationError,
            )
        if self.step == 0:
            raise ValueError("range() arg 3 must not be zero")

    def reversed(self) -> "StagedRange":
        """The same numbers from the last to the first."""
        count = -((self.start - self.stop) // self.step)
        count = if_expr(count > 0, lambda: count, lambda: 0)
        return StagedRange(self.start + (count - 1) * self.step, self.start - self.step, -self.step)

    def __iter__(self):
        raise asked_for("the bounds of a range are known only at run time")


def _integer(bound):
    """A bound of a range, as a Python int."""
    if not isinstance(bound, Tensor):
        return bound.__index__()
    if bound.type.ndim != 0 or bound.dtype.kind not in "iub":
        raise not_an_integer(bound.type)
    return cast(bound, INT)


@dataclass
class IterationIndex:
    """The position of a staged loop: `current` advances by `step` while `more` holds."""

    current: Any
    step: int
    element_at: Callable[[Any], Any]
    is_inside: Callable[[Any], Any]
    places: list[MutableLocation] = field(init=False)

    def __post_init__(self):
        place = MutableLocation(("position",), "i", self.current, self.put, lambda: self.current)
        self.places = [place]

    def put(self, value):
        """Sets the position."""
        self.current = value

    def element(self):
        """The element for the next iteration."""
        return self.element_at(self.current)

    def advance(self):
        """Goes to the next element."""
        self.current = self.current + self.step

    def more(self):
        """Whether there is a next element."""
        return self.is_inside(self.current)


class StagedCombined(iterables.Combined):
    """`zip`, `map` or `enumerate` of iterables, at least one of which is staged."""


def is_staged_iterable(value: Any) -> bool:
    """Whether a loop over a value is a staged loop."""
    if isinstance(value, Tensor):
        return isinstance(value.type, TensorType) and value.type.ndim > 0
    return isinstance(value, (StagedRange, StagedCombined)) or is_staged_list(value)


def can_be_indexed(value: Any) -> bool:
    """Whether a staged index selects an element: of a staged iterable, a range, or a list or tuple
    whose elements have one type."""
    if isinstance(value, (list, tuple)) and not is_staged_list(value):
        kinds = set(map(type_of_element, list(value)))
        return len(kinds) == 1 and None not in kinds
    return type(value) is range or is_staged_iterable(value)


def known_elements(iterable: Any) -> Any:
    """The elements of a staged iterable if their number is known, else the iterable itself."""
    if isinstance(iterable, Tensor) and is_staged_iterable(iterable):
        return tuple(iterable) if isinstance(iterable.type.shape[0], int) else iterable
    if isinstance(iterable, StagedCombined):
        parts = [known_elements(part) for part in iterable.parts]
        if not any(map(is_staged_iterable, parts)):
            return tuple(itertools.starmap(iterable.combine, zip(*parts, strict=False)))
    return iterable


def positions(iterable) -> IterationIndex:
    """The positions of a staged iterable, from the first.

    Raises `TypeError` or `StagingError` for values that a staged loop cannot iterate over.
    """
    if isinstance(iterable, MaybeNone):
        iterable = iterable.checked(iter)
    if isinstance(iterable, StagedRange):
        stop, step = iterable.stop, iterable.step
        is_inside = (lambda i: i < stop) if step > 0 else (lambda i: i > stop)
        return IterationIndex(iterable.start, step, lambda i: i, is_inside)
    return IterationIndex(0, 1, *_places(iterable))


def _places(iterable) -> tuple[Callable, Callable]:
    """The element at a position, and whether there is one, as functions of the position."""
    if isinstance(iterable, (StagedRange, range)):
        start, stop, step = iterable.start, iterable.stop, iterable.step
        is_inside = (lambda i: start + i * step < stop) if step > 0 else None
        return lambda i: start + i * step, is_inside or (lambda i: start + i * step > stop)
    if isinstance(iterable, StagedCombined):
        places = [_places(part) for part in iterable.parts]
        return (
            lambda i: iterable.element(i, [element_at for element_at, _ in places]),
            lambda i: iterable.is_inside(i, [is_inside for _, is_inside in places]),
        )
    if isinstance(iterable, (list, tuple)):
        items = iterable if isinstance(iterable, TraceList) else TraceList(iterable)
        return lambda i: items[i], lambda i: i < items.length()
    if isinstance(iterable, Tensor) and is_staged_iterable(iterable):
        size = iterable.type.shape[0]
        length = size if isinstance(size, int) else apply(find("size"), iterable, axis=0)
        return lambda i: iterable[i], lambda i: i < length
    if isinstance(iterable, StagedString):
        iter(iterable)  # which is refused
    kind = getattr(iterable, "type", None)
    raise TypeError("iteration over a 0-d array") if kind is None else not_iterable(kind)
