"""Variables and other `ArrayLike` objects in staged code: writes in blocks, statements on them.

if v > 0: v.assign(x)          the branch may change `v`
while v: ...                   the test reads the array of the variable
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.backend import Backend, active, backend_of
from autograph.staging.accessors import register_accessor
from autograph.staging.heap_diff import HeapSlot
from runtime.state.trace_variables import TraceVariables
from runtime.tracing import trace
from runtime.tracing.array_like import ArrayLike, read, unshared
from runtime.tracing.tensor import Tensor

# -- writes in blocks ------------------------------------------------------------------------------


def saved_variables() -> dict[int, tuple]:
    """The current values of the graph's variables."""
    recorder = trace.current()
    return {key: one.tensor._at for key, one in recorder.state(TraceVariables).inputs.items()}


def written_variables(before: dict[int, tuple]) -> list[HeapSlot]:
    """The variables that have another value than before; a variable that was not used before had
    the value of its input."""
    found = []
    for key, one in trace.current().state(TraceVariables).inputs.items():
        old = before.get(key, one.tensor._origin)
        if one.tensor._at is not old:
            name = one.variable.name or "a variable"
            found.append(HeapSlot(one.tensor, "", name, old, one.tensor._at))
    return found


def restore_variables(before: dict[int, tuple]) -> None:
    """Gives the variables their earlier values."""
    for key, one in trace.current().state(TraceVariables).inputs.items():
        one.tensor._at = before.get(key, one.tensor._origin)


register_accessor(ArrayLike, None)  # they are no containers: the trace knows what was written


def call_with_arrays(original: Callable, function: Callable, *args, **options) -> Any:
    """Calls the replacement of a Python or NumPy function with arrays in place of objects that hold
    them; an object that is `out=`, or may be, stays, since the function writes into it."""
    held = [value for value in (*args, *options.values()) if isinstance(value, ArrayLike)]
    is_written = original.__class__ is np.ufunc or isinstance(options.get("out"), ArrayLike)
    if not held or is_written:
        return function(*args, **options)
    given = _value if _is_numpys(original) else _copied
    args, options = tuple(map(given, args)), {name: given(v) for name, v in options.items()}
    return unshared(function(*args, **options), *held)


def _is_numpys(function):
    return (getattr(function, "__module__", None) or "").partition(".")[0] == "numpy"


def _copied(value):
    """An argument, or a copy of the array it holds: Python functions may take rows of it."""
    if not isinstance(value, ArrayLike):
        return value
    return value[...] if value._read().shape else value[()]


# -- statements ------------------------------------------------------------------------------------


class ArrayLikeBackend(Backend):
    """Statements on the array that an object holds, instead of the object."""

    stages_in_blocks_only = True  # elsewhere, objects that hold arrays answer Python themselves

    def if_stmt(self, test, body, orelse, state):
        _on_value(test, "if_stmt", body, orelse, state)

    def cond_stmt(self, holds, arms, orelse, state):
        _on_value(holds, "cond_stmt", arms, orelse, state)

    def while_stmt(self, holds, test: Callable, body, state):
        _on_value(holds, "while_stmt", lambda: _value(test()), body, state)

    def for_stmt(self, iterable, body, test, state):
        _on_value(iterable[...], "for_stmt", body, test, state)

    def holds(self, test, message):
        return _on_value(test, "holds", message)

    def if_expr(self, test, body, orelse):
        return _on_value(test, "if_expr", body, orelse)

    def and_(self, left, right):
        return _on_value(left, "and_", right)

    def or_(self, left, right):
        return _on_value(left, "or_", right)

    def not_(self, operand):
        return _on_value(operand, "not_")

    def contains(self, container, item):
        return active().contains(read(container), read(item))

    def elements(self, iterable):
        return _on_value(iterable[...], "elements")


def _value(value: Any) -> Any:
    """The array that an object holds; a NumPy scalar if it is not staged and has no dimensions."""
    array = read(value)
    return array if isinstance(array, Tensor) or getattr(array, "shape", True) else array[()]


def _on_value(operand: Any, construct: str, *rest: Any) -> Any:
    """Applies a construct to the value of its operand."""
    value = _value(operand)
    return getattr(backend_of(value), construct)(value, *rest)


ArrayLike.__autograph__ = ArrayLikeBackend()  # type: ignore[attr-defined]
