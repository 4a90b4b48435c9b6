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
from runtime.errors import IterationError, staging_error
from runtime.ir.op import find
from runtime.ir.types import TensorType
from runtime.staging.calls.run_errors import check
from runtime.staging.calls.staged_range import StagedRange
from runtime.staging.control_flow.try_blocks import inside
from runtime.staging.lists.elements import holds_lists, type_of_element
from runtime.staging.lists.trace_list import TraceList, is_staged_list
from runtime.staging.outside_iterators import (
    has_ended,
    is_in_inner_block,
    note_combination,
    note_ended,
    refuse_outside_iterator,
)
from runtime.staging.truth import truth
from runtime.tracing import trace
from runtime.tracing.axis_errors import not_iterable
from runtime.tracing.maybe import MaybeNone
from runtime.tracing.strings import StagedString
from runtime.tracing.tensor import Tensor, apply


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

    holders: tuple = ()  # the containers whose elements it has, besides those of its parts
    skipped = 0  # how many elements `next` has taken

    def __init__(self, combine, *parts):
        super().__init__(combine, *parts)
        note_combination(self)

    def __iter__(self):
        return iter(self.taken())

    def taken(self) -> list:
        """All its elements, which are taken from it."""
        if has_ended(self):
            return []
        refuse_outside_iterator(self)
        known = [_elements(part) for part in self.parts]
        note_ended(self)
        found = itertools.starmap(self.combine, zip(*known, strict=False))
        return list(found)[self.skipped :]

    def __next__(self):
        if number_of_rows(self) is not None:
            return take(self)
        raise staging_error(
            "code that is not converted takes elements from a staged iterator",
            "How many there are is known only at run time; a graph takes its elements in a loop.",
            "Make it a list: items = list(iterator); then items[0].",
            IterationError,
        )


def take(iterator: StagedCombined, *default: Any) -> Any:
    """The next element of an iterator, or the default; raises StopIteration in the run if it has
    none."""
    if is_in_inner_block(iterator):
        raise staging_error(
            "an element is taken from a staged iterator by next(), in a staged branch or loop",
            "How many elements it has left would depend on the run.",
            "Make it a list, items = list(iterator), and count: items[i]; i += 1.",
            IterationError,
        )
    element_at, is_inside = places(iterator)
    iterator.skipped += 1

    def element():
        return element_at(0)

    has_one = is_inside(0)
    if default:
        return if_expr(has_one, element, lambda: default[0])
    if isinstance(has_one, Tensor):
        attributes = {"error": StopIteration, "arguments": ()}
        trace.current().record(find("assert_"), (has_one._value,), attributes)
    elif not has_one:
        raise StopIteration
    return element()


class StagedIterator(StagedCombined):
    """An iterator of the elements of one staged iterable, such as `reversed(x)`."""

    def __init__(self, items):
        super().__init__(_same, items)


def _same(element):
    return element


def _elements(part):
    if isinstance(part, StagedCombined):
        return part.taken()
    return known_elements(part)


class StrictZip(StagedCombined):
    """`zip(..., strict=True)`: where one iterable ends, all must end."""

    def is_inside(self, position: Any, conditions: list[Callable]) -> Any:
        """Whether all parts have an element; raises ValueError if only some have."""
        first, *others = conditions
        found = truth(first(position))
        for count, condition in enumerate(others, start=1):
            one, those = (
                truth(condition(position)),
                "argument 1" if count == 1 else f"arguments 1-{count}",
            )
            for holds, kind in ((one >= found, "shorter"), (one <= found, "longer")):
                check(holds, ValueError, f"zip() argument {count + 1} is {kind} than {those}")
        return found


def iterables_in(iterable: Any) -> tuple:
    """The iterables that a combination consists of, and the functions that combine them."""
    if not isinstance(iterable, StagedCombined):
        return (iterable,)
    parts = (one for part in iterable.parts for one in iterables_in(part))
    return (iterable.combine, *iterable.holders, *parts)


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
        return len(kinds) == 1 and None not in kinds and not any(map(holds_lists, kinds))
    return type(value) is range or is_staged_iterable(value)


