"""Staged values, and the recording of operations on them.

    x + 1, np.tanh(x), x @ w, x.sum(axis=0), x[1:, ::2]        record a node, return a Tensor
    x[0] = y                                                   gives x a new value
    bool(x), float(x), x.tolist()                              raise; the error names a replacement

*Staged* means: the value is not known while the graph is being built.  A `Tensor` is a handle of
such a value.  An operation never changes a value; a write through a subscript gives the handle a
new one.  Operators, subscripts, methods and NumPy's protocols (NEP 13 and 18) are set by the
modules that implement them (`tensor_methods.py`).
"""

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

import runtime.ops  # noqa: F401  (fills the registry)
from autograph.errors import with_article
from autograph.functions.policy import is_users_file
from runtime.errors import HashNeededError, NoGraphError, NotStageableError, staging_error
from runtime.ir.graph import PYTHON_SCALARS, UNNAMED, Graph, Location, Operand, Value, operand_type
from runtime.ir.op import Op, find
from runtime.ir.types import OBJECT, PythonType, StringType, TensorType, Type, UnionType, is_array
from runtime.tracing import matching, trace
from runtime.tracing.array_attributes import of_arrays
from runtime.tracing.array_inputs import ArrayInputs
from runtime.tracing.array_like import ArrayLike, read
from runtime.tracing.axis_errors import has_no_length, not_iterable
from runtime.tracing.constant_values import UNKNOWN, constant_value
from runtime.tracing.eager_trace import EagerGraph
from runtime.tracing.leaks import hash_outside, leaked
from runtime.tracing.needed import value_needed
from runtime.tracing.read_as_array import ReadAsArray
from runtime.tracing.recorded_arrays import recorded_array


