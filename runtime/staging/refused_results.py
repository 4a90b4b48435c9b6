"""Results that a run cannot make again: they work with staged values, or only recording made them.

return (x for x in xs)            a generator over staged values
return queue.Queue()              each call of the function would make its own
"""

from collections.abc import Container
from enum import Enum
from types import CodeType, GeneratorType
from typing import Any

import numpy as np

from autograph.errors import SourceLocation, with_article
from autograph.functions.policy import is_users_class, is_users_file
from autograph.staging.iterables import Combined
from autograph.staging.iterator_state import is_iterator
from runtime.errors import ResultError, staging_error
from runtime.staging.calls.made_objects import MadeObjects
from runtime.staging.calls.package_objects import is_library_object
from runtime.staging.calls.recorded_effects import MadeWhileRecording
from runtime.staging.containers import StagedView
from runtime.staging.generators import Generators
from runtime.staging.reached_objects import NOT_SEARCHED, reached_objects
from runtime.staging.staged_values import is_staged_itself
from runtime.tracing.numpy_api.flat import Flat
from runtime.tracing.signature import is_value
from runtime.tracing.trace import Trace

STREAMS_OF_NUMBERS = (np.random.Generator, np.random.RandomState, np.random.BitGenerator)
OF_THE_RUN = (Combined, StagedView, Flat)  # `zip(x, y)`, `d.keys()`, `x.flat`


def refuse_result(value: Any, recorder: Trace) -> None:
    """Raises `StagingError` for a result or stored value that no run can make again."""
    if isinstance(value, OF_THE_RUN):
        raise staging_error(
            "the function returns or stores an iterator or a view of staged values",
            "Its elements have no values after the graph is built.",
            "Return or store a list of its elements: list(...).",
            ResultError,
            where=_definition(value, recorder),
        )
    is_own = type(value).__module__.startswith("runtime.")  # such as a tape, which refuses its use
    is_plain = is_value(value) and not isinstance(value, slice)
    if is_own or is_plain or isinstance(value, NOT_SEARCHED):
        return
    if isinstance(value, (GeneratorType, map, filter, zip, enumerate)) or leads_to_staged(value):
        raise staging_error(
            f"the function returns or stores {with_article(type(value).__name__)} that works with "
            "staged values",
            "They have no values after the graph is built.",
            "Return or store its results: a list, an array, or numbers.",
            ResultError,
            where=_definition(value, recorder),
        )
    if recorder.state(MadeObjects).is_made(value):
        recorder.state(MadeObjects).need_own(value, "is returned or stored")
    recorder.state(MadeObjects).note_used(value, "is returned or stored", _is_changeable(value))
    is_made = id(value) in recorder.state(MadeWhileRecording)
    if is_made or is_iterator(value) or isinstance(value, STREAMS_OF_NUMBERS):
        raise staging_error(
            f"the function returns or stores {with_article(type(value).__name__)} that it has made",
            "Each call would make its own; the graph has only one, which all calls would share.",
            "Create it outside of the function, or return the values that it is made from.",
            ResultError,
            where=_definition(value, recorder),
        )


def _is_changeable(value: Any) -> bool:
    """Whether code can assign attributes of an object that runs do not make."""
    if isinstance(value, (BaseException, Enum)):
        return False
    return is_users_class(type(value)) and hasattr(value, "__dict__") or is_library_object(value)


def _definition(value, recorder):
    """The first line of the user's generator or function that a value is; that of the traced
    function for other values."""
    code, name = getattr(value, "__code__", None), None
    if isinstance(value, GeneratorType):
        started = recorder.state(Generators).known.get(value)
        code = value.gi_code if started is None else started.function.__code__
        name = None if started is None else started.name
    if isinstance(code, CodeType) and is_users_file(code.co_filename):
        return SourceLocation(code.co_filename, code.co_firstlineno, name or code.co_name)
    found = recorder.definition
    return found and SourceLocation(found.filename, found.lineno, found.function)


def leads_to_staged(value: Any, outside: Container[Any] = ()) -> bool:
    """Whether an object of another package, or a function, leads to a staged value.

    `outside` are the objects that were there before; they are not searched.
    """
    return any(map(is_staged_itself, reached_objects(value, outside)))
