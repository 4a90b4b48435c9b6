"""Arguments that may be None, in calls of functions that are not converted.

found = None
if x[0] > 2:
    found = [v for v in x if v > 1]
sum(found)              a check, which raises Python's TypeError for None, and the sum of a list
if found is not None:
    list(found)         no check: the test of the branch says that it is a list
"""

import functools
from collections.abc import Callable
from typing import Any

from runtime.staging.maybe_object import MaybeNoneObject, OptionalObjects
from runtime.tracing import trace
from runtime.tracing.known_truth import known_truth
from runtime.tracing.tensor import staged

ITERATING = (sum, list, tuple, set, sorted, reversed, enumerate, iter)  # their first argument
ITERATING_ALL = (zip, map, filter)


def taking_optional(function: Any, found: Any) -> Any:
    """The callable for calls of a function, which takes arguments that may be None."""
    recorder = trace.current()
    if recorder is None or not (recorder.state(OptionalObjects).are_made or _iterates(function)):
        return found
    return functools.partial(with_present, function, found)


def _iterates(function: Any) -> bool:
    """Whether a function takes the elements of an argument, so that it refuses None."""
    if isinstance(getattr(function, "__self__", None), list):
        return function.__name__ == "extend"
    return any(function is one for one in (*ITERATING, *ITERATING_ALL))


def with_present(function: Any, found: Callable, /, *args: Any, **kwargs: Any) -> Any:
    """A call of `found`, which is called in place of a function."""
    if not any(type(one) is MaybeNoneObject for one in (*args, *kwargs.values())):
        return found(*args, **kwargs)
    given = [_present(function, one, i) for i, one in enumerate(args)]
    return found(*given, **{name: _present(function, one) for name, one in kwargs.items()})


def _present(function: Any, one: Any, place: int | None = None) -> Any:
    """An argument, without its flag if a run never has None there, or raises an exception then."""
    if type(one) is not MaybeNoneObject:
        return one
    if known_truth(staged(one.__is_none__)._value) is False:
        return one.__present__
    if place == 0 and function in ITERATING:
        return one.__checked__(function)
    if place is not None and function in ITERATING_ALL:
        before = ((abs,) if function is not zip else ()) + ((),) * place
        return one.__checked__(lambda none: function(*before[:place], none))
    owner = getattr(function, "__self__", None)
    if isinstance(owner, list) and function.__name__ == "extend":
        return one.__checked__(lambda none: [].extend(none))
    return one