class Tensor:
    """The handle of a staged scalar, array, string or list."""

    __slots__ = ("__weakref__", "_at", "_origin")
    __array_priority__ = 1_000_000

    def __init__(self, value: Operand, region: Graph | None = None):
        if region is None:
            raise TypeError(
                "an rt.Tensor is made from a value\n"
                "Only graphs make them: they are staged values.\n"
                "Write np.asarray(x) for an array, rt.Variable(x) for one that is kept, and "
                "rt.constant(x) in an explicit graph."
            )
        self._at = self._origin = (value, region)

    @property
    def __class__(self):  # type: ignore[override]
        """The class that code reads, that `isinstance` sees if it is known, and for patterns."""
        value, region = self._origin  # to ask a view for its value may record it
        if type(region) is Graph and not matching.asks_class(sys._getframe(1).f_code):
            return type(self)  # most questions are `isinstance` in this library
        kind = operand_type(value) if isinstance(region, EagerGraph) else None
        recorder = trace.current() if kind is None else None
        if recorder is not None and matching.reads_class(sys._getframe(1)):
            return matching.class_of(self)
        tests_class = recorder and recorder.state(matching.MatchRequests).tests_class
        if tests_class is not None:
            kind = self.matched_type() if tests_class(sys._getframe(1)) else None
        if isinstance(kind, (PythonType, StringType)):
            return kind.kind
        if isinstance(kind, TensorType):
            return np.ndarray if is_array(kind) else kind.dtype.type
        return type(self)

    def matched_type(self) -> Type:
        """The type whose class a pattern compares.  Raises `StagingError` if a run decides it."""
        if isinstance(self.type, UnionType):
            raise matching.class_needed(f"a staged value ({self.type})", "class")
        return self.type

    @property
    def _value(self) -> Operand:
        """The current value: a value of the graph, or a Python scalar."""
        return self._at[0]

    @property
    def _region(self) -> Graph:
        """The graph or region in which the current value exists."""
        return self._at[1]

    def as_operand(self, op: Op, operands: tuple, attributes: dict) -> "Tensor":
        """The handle itself, as an operand of an op.  `MaybeNone` overrides this with a checked
        value."""
        return self

    def array_itself(self) -> "Tensor":
        """The handle of the array that is there, for views: itself, except for values that may be
        None or unbound."""
        return self

    def plain_value(self) -> Any:
        """What the value is for the code that is running: itself; see `stand_ins.py`."""
        return self

    def check_bound(self, location: Location | None = None) -> None:
        """Records a check that the variable is bound, if that is known only at run time."""

    # -- the type ----------------------------------------------------------------------------------

    @property
    def type(self) -> Type:
        """The type of the value."""
        return operand_type(self._value)

    @of_arrays
    def dtype(self) -> np.dtype:
        """The dtype; for a Python scalar the dtype that NumPy would give it."""
        return self.type.dtype

    @of_arrays
    def shape(self) -> tuple:
        """The sizes of the dimensions; a size that is not known is staged."""
        return tuple(
            size if isinstance(size, int) else apply(find("size"), self, axis=axis)
            for axis, size in enumerate(self.type.shape)
        )

    @of_arrays
    def ndim(self) -> int:
        """The number of dimensions."""
        return self.type.ndim

    @of_arrays
    def size(self):
        """The number of elements."""
        total = 1
        for size in self.shape:
            total = total * size
        return total

    @of_arrays
    def T(self) -> "Tensor":
        """The array with its axes reversed."""
        return apply(find("transpose"), self)

    def origin(self) -> "Tensor":
        """The first value of the handle: the array in whose memory later values are written."""
        return Tensor(*self._origin)

    @property
    def is_eager(self) -> bool:
        """Whether the value is known, because an eager trace has computed it (`eager_trace.py`)."""
        return isinstance(self._region, EagerGraph)

    def eager_value(self) -> Any:
        """The value that an eager trace has computed."""
        return self._region.value_of(self._value)

    def described(self) -> str:
        """The value as error messages show it."""
        if self.is_eager:
            return f"<Tensor {self.eager_value()!r}>"
        name = self._value.hint if isinstance(self._value, Value) else repr(self._value)
        return f"<Tensor {name}: {self.type}>"

    __repr__ = described

    @property
    def staged_value(self) -> str:
        """The value in the user's words, as the subject of a message: by its name, or else by
        the expression that computes it."""
        if self.is_eager:
            return self.described()
        words = self.users_words
        return f"{f'the staged value `{words}`' if words else 'a staged value'} ({self.type})"

    @property
    def users_words(self) -> str:
        """The user's name for the value, or the expression that computes it; "" if neither is
        known."""
        value = self._value
        if not isinstance(value, Value):
            return repr(value)
        if value.hint not in UNNAMED or value in self._region.inputs:
            return value.hint
        node = next((node for node in self._region.nodes if value in node.outputs), None)
        place = None if node is None else node.location
        return place.in_message.expression if place and is_users_file(place.filename) else ""

    # -- the value, which is known only at run time ------------------------------------------------

    def __bool__(self):
        if self.is_eager:
            return bool(self.eager_value())
        recorder = trace.current()
        if recorder is None and (plain := self.plain_value()) is not self:
            return bool(plain)
        answer = None if recorder is None else recorder.state(matching.MatchRequests).answer
        if answer is not None:
            return answer(self)
        known = constant_value(self._value)
        if known is not UNKNOWN:
            return bool(known)
        raise value_needed(
            f"the truth of {self.staged_value} is needed while the graph is being built",
            self._region,
        )

    def __hash__(self):
        recorder = trace.current()
        if recorder is None or recorder.is_eager or recorder.takes_feeds:
            return hash_outside(self)
        if isinstance(self.type, TensorType) and self.type.ndim:
            raise TypeError("unhashable type: 'numpy.ndarray'")
        known = constant_value(self._value)
        if known is not UNKNOWN:
            return hash(known)
        raise staging_error(
            f"{self.staged_value} cannot be an element of a set or a key of a dict",
            "Its hash depends on its value, which is known only at run time.",
            "Use a dict or a set that the function makes, a list, or a key that is known.",
            HashNeededError,
        )

    def __copy__(self) -> "Tensor":
        """A copy of an array; scalars and texts never change."""
        return apply(find("copy"), self) if isinstance(self.type, TensorType) else self

    def __deepcopy__(self, memo) -> "Tensor":
        return self.__copy__()

    # -- elements ----------------------------------------------------------------------------------

    def _assign(self, new: "Tensor") -> None:
        """Gives the handle another value, which is written into the memory of its array."""
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
        """A new handle of the current value."""
        return handle(*self._at)

    def __len__(self):
        if not self.type.shape:
            raise has_no_length(self.type)
        size = self.type.shape[0]
        if isinstance(size, int):
            return size
        what = f"the length of {self.staged_value} is known only at run time"
        raise value_needed(what, self._region)

    def __iter__(self):
        if not self.type.shape:
            raise not_iterable(self.type)
        return (self[i] for i in range(len(self)))

    def __contains__(self, item):
        return bool(apply(find("any"), self == item))


