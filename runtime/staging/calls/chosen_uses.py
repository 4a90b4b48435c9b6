"""Uses of one of several known objects: a branch for each of them (`staging/chosen.py`).

f(x)           sin(x) if f is np.sin else cos(x)
d[state]       d[State.A] if state is State.A else d[State.B]
"""

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from autograph.backend import State
from autograph.constructs.for_ import for_stmt
from autograph.functions.calls import converted_call
from runtime.errors import ResultError, staging_error
from runtime.ir.pytree import flatten
from runtime.ir.types import is_array
from runtime.staging.calls import gate
from runtime.staging.calls.refused_arguments import called
from runtime.staging.calls.unpacking import assigned, count_of_targets
from runtime.staging.chosen import Chosen, ChosenMethod, on_each, takes_objects_apart
from runtime.staging.control_flow.cond import stage_if
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.loop_trials import ErrorsOfOptions
from runtime.tracing import trace
from runtime.tracing.tensor import Tensor

NO_STATE = State((), None, None)
METHODS_OF_ARRAYS = "runtime.tracing.numpy_api."
gate.FILES.add(__file__)


def each(chosen: Chosen, use: Callable[[Any], Any], *given: Any, state: State = NO_STATE) -> Any:
    """The result of `use` for the object that a variable has in a run.

    `given` are further objects that `use` may change.
    """
    for number in range(len(chosen.options) - 1):
        chosen.is_option(number)
    return Cases(chosen, use, given, state).used(0)


@dataclass
class Cases:
    """The uses of the objects that a variable may have.

    It is not a function, since the variables of functions that blocks call would be those of the
    blocks.
    """

    chosen: Chosen
    use: Callable[[Any], Any]
    given: tuple
    state: State

    def used(self, number: int) -> Any:
        """The result of a use of the object with a number, or of one after it."""
        option, others = self.chosen.options[number], self.chosen.options[number + 1 :]
        if not others:
            return self.use(option)
        is_it = self.chosen.is_option(number)
        blocks = Case(self.use, option), Case(self.used, number + 1)
        return stage_if(is_it, *blocks, self.state, (option, *others, *self.given))


@dataclass
class Case:
    """A block of a branch: the use of one object."""

    use: Callable[[Any], Any]
    given: Any

    def __call__(self) -> Any:
        try:
            return self.use(self.given)
        except Exception as error:
            trace.current().state(ErrorsOfOptions).append(error)
            raise


def call(chosen: Chosen, /, *args: Any, **options: Any) -> Any:
    """The result of a call of one of several functions."""
    return each(chosen, lambda one: converted_call(one)(*args, **options), args, options)


def call_method(method: ChosenMethod, /, *args: Any, **options: Any) -> Any:
    """The result of a call of a method of one of several objects."""

    def use(one):
        return converted_call(getattr(one, method.name))(*args, **options)

    return each(method.owner, use, args, options)


def on_each_part(function: Callable, /, *args: Any, **options: Any) -> Any:
    """A call of a function of NumPy, which also looks into lists and tuples among its arguments:
    if there is one of several objects, a call for each of them."""
    given = (args, tuple(options.values()))
    chosen = _first_inside(given)
    if chosen is None:
        return function(*args, **options)

    results: list = []

    def use(one):
        positional, named = _with_option(given, chosen, one)
        found = on_each_part(function, *positional, **dict(zip(options, named, strict=True)))
        results.append(found)
        return found

    found = each(chosen, use, args, options)
    if all(isinstance(one, (type, np.dtype)) for one in chosen.options):
        _check_dtypes(results)
    return found


def _check_dtypes(results: list) -> None:
    """Refuses a call whose results are arrays of several dtypes, one for each dtype it may get:
    after it, they would be arrays of the widest."""
    for place in zip(*(flatten(one)[0] for one in results), strict=False):
        arrays = [one for one in place if isinstance(one, Tensor) and is_array(one.type)]
        dtypes = dict.fromkeys(str(one.type.dtype) for one in arrays)
        if len(dtypes) > 1:
            raise staging_error(
                f"the dtype of an array is one of {', '.join(dtypes)}",
                "Which of them it is, is known only at run time, and an array of a graph has one.",
                "Make the array of one dtype, or return the arrays of both branches.",
                ResultError,
            )


def call_of_each(function: Callable, found: Callable) -> Callable:
    """The callable for a call of a function, of which `found` is the replacement: if an argument is
    one of several objects, it calls the function for each of them.

    An argument of a function of NumPy may be the first choice of the recording, so the arguments
    are examined when the call happens.
    """
    if not (is_numpys(function) or module_of(found).startswith(METHODS_OF_ARRAYS)):
        return partial(on_each, found) if takes_objects_apart(function) else found
    if takes_objects_apart(function):
        return partial(on_each_part, found)

    def call(*args, **options):
        use = partial(on_each_part, found) if takes_objects_apart(function) else found
        return called(function, use, args, options)

    return call


def is_numpys(function: Any) -> bool:
    """Whether a callable is a function of NumPy."""
    return isinstance(function, np.ufunc) or module_of(function).partition(".")[0] == "numpy"


def module_of(function: Any) -> str:
    """The name of the module of a callable, as far as it says it."""
    name = getattr(function, "__module__", None)
    return name if isinstance(name, str) else ""


def _first_inside(value: Any) -> Chosen | None:
    """The first of several objects in a value, or in its lists and tuples."""
    if type(value) is Chosen:
        return value
    items = list.__iter__(value) if type(value) in LISTS else value if _is_tuple(value) else ()
    return next((one for one in map(_first_inside, items) if one is not None), None)


def _with_option(value: Any, chosen: Chosen, one: Any) -> Any:
    """A value with an option in place of one of several objects, wherever it is inside."""
    if value is chosen:
        return one
    if type(value) in LISTS:
        return TraceList([_with_option(item, chosen, one) for item in list.__iter__(value)])
    return tuple(_with_option(x, chosen, one) for x in value) if _is_tuple(value) else value


def _is_tuple(value: Any) -> bool:
    return type(value) is tuple


LISTS = (list, TraceList)


def for_each_option(chosen: Chosen, body: Callable, test: Callable | None, state: State) -> None:
    """Records a `for` over one of several iterables: a loop for each of them."""

    def use(one):
        for_stmt(one, body, state.get_state, state.set_state, state.names, test)

    each(chosen, use, body, test, state=state)


def _elements(chosen: Chosen) -> Any:
    """The elements, for as many variables as take them."""
    count = count_of_targets(sys._getframe(1))
    if count is not None:
        return iter(each(chosen, assigned(count)))
    raise staging_error(
        "one of several objects is used as an iterable by code that is not converted",
        "Which of them it is, and how many elements it has, is known only at run time.",
        "Write the loop in both branches.",
        ResultError,
    )


Chosen.each = each
Chosen.__iter__ = _elements  # type: ignore[attr-defined]
ChosenMethod.__call__ = call_method  # type: ignore[attr-defined]
Chosen.__call__ = call  # type: ignore[attr-defined]
