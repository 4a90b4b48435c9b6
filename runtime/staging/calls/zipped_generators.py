"""`zip` of a generator that calls its consumer, and of iterables whose elements have positions.

    for v, i in zip(gen(x), range(n)):      the generator's elements come one by one; `i` is read
        body                                by the position, where there is one

Python takes elements from the left to the right, so the generator does not go on if an iterable
before it has ended; those after it come when the generator has its next element.
"""

import functools
from collections.abc import Callable
from typing import Any

from autograph.constructs.item import indexed
from autograph.functions.calls import converted_call
from runtime.staging.calls.generator_functions import endless_elements, is_endless
from runtime.staging.calls.iteration import StagedCombined, places
from runtime.staging.calls.staged_range import StagedRange
from runtime.staging.calls.zipped_elements import zip_elements
from runtime.staging.calls.zipped_parts import ByPosition, Zipped, ZippedGenerators
from runtime.staging.generators import each_of, is_consumable, may_consume
from runtime.staging.lists.trace_list import TraceList
from runtime.tracing import trace
from runtime.tracing.tensor import Tensor

BY_POSITION = (Tensor, StagedRange, StagedCombined, range)
SEQUENCES = (TraceList, list, tuple, str)


_start = may_consume(zip_elements)


def takes_generator(known: Callable) -> Callable:
    """A decorator of the replacement of `zip`, one of whose arguments may be a generator."""

    @functools.wraps(known)
    def call(*parts: Any, **options: Any) -> Any:
        if options or not any(map(is_consumable, parts)):
            return known(*parts, **options)
        parts = tuple(map(each_of, parts))
        places = [i for i, one in enumerate(parts) if is_consumable(one) and not is_endless(one)]
        others = [one for i, one in enumerate(parts) if i not in places]
        if len(places) != 1 or not all(map(_has_positions, others)):
            return known(*parts)
        place, found = places[0], [_by_position(one) for one in parts]
        made = trace.current().state(ZippedGenerators)
        made.append(Zipped(found[:place], parts[place], found[place + 1 :]))  # type: ignore[arg-type]
        return _start(len(made) - 1)

    return call


def _has_positions(iterable: Any) -> bool:
    return isinstance(iterable, (*SEQUENCES, *BY_POSITION)) or is_endless(iterable)


def _by_position(iterable: Any) -> ByPosition | None:
    """The elements of an iterable by their positions; None if they have none."""
    if isinstance(iterable, SEQUENCES):
        return ByPosition(
            lambda position: indexed(iterable)[position],
            lambda position: position < converted_call(len)(iterable),
        )
    if isinstance(iterable, BY_POSITION):
        return ByPosition(*places(iterable))
    element_at = endless_elements(iterable)
    return None if element_at is None else ByPosition(element_at, lambda position: True)
