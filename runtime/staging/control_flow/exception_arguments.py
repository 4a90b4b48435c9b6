"""The arguments of exceptions that a run raises.

raise ValueError("too large", x)      ->      raise_(x, error=ValueError,
                                                     arguments=("too large", Slot(0)))
"""

from types import FunctionType
from typing import Any

from autograph.errors import with_article
from autograph.staging.object_state import attributes
from runtime.errors import ResultError, staging_error
from runtime.ir.slot import Slot
from runtime.staging.lists.forms import refuse_forms
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.staging.reached_values import reaches_staged
from runtime.staging.staged_values import shows_staged
from runtime.tracing.tensor import Tensor


def constructor_arguments(error: BaseException) -> tuple[tuple[Any, ...], dict[str, Any]]:
    """The arguments and attributes to create an exception like this one."""
    held = attributes(error)
    if isinstance(type(error).__reduce__, FunctionType):
        return error.args, held
    _, given, *state = error.__reduce__()  # without the values of slots
    return given, {**held, **(state[0] if state else {})}


def with_slots(values: tuple, operands: list) -> tuple:
    """The arguments of an exception with slots for staged values, which are added to `operands`.

    Raises `StagingError` for a list, dict or object with a staged value inside: Python would show
    it as it is when the exception is caught.
    """

    def slotted(value):
        if type(value) is TraceList and value.value is not None:
            value = value.value
            refuse_forms(value.type, "an argument of an exception")
        may_be_none = isinstance(value, MaybeNoneObject) and type(value.__present__) is tuple
        if isinstance(value, Tensor) or may_be_none:
            operands.append(value)
            return Slot(len(operands) - 1)
        if type(value) is tuple:
            return tuple(map(slotted, value))
        if carries_staged(value):
            raise staging_error(
                f"{with_article(_plain_name(value))} with staged values inside is an argument of "
                "an exception",
                "Graphs can store scalars, arrays, strings, and tuples of them until it is raised.",
                "Pass a tuple, or an f-string.",
                ResultError,
            )
        return value

    return tuple(map(slotted, values))


def carries_staged(value: Any) -> bool:
    """Whether an argument of an exception is staged, or has staged values inside."""
    return shows_staged(value) or reaches_staged(value, objects=True)


def _plain_name(value):
    return value.__class__.__name__ if type(value) is not TraceList else "list"
