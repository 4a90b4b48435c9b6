"""Variables: persistent, mutable arrays that functions read and write.

    w = rt.Variable(np.zeros(3))

    @rt.function
    def step(x):                    graph: takes w and x, hands out w_1 = w - 0.1 * x
        w.assign_sub(0.1 * x)       a run: w holds w_1 afterwards

The array of a variable is never written into while other code can see it: a write makes a new array
and replaces the old one in a single step.  So a run that only reads needs no lock and sees whole
arrays.  Runs that write, and writes outside of graphs, are serialised.

While a graph is traced, the variable represents a staged value, and its array does not change.
"""

import copy
import itertools
import sys
import threading
from collections.abc import Callable
from contextlib import nullcontext, suppress
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from runtime.errors import VariableError, staging_error, users_location
from runtime.ir.graph import Value
from runtime.ir.op import find
from runtime.ir.types import DTYPE_NAMES, SCALAR_KINDS, BoxType, PythonType, array_type, tensor_type
from runtime.spellings import members, options
from runtime.spellings.options import AnswersOptions
from runtime.state import on_devices
from runtime.state.trace_variables import TraceVariables, VariableInput
from runtime.state.variable_messages import another_dtype, another_shape, not_held
from runtime.tracing import trace
from runtime.tracing.array_inputs import ArrayInputs
from runtime.tracing.array_like import ArrayLike, read
from runtime.tracing.conversion import cast
from runtime.tracing.eager_values import unwrap_all
from runtime.tracing.recording_lock import RECORDING, RecorderIsBlocked
from runtime.tracing.stand_ins import stands_for
from runtime.tracing.tensor import Tensor, apply, staged

# The lock of runs that write variables, and of writes outside of graphs.
WRITING = threading.RLock()

# Callbacks before each write, with the variable and its value until then.
WRITE_WATCHERS: list[Callable[["Variable", Any], None]] = []

# The types of NumPy arrays and scalars.
NUMPY_TYPES = frozenset([np.ndarray, *(dtype.type for dtype in DTYPE_NAMES)])

_serial = itertools.count(1)


class HoldsVariables:
    """Base of the runtime's classes whose objects hold variables (layers, optimizers).

    Guards consider all attributes of such objects, because they do not look into runtime code.
    """

    __slots__ = ()


class Uninitialized:
    """The value of a variable whose initial value a run has not computed yet."""


