"""Operators of scalars with operands that are no numbers: the class of the scalar answers.

    n + [1, 2]        n is a Python int: a TypeError, where a scalar of NumPy gives an array
    n == [1, 2]       False
    v == "a"          v is a float64: np.False_, and False if v is a Python float

The answer depends on the class only, so it is that of a zero of this class.
"""

from collections.abc import Callable
from types import BuiltinFunctionType
from typing import Any

import numpy as np

from runtime.ir.types import BoxType, PythonType, TensorType, UnionType, is_array
from runtime.tracing import trace
from runtime.tracing.conversion import staged_type
from runtime.tracing.tensor import Tensor
from runtime.tracing.unions import Unions

EMPTY = {list: [], tuple: (), range: range(0)}
UNEQUAL = (str, bytes, dict, set, frozenset, BuiltinFunctionType)
NUMBERS = "biufc"
# op names: operators that Python's own class refuses, whatever the values are.
QUOTIENTS = ("floor_divide", "remainder", "divmod")  # which complex numbers have not


def zero_of(kind: Any) -> Any:
    """A zero of the class of a scalar's type."""
    return kind.kind(0) if isinstance(kind, PythonType) else kind.dtype.type(0)


def is_answered(name: str, tensor: Tensor, other: Any) -> bool:
    """Whether the classes decide what an operator answers, which records the op `name`.

    A scalar of Python, in some run, is beside a list, tuple or range; or scalars have no such
    operator.
    """
    if is_array(tensor.type):
        return False
    if not isinstance(other, (list, tuple, range)):
        kind = staged_type(other)
        is_scalar = isinstance(kind, (PythonType, TensorType)) and not is_array(kind)
        return is_scalar and _is_undefined(name, tensor.type, kind)
    return _is_of_python(tensor.type) or _is_undefined(name, tensor.type)


def _is_undefined(name: str, *kinds: Any) -> bool:
    """Whether scalars of some types have no operator."""
    are_known = not any(isinstance(kind, UnionType) for kind in kinds)
    is_complex = are_known and any(kind.dtype.kind == "c" for kind in kinds)
    return name == "matmul" or name in QUOTIENTS and is_complex


def _is_of_python(kind: Any) -> bool:
    if isinstance(kind, UnionType) and trace.current().state(Unions).are_kept:
        return any(isinstance(one, PythonType) for one in kind.options)
    return isinstance(kind, PythonType)


def answer(
    function: Callable[..., Any], tensor: Tensor, other: Any, is_reflected: bool = False
) -> Any:
    """The answer that the class of a scalar has for an operand of another class."""
    if isinstance(tensor.type, UnionType) and trace.current().state(Unions).are_kept:

        def of_type(one):
            if is_answered("", one, other):
                return answer(function, one, other, is_reflected)
            return function(other, one) if is_reflected else function(one, other)

        return tensor.each_type(of_type)  # type: ignore[attr-defined]
    if isinstance(other, Tensor) and isinstance(other.type, UnionType):
        return NotImplemented
    zero, beside = zero_of(tensor.type), _example(other)
    if beside is None:
        return NotImplemented  # of a class of the user, whose operators answer
    return function(beside, zero) if is_reflected else function(zero, beside)


def _example(other: Any) -> Any:
    """An empty sequence, or a zero, in place of an operand; None for other classes."""
    kind = staged_type(other)
    if kind is not None:
        return zero_of(kind)
    named = type(other).__name__  # as of a class that stands for lists
    return next(
        (EMPTY[one] for one in EMPTY if isinstance(other, one) and one.__name__ == named), None
    )


def with_unequal(function: Callable[..., Any], tensor: Tensor, other: Any) -> Any:
    """The answer of `==` or `!=` for an object that equals no number; NotImplemented for others.

    Such an object is None, a text, a dict, a set, or of a class without a comparison.
    """
    is_known = other is None or type(other) in UNEQUAL or type(other).__eq__ is object.__eq__
    if not is_known or hasattr(type(other), "__autograph__"):
        return NotImplemented
    kind = tensor.type
    if isinstance(kind, UnionType):
        if not trace.current().state(Unions).are_kept:
            return NotImplemented
        return tensor.each_type(lambda one: function(one, other))  # type: ignore[attr-defined]
    if kind.dtype.kind not in NUMBERS:
        return NotImplemented
    if is_array(kind):
        differs = bool(function(0, other))
        is_box = isinstance(kind, BoxType)
        return np.bool_(differs) if is_box else np.full_like(tensor, differs, dtype=bool)
    return function(zero_of(kind), other)
