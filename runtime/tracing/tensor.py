"""Staged values: what the user's code holds while its operations are recorded.

    x + 1, np.tanh(x), x @ w, x.sum(axis=0), x[1:, ::2]        record a node and give a Tensor
    x[0] = y                                                   makes x stand for a new value
    bool(x), float(x), x.tolist()                              errors that say what to do instead

A Tensor is a handle: operations never change a value, but a write through a subscript makes the
handle stand for the changed array.  Its operators are derived from the records of the ops
(`tracing/numpy_api/operators.py`); NumPy's own functions arrive through its protocols (NEP 13 and
18).
"""

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

import runtime.ops  # noqa: F401  (fills the registry)
from runtime.errors import asked_for, staging_error
from runtime.ir.graph import NUMBERS, Graph, Location, Operand, Value, operand_type
from runtime.ir.op import Op, find
from runtime.ir.pytree import transform
from runtime.ir.types import PythonType, TensorType, Type, tensor_type
from runtime.tracing import trace
from runtime.tracing.array_inputs import ArrayInputs
from runtime.tracing.array_like import ArrayLike, read
from runtime.tracing.eager_trace import EagerGraph


@dataclass
class TruthRequests:
    """Answers `bool(x)` for staged values while `match` explores its cases."""

    answer: Callable[["Tensor"], bool] | None = None


class Tensor:
    """A staged number, array or list."""

    __slots__ = ("__weakref__", "_at", "_origin")
    __array_priority__ = 1_000_000

    def __init__(self, value: Operand, region: Graph):
        self._at = self._origin = (value, region)

    @property
    def _value(self) -> Operand:
        """What the handle stands for now."""
        return self._at[0]

    @property
    def _region(self) -> Graph:
        """The graph or region in which that exists."""
        return self._at[1]

    def used_by(self, op: Op, operands: tuple, attributes: dict) -> "Tensor":
        """The handle itself, as an operand; of what may be None, the value, with a check."""
        return self

    def check_bound(self, location: Location | None = None) -> None:
        """Records a check that the variable is bound, where that is known only in a run."""

    # -- what is known -----------------------------------------------------------------------------

    @property
    def type(self) -> Type:
        """What is known about the value."""
        return operand_type(self._value)

    @property
    def dtype(self) -> np.dtype:
        """The dtype; of a number of Python's the one that NumPy would give it."""
        return self.type.dtype

    @property
    def shape(self) -> tuple:
        """The sizes of the dimensions; an unknown one is staged itself."""
        return tuple(
            size if isinstance(size, int) else apply(find("size"), self, axis=axis)
            for axis, size in enumerate(self.type.shape)
        )

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return self.type.ndim

    @property
    def size(self):
        """The number of elements."""
        total = 1
        for size in self.shape:
            total = total * size
        return total

    @property
    def T(self) -> "Tensor":
        """The array with its axes reversed."""
        if isinstance(self.type, PythonType):
            raise AttributeError(f"'{self.type}' object has no attribute 'T'")
        return apply(find("transpose"), self)

    def origin(self) -> "Tensor":
        """What the handle stood for first: the array whose place in memory later ones take."""
        return Tensor(*self._origin)

    @property
    def is_eager(self) -> bool:
        """Whether the value is there already, as it is outside of graphs (`eager_trace.py`)."""
        return isinstance(self._region, EagerGraph)

    def eager_value(self) -> Any:
        """The value, where it is there already."""
        return self._region.value_of(self._value)

    def described(self) -> str:
        """What error messages call the value."""
        if self.is_eager:
            return f"<Tensor {self.eager_value()!r}>"
        name = self._value.hint if isinstance(self._value, Value) else repr(self._value)
        return f"<Tensor {name}: {self.type}>"

    __repr__ = described

    # -- what only a run can tell ------------------------------------------------------------------

    def __bool__(self):
        if self.is_eager:
            return bool(self.eager_value())
        recorder = trace.current()
        answer = None if recorder is None else recorder.state(TruthRequests).answer
        if answer is not None:
            return answer(self)
        raise asked_for(f"the truth of {self!r} is asked for, but it is staged")

    def __int__(self):
        return int(self._number())

    def __float__(self):
        return float(self._number())

    def __complex__(self):
        return complex(self._number())

    def __index__(self):
        return operator.index(self._number())

    def _number(self):
        if self.is_eager:
            return self.eager_value()
        raise asked_for(f"a number is made of {self!r}, which is staged")

    def __array__(self, *args, **kwargs):
        if self.is_eager:
            return np.array(self.eager_value(), *args, **kwargs)
        raise staging_error(
            f"a NumPy array is made of {self!r}, which is staged",
            "A function that graphs do not support asked for its elements.",
            "Use a function that works on staged values, or call it on the result of the graph.",
        )

    def __hash__(self):
        recorder = trace.current()
        if recorder is None or recorder.is_eager or recorder.takes_feeds:
            return object.__hash__(self)
        if isinstance(self.type, TensorType) and self.type.ndim:
            raise TypeError("unhashable type: 'numpy.ndarray'")
        raise staging_error(
            f"{self!r}, which is staged, is put into a set or is the key of a dict",
            "Where it belongs there depends on its value, which only a run can tell.",
            "Use a list or an array, or a key that is known.",
        )

    def __copy__(self) -> "Tensor":
        return apply(find("copy"), self)

    def __deepcopy__(self, memo) -> "Tensor":
        return apply(find("copy"), self)

    # -- elements ----------------------------------------------------------------------------------

    def _assign(self, new: "Tensor") -> None:
        """Makes the handle stand for another value, which is written into the array it is."""
        recorder = trace.current()
        if recorder is None:
            self._at = new._at
            return
        for check in WRITE_CHECKS:
            check(self, recorder)
        self._at = new._at
        value = recorder.state(ArrayInputs).input_of(self)
        if value is not None:
            recorder.record(find("written"), (value, new._value))

    def snapshot(self) -> "Tensor":
        """A handle of its own for the value that this one stands for now."""
        return handle(*self._at)

    def __len__(self):
        if not self.type.shape:
            raise TypeError("len() of unsized object")
        size = self.type.shape[0]
        if isinstance(size, int):
            return size
        raise asked_for(f"the length of {self!r} is asked for, but only a run can tell it")

    def __iter__(self):
        if not self.type.shape:
            raise TypeError("iteration over a 0-d array")
        return (self[i] for i in range(len(self)))

    def __contains__(self, item):
        return bool(apply(find("any"), self == item))


