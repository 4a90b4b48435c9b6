"""`int(u)`, `float(u)`, `complex(u)`, `bool(u)`, `len(u)` and `if u` of an object whose method
returns a staged value.

    class Meter:
        def __float__(self):            float(Meter(x)) is a staged float
            return float(self.value)

Python itself calls these methods, and takes values of its own only.
"""

from collections.abc import Callable
from types import FunctionType
from typing import Any

from autograph.functions.calls import converted_call
from autograph.functions.frames import as_user
from autograph.functions.policy import is_users_class
from autograph.staging.dunder_methods import original_method
from runtime.errors import ValueNeededError, staging_error
from runtime.ir.types import BOOL, COMPLEX, FLOAT, INT, TensorType, Type
from runtime.staging.calls.run_errors import check
from runtime.tracing.conversion import cast
from runtime.tracing.tensor import Tensor

# For each function, the methods that Python looks for, with the types that it accepts.
METHODS: dict[Callable, dict[str, Type]] = {
    int: {"__int__": INT, "__index__": INT},
    float: {"__float__": FLOAT, "__index__": INT},
    complex: {"__complex__": COMPLEX, "__float__": FLOAT, "__index__": INT},
    bool: {"__bool__": BOOL, "__len__": INT},
    len: {"__len__": INT},
}
RESULTS = {int: INT, float: FLOAT, complex: COMPLEX, bool: BOOL, len: INT}


def by_users_method(function: Callable, value: Any) -> Any:
    """The result of `function(value)` by the user's method, which is converted; `NotImplemented` if
    Python calls none."""
    kind = type(value)
    if not is_users_class(kind) or isinstance(value, type):
        return NotImplemented
    found = ((name, original_method(kind, name)) for name in METHODS[function])
    name, method = next((pair for pair in found if pair[1] is not None), (None, None))
    if name is None or type(method) is not FunctionType:
        return NotImplemented
    result = converted_call(method.__get__(value, kind))()
    if not isinstance(result, Tensor):
        return function(type(kind.__name__, (), {name: lambda self: result})())
    expected = METHODS[function][name]
    is_index = expected == INT and isinstance(result.type, TensorType)
    if result.type != expected and not (is_index and _is_integer(result.type)):
        raise staging_error(
            f"`{kind.__name__}.{name}` returns {result.staged_value}",
            f"Python accepts a result of the type {expected} only.",
            f"Convert it in `{name}`, with {expected}().",
            ValueNeededError,
        )
    result = cast(result, expected)
    if name == "__len__":
        check(result >= 0, ValueError, "__len__() should return >= 0")
    return cast(result != 0 if function is bool and expected == INT else result, RESULTS[function])


def own_truth(value: Any) -> Any:
    """The truth of an object: a bool, or a staged one that its method returns."""
    found = by_users_method(bool, value)
    return as_user(bool, value)(value) if found is NotImplemented else found


def _is_integer(kind: TensorType) -> bool:
    """Whether a value of a type has the method `__index__`, by which Python accepts it."""
    return not kind.shape and kind.dtype.kind in "iu"
