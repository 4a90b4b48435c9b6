"""Results that a run cannot make again: they work with staged values, or only recording made them.

return (x for x in xs)            a generator over staged values
return queue.Queue()              each call of the function would make its own
"""

import functools
import gc
from collections.abc import Iterator
from types import CodeType, FrameType, FunctionType, GeneratorType, ModuleType
from typing import Any

import numpy as np

from autograph.errors import with_article
from autograph.staging.iterator_state import is_iterator
from runtime.errors import ResultError, staging_error
from runtime.staging.calls.made_objects import MadeObjects
from runtime.staging.calls.recorded_effects import MadeWhileRecording
from runtime.staging.staged_values import holds_staged
from runtime.tracing.signature import is_value
from runtime.tracing.tensor import Tensor
from runtime.tracing.trace import Trace

STREAMS_OF_NUMBERS = (np.random.Generator, np.random.RandomState, np.random.BitGenerator)
NOT_SEARCHED = (CodeType, FrameType, ModuleType, type)
MOST = 200  # objects that are looked at


def refuse_result(value: Any, recorder: Trace) -> None:
    """Raises `StagingError` for a result or stored value that no run can make again."""
    is_own = type(value).__module__.startswith("runtime.")  # such as a tape, which refuses its use
    if is_own or is_value(value) or isinstance(value, NOT_SEARCHED):
        return
    if isinstance(value, (GeneratorType, map, filter, zip, enumerate)) or _works_with_staged(value):
        raise staging_error(
            f"the function returns {with_article(type(value).__name__)} that works with staged "
            "values",
            "They have no values after the graph is built.",
            "Return its results: a list, an array, or numbers.",
            ResultError,
        )
    if recorder.state(MadeObjects).is_made(value):
        recorder.state(MadeObjects).need_own(value, "is returned or stored")
    is_made = id(value) in recorder.state(MadeWhileRecording)
    if is_made or is_iterator(value) or isinstance(value, STREAMS_OF_NUMBERS):
        raise staging_error(
            f"the function returns {with_article(type(value).__name__)} that it has made",
            "Each call would make its own; the graph has only one, which all calls would share.",
            "Create it outside of the function, or return the values that it is made from.",
            ResultError,
        )


def _works_with_staged(value: Any) -> bool:
    """Whether an object of another package, or a function, leads to a staged value."""
    pending, seen = [value], set()
    while pending and len(seen) < MOST:
        one = pending.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        if holds_staged(one):
            return True
        pending += _held(one)
    return False


def _held(value: Any) -> Iterator[Any]:
    match value:
        case FunctionType():
            for cell in value.__closure__ or ():
                yield from gc.get_referents(cell)
        case functools.partial():
            yield from (*value.args, *value.keywords.values())
        case Tensor():
            return
        case _ if not isinstance(value, NOT_SEARCHED) and not is_value(value):
            yield from (one for one in gc.get_referents(value) if not isinstance(one, NOT_SEARCHED))