# Each is called before an array is written into, with its handle and the trace; it may raise.
WRITE_CHECKS: list[Callable[[Tensor, trace.Trace], None]] = []


# -- recording -------------------------------------------------------------------------------------


def is_operand(value) -> bool:
    """Whether an operator accepts a value as the other operand."""
    kinds = (Tensor, ArrayLike, ReadAsArray, *PYTHON_SCALARS, np.ndarray, np.generic)
    kinds += (list, tuple, range)
    return isinstance(value, kinds) and not is_object(value)


def is_object(value) -> bool:
    """Whether a value is an object of Python that only a run has."""
    return isinstance(value, Tensor) and value.type == OBJECT


def is_staged(value) -> bool:
    """Whether a value is staged, or is a list or tuple that contains a staged value."""
    if isinstance(value, (list, tuple)):
        return any(map(is_staged, value))
    return isinstance(value, (Tensor, ArrayLike))


def operand(value: Any, recorder: trace.Trace) -> Operand:
    """The operand for a value: a scalar itself, for an array a constant that is recorded.

    Raises `StagingError` for staged values of other graphs and for values that cannot be staged.
    """
    if type(value) is not Tensor and isinstance(value, ArrayLike):
        value = read(value)
    if type(value) is not Tensor and isinstance(value, ReadAsArray):
        value = value.numbers()
    if isinstance(value, Tensor):
        if value._region not in recorder.regions:
            if value.is_eager:
                return operand(value.eager_value(), recorder)
            if value.plain_value() is value:
                raise leaked(value)
            return operand(value.plain_value(), recorder)
        value.check_bound()
        return value._value
    if type(value) in PYTHON_SCALARS:
        return value
    if isinstance(value, (list, tuple, range)):
        if is_staged(value):
            return apply(find("stack"), *value)._value
        value = np.asarray(value)
    if isinstance(value, (np.ndarray, np.generic)):
        trace.check_dtype(value.dtype)
        return recorded_array(value, recorder)
    is_short = value is None or type(value) is str
    raise staging_error(
        f"{repr(value) if is_short else with_article(type(value).__name__)} cannot be staged",
        "Graphs hold scalars, and arrays of numbers and bools.",
        "Compute with it outside of the function.",
        NotStageableError,
    )


def apply(op: Op, *operands, **attributes):
    """Records an operation; returns one result as a Tensor, several as a tuple, none as None."""
    recorder = trace.current()
    if recorder is None:
        operands = tuple(v.plain_value() if isinstance(v, Tensor) else v for v in operands)
        if all(value.is_eager for value in operands if isinstance(value, Tensor)):
            return op.evaluate(np, tuple(map(unwrap, operands)), attributes)
        for value in operands:
            if isinstance(value, Tensor):
                raise leaked(value)
        raise staging_error(
            f"{op.name} is used, but no graph is being built",
            "A staged value belongs to the graph in which it was created, which is complete.",
            "Use it inside the function, or inside `with rt.Graph().as_default():`.",
            NoGraphError,
        )
    found = record_op(op, operands, attributes)
    if len(found) == 1:
        result_handle = RESULT_HANDLES.get(op.name)
        if result_handle is not None:
            return result_handle(found[0], op, operands, attributes)
        return handle(*found[0])
    return tuple(handle(*one) for one in found) or None


def record_op(op: Op, operands: tuple, attributes: dict) -> list[tuple[Value, Graph]]:
    """Records an operation in the current region; returns its results, each with the region."""
    recorder = trace.current()
    used = (
        value.as_operand(op, operands, attributes) if isinstance(value, Tensor) else value
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
    """The value of a Tensor of an eager trace; anything else unchanged."""
    return value.eager_value() if isinstance(value, Tensor) and value.is_eager else value


# Creates the handle for the result of an op by name, if that is not `handle`: views.
RESULT_HANDLES: dict[str, Callable[[tuple[Operand, Graph], Op, tuple, dict], Tensor]] = {}

# Creates the handle for a value by type, if that is not a plain Tensor.
HANDLES: dict[type[Type], Callable[[Operand, Graph], Any]] = {}


def handle(value: Operand, region: Graph) -> Any:
    """The handle of a value of a graph: a Tensor, or an object of a subclass, by the value's
    type."""
    return HANDLES.get(type(operand_type(value)), Tensor)(value, region)
