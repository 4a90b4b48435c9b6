"""Operators, subscripts and functions of NumPy with an object of a package beside staged values.

    column * x, column[x > 1], x + column       each run applies the operator
    np.add(column, x), x[mask]
    table["w"] = x                              each run changes the object

The operators of the object come first in Python, and its package would look into the staged
values: while a graph is recorded, the class of the object has methods that find such calls
(`asked_objects.py`).  Those of staged values know the class by `tracing/foreign_operands.py`.
"""

import operator
from collections.abc import Callable
from typing import Any

from runtime.errors import unsupported
from runtime.ir.pytree import flatten
from runtime.ir.slot import Slot
from runtime.ir.types import OBJECT, Type
from runtime.staging.calls.asked_objects import STAGED_OPERANDS, AskedObjects
from runtime.staging.calls.foreign_statements import is_foreign
from runtime.staging.calls.host_calls import record_host_call
from runtime.staging.calls.host_values import HostValue, asked
from runtime.staging.calls.library_calls import LibraryCall, record_library_call
from runtime.staging.calls.library_gate import is_pure_reading
from runtime.staging.calls.made_objects import MadeObjects
from runtime.staging.calls.package_functions import is_of_values
from runtime.staging.calls.package_objects import is_package_object, note_part
from runtime.staging.calls.recorded_effects import RecordedEffects
from runtime.staging.calls.shared_memory import OF_STATEMENTS
from runtime.staging.staged_values import VARIABLES_TOO, holds_staged
from runtime.tracing import trace
from runtime.tracing.foreign_operands import RECORDERS
from runtime.tracing.tensor import Tensor


class PackageOperators:
    """Records calls with objects of packages."""

    def is_foreign(self, value: Any) -> bool:
        return not isinstance(value, Tensor) and is_package_object(value)

    def record(self, function: Callable, args: tuple, kwargs: dict) -> Any:
        recorder = trace.current()
        if recorder is None or recorder.is_eager:
            return function(*args, **kwargs)
        if kwargs.get("out") is not None:
            raise unsupported(
                f"np.{function.__name__}(out=) with an operand of another package",
                "Assign the result: y[:] = np.asarray(result).",
            )
        if not kwargs and any(isinstance(one, HostValue) for one in args):
            return asked(function, *args)
        if is_pure_reading(function, args) and not recorder.state(RecordedEffects).change(args):
            return record_library_call(function, args, kwargs)
        call = LibraryCall(function, args, kwargs)
        return call.record((OBJECT,), Slot(0), is_pure=False, trusted=False)

    def record_as(self, kind: Type, function: Callable, args: tuple) -> Any:
        call = LibraryCall(function, args, {}, is_pure=True)
        return call.record((kind,), Slot(0), is_pure=True, trusted=True)

    def change(self, function: Callable, operands: tuple) -> Any:
        """Records an operator that changes its first operand, an object of a package."""
        recorder, owner = trace.current(), operands[0]
        recorder.state(MadeObjects).need_own(owner, "is changed by each run")
        recorder.state(RecordedEffects).add(function, recorder.state(MadeObjects).root_of(owner))
        is_statement = any(function is one for one in OF_STATEMENTS)
        return record_host_call(function, operands, {}, () if is_statement else (OBJECT,))

    def is_of_run(self, values: Any) -> bool:
        """Whether operands of an operator of such an object are only known in a run."""
        return any(map(_is_of_run, flatten(values)[0]))


def _is_of_run(value: Any) -> bool:
    if isinstance(value, slice):
        return any(map(_is_of_run, (value.start, value.stop, value.step)))
    return holds_staged(value, VARIABLES_TOO)


OPERATORS = PackageOperators()
RECORDERS.append(OPERATORS)
STAGED_OPERANDS.append(OPERATORS)


# -- subscripts -----------------------------------------------------------------------------------


def is_recording() -> bool:
    """Whether a graph is being recorded."""
    recorder = trace.current()
    return recorder is not None and not recorder.is_eager


def item_of_package(container: Any, key: Any) -> Any:
    """`container[key]` of an object of a package."""
    recorder = trace.current()
    changes = recorder.state(RecordedEffects)
    is_read_by_run = is_foreign(container, "__getitem__") and not is_of_values(type(container))
    if is_read_by_run or changes.change((container,)):
        return asked(operator.getitem, container, key)
    if OPERATORS.is_of_run(key) or recorder.state(MadeObjects).is_in_runs():
        return OPERATORS.record(operator.getitem, (container, key), {})
    found = container[key]
    note_part(container, found)
    recorder.state(AskedObjects).watch(found)
    recorder.state(MadeObjects).note_part(container, found)
    return found


def change_package(function: Callable, container: Any, *operands: Any) -> None:
    """A statement that changes an object of a package: now, or in each run."""
    recorder = trace.current()
    is_in_runs = recorder.depends_on_run or OPERATORS.is_of_run(operands)
    is_in_runs = is_in_runs or recorder.state(MadeObjects).is_handed(container)
    if is_in_runs or recorder.state(RecordedEffects).change((container, *operands)):
        OPERATORS.change(function, (container, *operands))
    else:
        function(container, *operands)