class Variable(ArrayLike, AnswersOptions):
    """An array of a fixed dtype and shape that functions read and write.

    It works like the array: with operators, NumPy functions, methods and items.  Reads never share
    its memory: `v[1:]`, `v.T` and `np.asarray(v)` are copies.  `v[1:] = x`, `v += x` and `assign`
    write into it; a second name for it is the same variable.

    >>> v = Variable([1.0, 2.0])
    >>> v += 1
    >>> v[0] = 5
    >>> v
    <rt.Variable: array([5., 3.])>
    """

    __slots__ = ("__weakref__", "_array", "_placed", "_serial", "_type", "name", "trainable")
    _spellings, _options = members.VARIABLE, options.VARIABLE

    def __init__(self, initial: Any, name: str | None = None, dtype=None, trainable: bool = True):
        """`initial`: an array-like; it determines the shape and, without `dtype`, the dtype.

        Raises `TypeError` for dtypes that graphs do not support.  An `rt.function` may create a
        variable in its first call only; then its initial value may be staged.
        """
        if name is not None and not isinstance(name, str):
            raise TypeError(
                f"the name of an rt.Variable is {name!r}\nA name is a text.\n"
                "Write rt.Variable(initial, dtype=np.float32) for another dtype."
            )
        self.name, self.trainable, self._serial = name, bool(trainable), next(_serial)
        recorder, initial = trace.current(), stands_for(read(initial))
        if recorder is not None and recorder.is_eager:
            initial = unwrap_all(initial)
        elif recorder is not None:
            self._create_in(recorder)
            initial = known_value(initial, recorder)
        if isinstance(initial, Tensor):
            self._create_staged(initial, dtype)
            return
        array = np.array(initial, dtype=dtype, order="C")
        if array.dtype not in DTYPE_NAMES:
            raise TypeError(not_held(array.dtype))
        self._type = array_type(tensor_type(array.dtype).dtype, array.shape)
        self._array: Any = array.astype(self._type.dtype, copy=False)

    # -- properties --------------------------------------------------------------------------------

    @property
    def dtype(self) -> np.dtype:
        """The dtype, which never changes."""
        return self._type.dtype

    @property
    def shape(self) -> tuple:
        """The shape, which never changes."""
        return self._type.shape

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self._type.shape)

    @property
    def size(self) -> int:
        """The number of elements."""
        return int(np.prod(self._type.shape))

    @property
    def value(self) -> Any:
        """A copy of its current value: an array, or a NumPy scalar if it has no dimensions."""
        return self[...] if self._type.shape else self[()]

    def numpy(self) -> Any:
        """The same as `value`."""
        return self.value

    @property
    def described(self) -> str:
        """Its description in messages: `variable 'w' of f64[3]`."""
        kind = "rt.Variable" if self.name is None else f"variable {self.name!r}"
        return f"{kind} of {str(self._type).removesuffix('[()]')}"

    def __str__(self):
        return str(self._read())

    def __repr__(self):
        has_value = trace.current() is not None or isinstance(self._array, np.ndarray)
        return f"<{self.title}: {self.value!r}>" if has_value else f"<{self.title}>"

    @property
    def title(self) -> str:
        """The beginning of its `repr`."""
        return "rt.Variable" if self.name is None else f"rt.Variable {self.name}"

    def __format__(self, spec):
        return format(self._read() if self._type.shape else self._read()[()], spec)

    # -- reads and writes --------------------------------------------------------------------------

    def _read(self) -> Any:
        """Its value: a staged value in a graph, else the array, which must not be written into."""
        recorder = trace.current()
        if recorder is not None:
            return self._input(recorder).tensor.snapshot()
        if self._array.__class__ is not np.ndarray:
            with suppress(RecorderIsBlocked):
                RECORDING.wait()  # another thread may be creating it
            if self._array.__class__ is not np.ndarray:
                raise self._empty()
        return self._array

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name == "_array":  # its value is on a device
                with WRITING:
                    return on_devices.fetched(self)
            return super().__getattr__(name)

    def staged_value(self) -> Tensor:
        """Its staged value in the graph that is being traced, until the next write; an array, also
        if it has no dimensions."""
        return self._input(trace.current()).tensor.snapshot()

    def _locked(self):
        return WRITING if trace.current() is None else nullcontext()

    def _writable(self):
        recorder = trace.current()
        array = self._read()
        if recorder is not None:
            return array
        is_unshared = sys.getrefcount(array) <= 3 and threading.active_count() == 1
        is_free = is_unshared and not WRITE_WATCHERS and array.flags.writeable
        return array if is_free else array.copy()

    def _write(self, new):
        for watch in WRITE_WATCHERS:
            watch(self, self._read())
        recorder = trace.current()
        if recorder is None:
            self._array = new
            return
        tensor = self._input(recorder).tensor
        tensor._assign(new)
        if recorder.is_eager:
            self._array = recorder.private_copy(tensor._value)

    def assign(self, value: Any) -> Self:
        """Assigns an array of the same shape, with a dtype that casts to the variable's as
        `same_kind`.  Returns the variable.

        Raises `ValueError` for other shapes and `TypeError` for other dtypes.
        """
        value = stands_for(read(value))
        if trace.current() is not None:
            self._write(self._fitted(value))
            return self
        array = self._converted(value)
        with WRITING:
            self._write(array)
        return self

    def assign_add(self, value: Any) -> Self:
        """`v.assign(v + value)` as one step, which other threads do not interrupt; `v += value`."""
        return self.__iadd__(value)

    def assign_sub(self, value: Any) -> Self:
        """`v.assign(v - value)` as one step, which other threads do not interrupt; `v -= value`."""
        return self.__isub__(value)

    # -- assigned values ---------------------------------------------------------------------------

    def _converted(self, value):
        """A copy of a value, as an array of the variable's type."""
        kind, wanted = type(value), self._type
        if kind in NUMPY_TYPES and value.dtype is wanted.dtype and value.shape == wanted.shape:
            return np.array(value, order="C")
        plain = kind in SCALAR_KINDS
        array = value if plain else np.asarray(value)
        self._check_dtype(kind if plain else array.dtype)
        shape = () if plain else array.shape
        if shape != wanted.shape:
            raise self._another_shape(shape)
        return np.array(array, dtype=wanted.dtype, order="C")

    def _fitted(self, value):
        """A value as a staged value of the variable's type."""
        tensor = staged(value)
        kind = tensor.type
        self._check_dtype(kind.kind if isinstance(kind, PythonType) else kind.dtype)
        if len(kind.shape) != self.ndim:
            raise self._another_shape(kind.shape)
        for axis, (size, wanted) in enumerate(zip(kind.shape, self._type.shape, strict=True)):
            if isinstance(size, int) and size != wanted:
                raise self._another_shape(kind.shape)
            if not isinstance(size, int):
                text = self._shape_message(kind.shape)
                holds = apply(find("size"), tensor, axis=axis) == wanted
                apply(find("assert_"), holds, error=ValueError, arguments=(text,))
        if isinstance(self._type, BoxType):
            return cast(tensor[()] if isinstance(kind, BoxType) else tensor, self._type)
        return apply(find("stored"), cast(tensor, self._type))

    def _check_dtype(self, given):
        if not _can_hold(self._type.dtype, given):
            raise TypeError(another_dtype(self.described, self._type.dtype, given))

    def _another_shape(self, shape):
        return ValueError(self._shape_message(shape))

    def _shape_message(self, shape):
        return another_shape(self.described, self._type.shape, shape)

    # -- in a graph --------------------------------------------------------------------------------

    def _input(self, recorder) -> VariableInput:
        """The variable in a graph, whose input it becomes when it is first used."""
        variables = recorder.state(TraceVariables)
        known = variables.inputs.get(id(self))
        if recorder.is_eager:
            return self._computed_input(recorder, known)
        if known is None:
            if recorder.takes_feeds:
                raise staging_error(
                    f"the {self.described} is used in a graph that a session runs",
                    "Such a graph has no inputs other than those it is fed.",
                    "Use rt.function, or a placeholder.",
                    VariableError,
                )
            is_new = any(self is variable for variable, _ in variables.created)
            if self._array.__class__ is Uninitialized and not is_new:
                raise self._empty()
            value = recorder.input(self._type, trace.identifier(self.name or "variable"))
            known = VariableInput(self, Tensor(value, recorder.graph), value)
            variables.inputs[id(self)] = known
            recorder.state(ArrayInputs).add(known.tensor, value)
        return known

    def _computed_input(self, recorder, known):
        """The variable and its current value in an eager trace, and its first one: tapes take
        gradients with respect to that."""
        if known is None or known.tensor.eager_value() is not self._array:
            if self._array.__class__ is not np.ndarray:
                raise self._empty()
            value = recorder.constant(self._array)
            first = value if known is None else known.value
            known = VariableInput(self, Tensor(value, recorder.graph), first)
            recorder.state(TraceVariables).inputs[id(self)] = known
        return known

    def _empty(self):
        return staging_error(
            f"the {self.described} has no value",
            "It was created by a run that ended before its initial value was computed.",
            "Create it again.",
            VariableError,
        )

    def _create_in(self, recorder):
        """Notes that the graph that is being traced creates the variable."""
        if recorder.is_staged_block:
            raise staging_error(
                "a variable is created in a staged branch or loop",
                "Whether, and how often, it is created would depend on the run.",
                "Create it before the branch or loop, or outside of the function.",
                VariableError,
            )
        variables = recorder.state(TraceVariables)
        if not variables.may_create:
            raise staging_error(
                "a variable is created by a function that has created its variables before",
                "A function may create variables only while it is traced for the first time: later "
                "ones would be other variables in every graph.",
                "Create it once: `if self.v is None: self.v = rt.Variable(...)`, or outside of the "
                "function.",
                VariableError,
            )
        variables.created.append((self, users_location()))

    def _create_staged(self, initial, dtype):
        """Creates it with an initial value that the run computes and assigns."""
        if not all(isinstance(size, int) for size in initial.type.shape):
            raise staging_error(
                f"a variable is created from {initial.staged_value}, which has an unknown size",
                "The shape of a variable is fixed.",
                "Create it from a value whose shape is known.",
                VariableError,
            )
        wanted = tensor_type(initial.dtype if dtype is None else dtype).dtype
        self._type, self._array = array_type(wanted, initial.type.shape), Uninitialized()
        self.assign(initial.astype(wanted))

    # -- copies ------------------------------------------------------------------------------------

    def __copy__(self) -> "Variable":
        return Variable(self.value, self.name, self.dtype, self.trainable)

    def __deepcopy__(self, memo) -> "Variable":
        return copy.copy(self)

    def __reduce__(self):
        return Variable, (np.array(self._read()), self.name, self.dtype, self.trainable)


def _can_hold(dtype, given):
    """Whether a variable of a dtype can hold scalars of another dtype, or of a Python type."""
    if isinstance(given, type):
        return dtype.kind in SCALAR_KINDS[given]
    return np.can_cast(given, dtype, "same_kind")


def known_value(value: Any, recorder: trace.Trace) -> Any:
    """The constant that a staged value is in every run; other values are returned unchanged."""
    if not isinstance(value, Tensor):
        return value
    makers = {made: node for node in recorder.graph.nodes for made in node.outputs}

    def known(operand):
        if not isinstance(operand, Value):
            return operand
        node = makers.get(operand)
        if node is None or node.op.effect or node.regions or len(node.outputs) > 1:
            raise LookupError
        return node.op.evaluate(np, tuple(map(known, node.inputs)), node.attributes)

    try:
        return known(value._value)
    except LookupError:
        return value
