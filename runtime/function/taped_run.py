"""Functions that use a `GradientTape` and run eagerly: their arrays record operations.

    with rt.config.temporarily(run_functions_eagerly=True):
        f(x)                         tape.gradient(y, x) in f is that of the graph

In a graph a tape knows all arrays.  A NumPy array records nothing, so while such a function runs,
values that are computed at once, and recorded, stand in for the arrays among its arguments and for
those that it reads.  Afterwards every place holds arrays again, with what was written into them.
"""

import inspect
from collections.abc import Callable, Iterator
from types import FunctionType, MethodType
from typing import Any

import numpy as np

from autograph.functions.policy import is_users_function
from runtime.function.guards.captured_arrays import Substitution, is_array
from runtime.function.guards.environment import collect_guards
from runtime.function.guards.records import Names
from runtime.ir.pytree import transform
from runtime.staging.side_effects import without_eager_values
from runtime.tracing import trace
from runtime.tracing.bytecode_reads import reads_of
from runtime.tracing.eager_trace import EagerTrace
from runtime.tracing.eager_values import unwrap_all
from runtime.tracing.parameters import Parameters
from runtime.tracing.recording_lock import RECORDING
from runtime.tracing.stand_ins import StandIn

TAPE = "GradientTape"
MOST = 1000  # functions that are looked into


def uses_tape(function: Callable, bound: tuple) -> bool:
    """Whether a function names the tape, or names another user function that does."""
    owners = [value for value in bound if not is_array(value)]
    pending, seen = [function], set()
    while pending and len(seen) < MOST:
        found = pending.pop()
        found = inspect.getattr_static(found, "python_function", found)  # runs no user code
        if type(found) is MethodType:
            owners.append(found.__self__)
            found = found.__func__
        if type(found) is FunctionType and id(found) not in seen and is_users_function(found):
            seen.add(id(found))
            reads = reads_of(found.__code__)
            names = reads.globals | reads.attributes
            if TAPE in names:
                return True
            pending += _named(found, names, owners)
    return False


def _named(function, names, owners) -> Iterator[Any]:
    """The meanings of names in a function: variables, and methods of some objects."""
    variables = function.__globals__
    yield from (variables[name] for name in names if name in variables)
    for cell in function.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:
            continue  # it is unbound
    for kind in {type(owner) for owner in owners}:
        yield from (inspect.getattr_static(kind, name, None) for name in names)


def run_eagerly(function: Any, parameters: Parameters, bound: tuple) -> Any:
    """The result of the Python function of an `rt.function`."""
    python_function = function.python_function
    if not uses_tape(python_function, bound):
        return parameters.call(python_function, bound)
    return RECORDING.exclusively(function, lambda: run_taped(python_function, parameters, bound))


def run_taped(function: Callable, parameters: Parameters, bound: tuple) -> Any:
    """The result of a function all of whose arrays record operations."""
    recorder = EagerTrace(getattr(function, "__name__", "function"))
    handles: dict[int, tuple[Any, StandIn]] = {}

    def handle(value):
        if not is_array(value):
            return value
        made = StandIn(recorder.constant(value.copy()), recorder, value)
        return handles.setdefault(id(value), (value, made))[1]

    containers = enumerate(value for value in bound if not is_array(value))
    objects = {f"_a{i}": ("an argument", value) for i, value in containers}
    captured = collect_guards(function, objects, Names()).arrays
    given = tuple(transform(handle, v) if type(v) is tuple else handle(v) for v in bound)
    tensors = {id(one.array): handle(one.array) for one in captured}
    with (
        without_eager_values(function, bound),
        Substitution(captured, tensors),
        trace.recording(recorder),
    ):
        found = unwrap_all(parameters.call(function, given))
    for array, made in handles.values():
        if isinstance(array, np.ndarray) and made._at is not made._origin:
            np.copyto(array, recorder.graph.value_of(made._value))
    return _identical(found, handles)


def _identical(found, handles):
    """A result with the caller's arrays in place of equal values that were recorded for them."""
    known = {id(made.eager_value()): array for array, made in handles.values()}
    return transform(lambda leaf: known.get(id(leaf), leaf), found) if known else found