# Each is called before an array is written into, with its handle and the trace; it may raise.
WRITE_CHECKS: list[Callable[[Tensor, trace.Trace], None]] = []


# -- recording -------------------------------------------------------------------------------------


def is_operand(value) -> bool:
    """Whether operators take a value beside a staged one."""
    kinds = (Tensor, ArrayLike, *NUMBERS, np.ndarray, np.generic, list, tuple, range)
    return isinstance(value, kinds)


def is_staged(value) -> bool:
    """Whether a value is staged, or a list or tuple that holds a staged value."""
    if isinstance(value, (list, tuple)):
        return any(map(is_staged, value))
    return isinstance(value, (Tensor, ArrayLike))


def operand(value: Any, recorder: trace.Trace) -> Operand:
    """What stands for a value in the graph: itself for numbers, a constant for arrays.

    Raises `StagingError` for staged values of other graphs, `TypeError` for what cannot be staged.
    """
    if isinstance(value, ArrayLike):
        value = read(value)
    if isinstance(value, Tensor):
        if value._region not in recorder.regions:
            if not value.is_eager:
                raise leaked(value)
            return operand(value.eager_value(), recorder)
        value.check_bound()
        return value._value
    if type(value) in NUMBERS:
        return value
    if isinstance(value, (list, tuple, range)):
        if is_staged(value):
            return apply(find("stack"), *value)._value
        value = np.asarray(value)
    if isinstance(value, (np.ndarray, np.generic)):
        array = np.asarray(value)
        tensor_type(array.dtype)
        (constant,) = recorder.record(find("constant"), (), {"value": array.copy()})
        if isinstance(value, np.ndarray) and not value.shape:
            (constant,) = recorder.record(find("box"), (constant,), {})
        return constant
    raise staging_error(
        f"{type(value).__name__} cannot be staged: {value!r}",
        "Graphs hold numbers, and arrays of numbers and bools.",
        "Compute with it outside of the function.",
    )


def leaked(tensor: Tensor) -> Exception:
    """The error about a staged value that is used where it does not exist."""
    return staging_error(
        f"{tensor!r} is used outside of the code that made it",
        f"It belongs to `{tensor._region.name}`, which is recorded already: "
        "it was kept in a place that graphs do not see.",
        "Return it from the function, or assign it to a variable of the function.",
    )


def apply(op: Op, *operands, **attributes):
    """Records an operation; returns its result as a Tensor, several as a tuple, none as None."""
    recorder = trace.current()
    if recorder is None:
        if all(value.is_eager for value in operands if isinstance(value, Tensor)):
            return op.evaluate(np, tuple(map(unwrap, operands)), attributes)
        for value in operands:
            if isinstance(value, Tensor):
                raise leaked(value)
        raise staging_error(
            f"{op.name} is used, but no graph is being recorded",
            "A staged value is one of the graph in which it was made, which is done.",
            "Use it inside the function, or inside `with rt.Graph().as_default():`.",
        )
    found = record_op(op, operands, attributes)
    if len(found) == 1:
        result_handle = RESULT_HANDLES.get(op.name)
        if result_handle is not None:
            return result_handle(found[0], op, operands, attributes)
        return handle(*found[0])
    return tuple(handle(*one) for one in found) or None


def record_op(op: Op, operands: tuple, attributes: dict) -> list[tuple[Value, Graph]]:
    """Records an operation in the current graph; returns its results and where they exist."""
    recorder = trace.current()
    used = (
        value.used_by(op, operands, attributes) if isinstance(value, Tensor) else value
        for value in operands
    )
    inputs = tuple(operand(value, recorder) for value in used)
    return [(output, recorder.region) for output in recorder.record(op, inputs, attributes)]


def staged(value: Any) -> Tensor:
    """A Tensor for any value that can be an operand."""
    value = read(value)
    if isinstance(value, Tensor):
        return value
    recorder = trace.current()
    return handle(operand(value, recorder), recorder.region)


def unwrap(value: Any) -> Any:
    """What a Tensor that is computed holds; anything else as it is."""
    return value.eager_value() if isinstance(value, Tensor) and value.is_eager else value


def unwrap_all(value: Any) -> Any:
    """The same containers with plain values in place of Tensors that are computed."""
    return transform(unwrap, value)


# Creates the handle for the result of an op by name, if that is not `handle`: views.
RESULT_HANDLES: dict[str, Callable[[tuple[Operand, Graph], Op, tuple, dict], Tensor]] = {}

# What stands for values of a type, where that is not Tensor itself.
HANDLES: dict[type[Type], Callable[[Operand, Graph], Any]] = {}


def handle(value: Operand, region: Graph) -> Any:
    """What the user's code holds for a value of a graph."""
    return HANDLES.get(type(operand_type(value)), Tensor)(value, region)
