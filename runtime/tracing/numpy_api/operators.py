"""The operators of staged values, derived from the table of operators.

    x + 1, 1 - x, x @ w, -x, x == y        record a node and return a Tensor
    x += y                                 writes into the array, which keeps its dtype

Importing this module sets them on `Tensor`.
"""

from collections.abc import Callable

import numpy as np

from runtime.errors import UnknownTypeError, ValueNeededError, staging_error, unsupported
from runtime.ir.op import find
from runtime.ir.types import BOOL, FLOAT, INT, PythonType, is_array
from runtime.tracing import trace
from runtime.tracing.conversion import cast, staged_type
from runtime.tracing.foreign_operands import changed_by, is_foreign, recorded
from runtime.tracing.numpy_api.foreign_calls import call_into
from runtime.tracing.numpy_api.other_operands import answer, is_answered, with_unequal
from runtime.tracing.numpy_api.positions import integer_of
from runtime.tracing.python_operators import (
    BINARY,
    COMPARISONS,
    UNARY,
    function_of,
    in_place,
    reflected,
)
from runtime.tracing.strings import call_method
from runtime.tracing.tensor import Tensor, apply, is_object, is_operand, record_op, staged
from runtime.tracing.unions import Unions


def _left_to(other, tensor, function, is_reflected=False):
    """What an operator answers to an operand that it does not know: its class decides, in each
    run if it is of another package.

    Raises `StagingError` for one that answers NumPy's functions: it would get the array itself.
    """
    if is_foreign(other):
        return recorded(function, *((other, tensor) if is_reflected else (tensor, other)))
    if hasattr(type(other), "__autograph__"):
        return NotImplemented  # it stands for an object, whose operator it calls
    is_numpys = getattr(type(other), "__array_ufunc__", None) is not None
    if is_numpys and not isinstance(tensor.type, PythonType) and not is_object(other):
        staged(other)
    return NotImplemented


def _binary(name, is_reflected=False, method=""):
    op, function = find(name), function_of(method)

    def operator(self, other):
        if not is_operand(other):
            return _left_to(other, self, function, is_reflected)
        if is_answered(name, self, other):
            return answer(function, self, other, is_reflected)
        return apply(op, other, self) if is_reflected else apply(op, self, other)

    return operator


def _power(is_reflected):
    power = _binary("pow", is_reflected, "__pow__")

    def operator(self, other, modulus=None):
        if modulus is not None:
            return NotImplemented
        base, exponent = (other, self) if is_reflected else (self, other)
        if staged_type(base) in (INT, BOOL) and staged_type(exponent) in (INT, BOOL):
            return _power_of_ints(base, exponent)
        return power(self, other)

    return operator


def _power_of_ints(base, exponent):
    """A power of two Python ints: a float if the exponent is negative, else an int."""
    found = apply(find("dynamic_pow"), base, exponent)
    if not isinstance(exponent, Tensor):
        return cast(found, INT if exponent >= 0 else FLOAT)
    if exponent.type == BOOL or trace.current().state(Unions).are_kept:
        return cast(found, INT) if exponent.type == BOOL else found
    raise staging_error(
        "a power of two Python ints is computed in a function that is transformed",
        "The result is a float if the exponent is negative, else an int.",
        "Make one of them a float or a NumPy integer.",
        UnknownTypeError,
    )


def _unary(name):
    op = find(name)
    return lambda self: apply(op, self)


def _in_place(name, method):
    op, function = find(name), function_of(method)
    change = changed_by(function_of(in_place(method)))
    ufunc = getattr(np, name if name != "pow" else "power")

    def operator(self, other):
        if is_object(other) and is_array(self.type):
            raise staging_error(
                "an array is changed in place with an object that only a run has",
                "Its type is not known while the graph is being built.",
                "Convert it: float(value), or rt.host_call(..., like=0.0).",
                ValueNeededError,
            )
        if is_foreign(other) and is_array(self.type):
            found = recorded(change, self, other)
            if is_object(found) or found.type != self.type:
                return found
            self._assign(found)
            return self
        if is_array(self.type) and hasattr(type(other), "__changes__"):
            return other.__changes__(function_of(in_place(method)), self)
        if not is_operand(other):
            return _left_to(other, self, function)
        if is_answered(name, self, other):
            return answer(function_of(in_place(method)), self, other)
        if not is_array(self.type):
            # Scalars are immutable.
            return self**other if name == "pow" else apply(op, self, other)
        if _keeps_type(op, self, other):
            self._assign(apply(op, self, other))
            return self
        return call_into(f"np.{ufunc.__name__}", (self, other), {}, (self,))

    return operator


