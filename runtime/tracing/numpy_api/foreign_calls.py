"""Calls of functions that graphs call unchanged: a template of the arguments, with slots for
operands.

    np.percentile(x, [25, s])       percentile(x, s, given=(_0, (25, _1)), named=())

If the function returns its operand or a view of it, the recorded result is that alias, too.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from runtime.errors import OutsideWriteError, UnsupportedError, staging_error, unsupported
from runtime.ir.op import Op, find
from runtime.ir.pytree import unflatten
from runtime.ir.slot import Slot
from runtime.ir.traits import Aliasing
from runtime.ir.types import is_array
from runtime.ops.library import results_of
from runtime.ops.sampling import NoResult
from runtime.ops.updates import AFTER, into_results
from runtime.tracing import trace
from runtime.tracing.aliases import view
from runtime.tracing.array_like import read
from runtime.tracing.conversion import staged_type
from runtime.tracing.numpy_api.registry import unsupported_function
from runtime.tracing.one_type import with_one_type
from runtime.tracing.tensor import Tensor, record_op, staged
from runtime.tracing.union_branches import first_of_branches

KINDS = (np.generic, bool, int, float, complex)


def template(name: str, args: tuple, kwargs: dict) -> tuple[list, tuple, tuple]:
    """The operands among the arguments of a call, and the arguments with slots in their place."""
    operands: list[Any] = []

    def part(value):
        value = read(value)
        match value:
            case Tensor() | np.ndarray() | np.generic():
                operands.append(value)
                return Slot(len(operands) - 1)
            case list() | tuple():
                return tuple(map(part, value))
            case slice():
                return slice(part(value.start), part(value.stop), part(value.step))
            case type() if issubclass(value, KINDS):
                return np.dtype(value)
            case None | bool() | int() | float() | complex() | str() | np.dtype():
                return value
        if value is Ellipsis:
            return value
        if value is np._NoValue:
            raise unsupported(f"{name} with a parameter left out")
        raise unsupported(f"{name} of {type(value).__name__} objects")

    given = tuple(map(part, args))
    named = tuple((key, part(value)) for key, value in kwargs.items())
    return operands, given, named


def record_call(op: Op, args: tuple, kwargs: dict) -> Any:
    """Records a call; returns its result, with the structure that the function returns."""
    kwargs = {name: value for name, value in kwargs.items() if value is not np._NoValue}
    operands, given, named = template(op.name, args, kwargs)
    return _recorded(op, operands, {"given": given, "named": named})


def _recorded(op: Op, operands: list, attributes: dict) -> Any:
    """Records a call; a branch for each type of a scalar of which only the run knows the type, if
    the results are scalars of several types."""
    place = first_of_branches(trace.current(), op, operands, attributes)
    if place is not None:
        before, after = operands[:place], operands[place + 1 :]
        return operands[place].each_type(
            lambda one: _recorded(op, [*before, one, *after], attributes)
        )
    operands = with_one_type(op, operands, attributes)
    try:
        found = record_op(op, tuple(operands), attributes)
        results = results_of(op, tuple(map(_type_in_graph, operands)), **attributes)
    except NoResult as error:
        raise _no_result(op.name, error) from None
    leaves = [
        _result(op, one, operands, results.same[i], results.shared[i], attributes)
        for i, one in enumerate(found)
    ]
    return unflatten(results.structure, leaves)


def _result(op, found, operands, same, shared, attributes):
    if op.traits.aliases is Aliasing.VIEW_OR_COPY:
        shared = 0  # the examples need not be in the order that makes it a view
    elif same is not None:
        return staged(operands[same])
    if shared is None or not isinstance(operands[shared], Tensor):
        return Tensor(*found)
    if not op.shares or shared != 0:
        raise unsupported(f"{op.name}, if it returns a view")
    return view(found, op, operands[0], tuple(operands[1:]), attributes)


def _type_in_graph(operand):
    """The type of an operand in a graph; a 0-d array that is not staged counts as a scalar."""
    return operand.type if isinstance(operand, Tensor) else staged_type(np.asarray(operand)[()])


def _no_result(name, error):
    return staging_error(
        f"np.{name} does not work on staged values",
        f"{error}  A value of a graph has one type in every run.",
        "Call it on the result of the graph, or use a function whose result has one type.",
        UnsupportedError,
    )


# -- out= ------------------------------------------------------------------------------------------


def call_into(path: str, args: tuple, kwargs: dict, out: tuple) -> Any:
    """Records a call of the function at `path` that writes into the arrays `out`."""
    for target in out:
        if target is not None:
            _check_target(target)
    operands, given, named = template(path, args, {**kwargs, "out": tuple(out)})
    attributes = {"function": path, "given": given, "named": named}
    operands = with_one_type(find("into"), operands, attributes)
    try:
        found = record_op(find("into"), tuple(operands), attributes)
        structure = into_results(tuple(map(_type_in_graph, operands)), path, given, named).structure
    except NoResult as error:
        raise _no_result(path.removeprefix("np."), error) from None
    results = [Tensor(*one) for one in found]
    for place, target in enumerate(out):
        if target is not None:
            target._assign(results[place])
            results[place] = target
    return unflatten(structure, results)


# Each is called before a write of a staged value into an array that is not staged is refused.
BEFORE_OUTSIDE_WRITE: list[Callable[[], None]] = []


def _check_target(target):
    if isinstance(target, Tensor):
        if not is_array(target.type):
            raise TypeError("return arrays must be of ArrayType")
        return
    for note in BEFORE_OUTSIDE_WRITE:
        note()
    raise staging_error(
        "a staged result is to be written into an array that is not staged",
        "That array was created outside of the function, and no run would change it.",
        "Create it in the function, or pass it as an argument.",
        OutsideWriteError,
    )


def write(out: tuple, results: tuple) -> Any:
    """Gives the arrays `out` new values of the same types."""
    for target, new in zip(out, results, strict=True):
        _check_target(target)
        target._assign(new)
    return out[0] if len(out) == 1 else tuple(out)


def record_write(function, args, kwargs):
    """Records a call of a function that writes into its first argument."""
    op = AFTER.get(function)
    if op is None or not args:
        raise unsupported_function(function)
    target = args[0]
    if not isinstance(target, (Tensor, np.ndarray)):
        raise TypeError(
            f"{function.__name__}() argument 1 must be a numpy.ndarray, not {type(target).__name__}"
        )
    if not isinstance(target, Tensor):
        write((target,), (None,))
    if not is_array(target.type):
        raise unsupported(f"np.{function.__name__} of a scalar, which cannot be written into,")
    target._assign(record_call(op, args, kwargs))


def drop_repetition(error):
    """Drops the context of an error that a function of NumPy meets in the method, and again in its
    second attempt."""
    first = error.__context__
    if first is not None and (type(first), str(first)) == (type(error), str(error)):
        error.__context__ = first.__context__
