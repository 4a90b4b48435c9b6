"""Calls of `functools.singledispatch` functions and methods, by the classes that a run has.

    @singledispatch
    def area(shape): ...

    area(x)         the function that is registered for np.float64, if `x` is a scalar of a run
    area(found)     a branch for each kind, if `found` has one of several

`functools` itself would see the classes of the library.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from autograph.constructs.ternary import if_expr
from autograph.functions.calls import converted_call
from runtime.ir.types import UnionType
from runtime.ops.host import itself
from runtime.staging.calls.builtins import staged_type_of
from runtime.staging.calls.outside_answers import OutsideAnswers
from runtime.staging.calls.union_uses import each_type
from runtime.staging.chosen import Chosen
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.tracing import trace
from runtime.tracing.dispatchers import FUNCTION, is_dispatcher
from runtime.tracing.maybe import MaybeNone
from runtime.tracing.tensor import Tensor


def dispatched_call(function: Any) -> Callable | None:
    """The call of a function that dispatches by the class of an argument; None for others."""
    if not is_dispatcher(function):
        return None
    if function.__code__ is FUNCTION:
        return partial(_call, function, function.dispatch, itself)
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    held = {name: cell.cell_contents for name, cell in cells}
    dispatch = held["dispatch"] if "dispatch" in held else held["self"].dispatcher.dispatch
    return partial(_call, function, dispatch, partial(_bound, held["obj"], held["cls"]))


def _bound(owner: Any, kind: type | None, found: Any) -> Any:
    return found.__get__(owner, kind)


def _call(function, dispatch, bound, /, *args, **kwargs):
    """The result of the function that is registered for the class of the first argument."""
    if not args:
        return function(*args, **kwargs)  # which raises
    value, *others = args

    def for_one(one):
        return _call(function, dispatch, bound, one, *others, **kwargs)

    if isinstance(value, Chosen):
        return value.each(for_one)
    if isinstance(value, (MaybeNone, MaybeNoneObject)):
        present = value.__unchecked__()
        return if_expr(value.__is_none__, lambda: for_one(None), lambda: for_one(present))
    if isinstance(value, Tensor) and isinstance(value.type, UnionType):
        return each_type(value, for_one)
    kind = staged_type_of(value)
    found = trace.current().state(OutsideAnswers).ask(dispatch, (kind,), {})
    return converted_call(bound(found))(*args, **kwargs)