def _keeps_type(op, target, other):
    """Whether the result of an operation has the type of the array that it is written into."""
    if not all(isinstance(size, int) for size in target.type.shape):
        return False  # the other operand may be larger
    other = staged(other)
    try:
        return op.infer_types((target.type, other.type), {}, {}) == (target.type,)
    except (TypeError, ValueError):
        return False  # the op itself raises the error


def _comparison(name, method):
    op, function = find(name), function_of(method)
    is_equality = name in ("equal", "not_equal")

    def operator(self, other):
        if is_answered(name, self, other):
            # Python's message names the operands in their order, which is not known here.
            return answer(function, self, other) if is_equality else NotImplemented
        if is_operand(other):
            return apply(op, self, other)
        if not is_equality or is_foreign(other):
            return _left_to(other, self, function)
        found = with_unequal(function, self, other)
        if found is NotImplemented:
            raise unsupported(f"the comparison with {type(other).__name__} objects")
        return found

    return operator


REPEATERS: list[Callable] = []  # which repeats a list a staged number of times


def _repeats(tensor, sequence):
    """Whether `sequence * number` repeats a sequence instead of multiplying its elements."""
    is_number = not is_array(tensor.type) and tensor.dtype.kind in "iub"
    return is_number and isinstance(sequence, (list, tuple))


def _counts(tensor):
    """Whether a value is a number of times, for texts: an integer, or a bool of Python."""
    kind = tensor.type
    if isinstance(kind, PythonType):
        return kind.kind in (int, bool)
    return not is_array(kind) and tensor.dtype.kind in "iu"


def _multiply(is_reflected):
    multiply = _binary("multiply", is_reflected, "__mul__")

    def operator(self, other):
        if isinstance(other, (str, list, tuple)):
            self = integer_of(self)
        if type(other) is str and _counts(self):
            return call_method(other, "__mul__", (self,))
        if _repeats(self, other):
            for repeated in REPEATERS if isinstance(other, list) else ():
                return repeated(other, self)
            raise unsupported(
                "a tuple that is repeated a staged number of times",
                "Create an array: np.full(n, value), or append in a loop.",
            )
        if isinstance(other, (str, list, tuple)) and not is_array(self.type):
            raise _no_number_of_times(self)
        return multiply(self, other)

    return operator


def _no_number_of_times(tensor):
    """The error of a sequence that is multiplied by a scalar that is no integer."""
    recorder = trace.current()
    if recorder is not None and not recorder.state(Unions).are_kept:
        return unsupported(
            f"a sequence that is repeated {tensor.staged_value} times, in code that is "
            "differentiated or mapped,",
            "There a number that is an int beside floats is a float. Write int(n).",
        )
    name = f"numpy.{tensor.dtype.type.__name__}"
    if isinstance(tensor.type, PythonType):
        name = tensor.type.kind.__name__
    return TypeError(f"can't multiply sequence by non-int of type '{name}'")


def _record(self, op, operands, attributes):
    """Records an op that is called with a staged operand (`Op.__call__`)."""
    return apply(op, *map(_packed, operands), **attributes)


def _packed(value):
    """A tuple as a value of the graph, as staged lists hold it."""
    if type(value) is not tuple:
        return value
    (packed,) = record_op(find("pack"), tuple(map(_packed, value)), {})
    return Tensor(*packed)


Tensor.__record__ = _record  # type: ignore[attr-defined]
for _name, _op in BINARY.items():
    setattr(Tensor, _name, _binary(_op, method=_name))
    setattr(Tensor, reflected(_name), _binary(_op, is_reflected=True, method=_name))
    if in_place(_name) is not None:
        setattr(Tensor, in_place(_name), _in_place(_op, _name))
Tensor.__mul__, Tensor.__rmul__ = _multiply(False), _multiply(True)  # type: ignore[attr-defined]
Tensor.__pow__, Tensor.__rpow__ = _power(False), _power(True)  # type: ignore[attr-defined]
for _name, _op in COMPARISONS.items():
    setattr(Tensor, _name, _comparison(_op, _name))
for _name, _op in UNARY.items():
    setattr(Tensor, _name, _unary(_op))