def known_elements(iterable: Any) -> Any:
    """The elements of a staged iterable if their number is known, else the iterable itself."""
    if isinstance(iterable, Tensor) and is_staged_iterable(iterable):
        return tuple(iterable) if isinstance(iterable.type.shape[0], int) else iterable
    if isinstance(iterable, StagedCombined) and (has_ended(iterable) or has_known_length(iterable)):
        return tuple(iterable.taken())
    return iterable


def has_known_length(iterable: Any) -> bool:
    """Whether the number of elements is known, as far as a staged iterable is concerned."""
    if isinstance(iterable, StagedCombined):
        return all(map(has_known_length, iterable.parts))
    if isinstance(iterable, Tensor) and is_staged_iterable(iterable):
        return isinstance(iterable.type.shape[0], int)
    return not is_staged_iterable(iterable)


def number_of_rows(iterable: Any) -> int | None:
    """How many iterations a staged loop over arrays makes, if that is known."""
    if isinstance(iterable, Tensor) and is_staged_iterable(iterable):
        size = iterable.type.shape[0]
        return size if isinstance(size, int) else None
    if isinstance(iterable, range):
        return len(iterable)
    if isinstance(iterable, (list, tuple)) and not is_staged_list(iterable):
        return len(iterable)
    if isinstance(iterable, StagedCombined) and not isinstance(iterable, StrictZip):
        found = list(map(number_of_rows, iterable.parts))
        if None in found or has_ended(iterable):
            return None
        return max(0, min(found, default=0) - iterable.skipped)
    return None


def positions(iterable) -> IterationIndex:
    """The positions of a staged iterable, from the first.

    Raises `TypeError` or `StagingError` for values that a staged loop cannot iterate over.
    """
    if isinstance(iterable, MaybeNone):
        iterable = iterable.__checked__(iter)
    if isinstance(iterable, StagedCombined) and iterable.skipped:
        return IterationIndex(0, 1, *places(iterable))
    if isinstance(iterable, StagedIterator):
        iterable = iterable.parts[0]
    if isinstance(iterable, StagedRange) and not isinstance(iterable.step, Tensor):
        stop, step = iterable.stop, iterable.step
        is_inside = (lambda i: i < stop) if step > 0 else (lambda i: i > stop)
        return IterationIndex(iterable.start, step, lambda i: i, is_inside)
    return IterationIndex(0, 1, *places(iterable))


def places(iterable) -> tuple[Callable, Callable]:
    """The element at a position, and whether there is one, as functions of the position."""
    if isinstance(iterable, (StagedRange, range)):
        start, stop, step = iterable.start, iterable.stop, iterable.step
        if isinstance(step, Tensor):
            length = iterable.length()
            return lambda i: start + i * step, lambda i: i < length
        is_inside = (lambda i: start + i * step < stop) if step > 0 else None
        return lambda i: start + i * step, is_inside or (lambda i: start + i * step > stop)
    if isinstance(iterable, StagedCombined):
        found = [places(part) for part in iterable.parts]
        has_more = [is_inside for _, is_inside in found]
        is_at_end, first = has_ended(iterable), iterable.skipped
        return (
            lambda i: iterable.element(first + i, [element_at for element_at, _ in found]),
            lambda i: False if is_at_end else iterable.is_inside(first + i, has_more),
        )
    if isinstance(iterable, (list, tuple)):
        items = iterable if isinstance(iterable, TraceList) else TraceList(iterable)
        return lambda i: _item(items, i), lambda i: i < items.length()
    if isinstance(iterable, Tensor) and is_staged_iterable(iterable):
        size = iterable.type.shape[0]
        length = size if isinstance(size, int) else apply(find("size"), iterable, axis=0)
        return lambda i: _item(iterable, i), lambda i: i < length
    if isinstance(iterable, StagedString):
        iter(iterable)  # which is refused
    kind = getattr(iterable, "type", None)
    raise TypeError("iteration over a 0-d array") if kind is None else not_iterable(kind)


def _item(items, position):
    """An element of an array or list, at a position that exists."""
    with inside():
        return items[position]
