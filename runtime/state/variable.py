"""Variables: arrays that functions read and write, and that stay.

    w = rt.Variable(np.zeros(3))

    @rt.function
    def step(x):                    graph: takes w and x, hands out w_1 = w - 0.1 * x
        w.assign_sub(0.1 * x)       a run: w holds w_1 afterwards

A variable holds an array that nobody ever writes into while somebody else can see it: whoever
writes makes another array, and puts it there at once.  So a run that only reads needs no lock, and
sees whole arrays; runs that write, and writes outside of graphs, happen one after the other.

While a graph is recorded the variable stands for a staged value, and the array stays as it is.
"""

import copy
import itertools
import sys
import threading
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, Self

import numpy as np

from runtime.errors import staging_error, users_location
from runtime.ir.graph import Value
from runtime.ir.op import find
from runtime.ir.types import DTYPE_NAMES, SCALAR_KINDS, BoxType, PythonType, array_type, tensor_type
from runtime.state.trace_variables import TraceVariables, VariableInput
from runtime.tracing import trace
from runtime.tracing.array_inputs import ArrayInputs
from runtime.tracing.array_like import ArrayLike, read
from runtime.tracing.conversion import cast
from runtime.tracing.tensor import Tensor, apply, staged, unwrap_all

# Held by a run that writes variables, and by writes outside of graphs.
WRITING = threading.RLock()

# What wants to know of writes: called with the variable and what it holds, before it is written.
WRITE_WATCHERS: list[Callable[["Variable", Any], None]] = []

# What arrays and scalars of NumPy's are.
NUMPYS = frozenset([np.ndarray, *(dtype.type for dtype in DTYPE_NAMES)])

_serial = itertools.count(1)


class HoldsVariables:
    """A class of the runtime's own whose objects hold variables in their attributes (a layer, an
    optimizer): graphs look at all their attributes, as they do not look at the code that uses
    them."""

    __slots__ = ()


class Nothing:
    """What a variable holds that was created by a run which has not come to its initial value."""


class Variable(ArrayLike):
    """An array of a fixed dtype and shape that functions read and write.

    It works like the array: with operators, NumPy's functions, methods, items.  What is read of it
    never shares its memory: `v[1:]`, `v.T` and `np.asarray(v)` are copies.  `v[1:] = x`, `v += x`
    and `assign` write into it; a second name of it is the same variable.

    >>> v = Variable([1.0, 2.0])
    >>> v += 1
    >>> v[0] = 5
    >>> v
    <rt.Variable: array([5., 3.])>
    """

    __slots__ = ("__weakref__", "_array", "_serial", "_type", "name", "trainable")

    def __init__(self, initial: Any, name: str | None = None, dtype=None, trainable: bool = True):
        """`initial`: anything that NumPy makes an array of; it gives the shape and, unless `dtype`
        says it, the dtype.

        Raises `TypeError` for dtypes that graphs do not carry.  In an `rt.function` see
        `_create_staged`.
        """
        self.name, self.trainable, self._serial = name, bool(trainable), next(_serial)
        recorder, initial = trace.current(), read(initial)
        if recorder is not None and recorder.is_eager:
            initial = unwrap_all(initial)
        elif recorder is not None:
            self._create_in(recorder)
            initial = known_value(initial, recorder)
        if isinstance(initial, Tensor):
            self._create_staged(initial, dtype)
            return
        array = np.array(initial, dtype=dtype, order="C")
        self._type = array_type(tensor_type(array.dtype).dtype, array.shape)
        self._array: Any = array.astype(self._type.dtype, copy=False)

    # -- what is known -----------------------------------------------------------------------------

    @property
    def dtype(self) -> np.dtype:
        """The dtype, which stays."""
        return self._type.dtype

    @property
    def shape(self) -> tuple:
        """The shape, which stays."""
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
        """What it holds now: an array of its own, or NumPy's scalar where there are no
        dimensions."""
        return self[...] if self._type.shape else self[()]

    def numpy(self) -> Any:
        """What it holds now, as `value` gives it."""
        return self.value

    @property
    def described(self) -> str:
        """What messages call it."""
        kind = "rt.Variable" if self.name is None else f"variable {self.name!r}"
        return f"{kind} of {self._type}"

    def __str__(self):
        return str(self._read())

    def __repr__(self):
        has_value = trace.current() is not None or isinstance(self._array, np.ndarray)
        return f"<{self.title}: {self.value!r}>" if has_value else f"<{self.title}>"

    @property
    def title(self) -> str:
        """What its `repr` begins with."""
        return "rt.Variable" if self.name is None else f"rt.Variable {self.name}"

    def __format__(self, spec):
        return format(self._read() if self._type.shape else self._read()[()], spec)

    # -- reads and writes --------------------------------------------------------------------------

    def _read(self) -> Any:
        """What it holds: a staged value in a graph, else the array, which must not be changed."""
        recorder = trace.current()
        if recorder is not None:
            return self._input(recorder).tensor.snapshot()
        if self._array.__class__ is not np.ndarray:
            raise self._empty()
        return self._array

    def staged_value(self) -> Tensor:
        """What it stands for in the graph that is being recorded: the same value of the graph until
        it is written.  Of a variable without dimensions, an array without dimensions."""
        return self._input(trace.current()).tensor.snapshot()

    def _locked(self):
        return WRITING if trace.current() is None else nullcontext()

    def _writable(self):
        recorder = trace.current()
        array = self._read()
        if recorder is not None:
            return array
        nobody_looks = sys.getrefcount(array) <= 3 and threading.active_count() == 1
        is_free = nobody_looks and not WRITE_WATCHERS and array.flags.writeable
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
        """Gives it other elements: an array of the same shape, whose dtype can be cast to that of
        the variable as `same_kind`.  Returns the variable.

        Raises `ValueError` for other shapes, `TypeError` for other kinds of numbers.
        """
        value = read(value)
        if trace.current() is not None:
            self._write(self._fitted(value))
            return self
        array = self._converted(value)
        with WRITING:
            self._write(array)
        return self

    def assign_add(self, value: Any) -> Self:
        """`v.assign(v + value)`, which no other thread gets between; what `v += value` does."""
        return self.__iadd__(value)

    def assign_sub(self, value: Any) -> Self:
        """`v.assign(v - value)`, which no other thread gets between; what `v -= value` does."""
        return self.__isub__(value)

    # -- what is assigned --------------------------------------------------------------------------

    def _converted(self, value):
        """A value as an array of the variable's type, in memory of its own."""
        kind, wanted = type(value), self._type
        if kind in NUMPYS and value.dtype is wanted.dtype and value.shape == wanted.shape:
            return np.array(value, order="C")
        plain = kind in SCALAR_KINDS
        array = value if plain else np.asarray(value)
        self._check_dtype(kind if plain else array.dtype)
        shape = () if plain else array.shape
        if shape != wanted.shape:
            raise self._another_shape(shape)
        return np.array(array, dtype=wanted.dtype, order="C")

    def _fitted(self, value):
        """A value as a staged one of the variable's type."""
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
            name = given.__name__ if isinstance(given, type) else given.name
            raise TypeError(
                f"the {self.described} is assigned {'a' if name[0] not in 'aiu' else 'an'} {name}\n"
                f"A variable keeps its dtype, and {name} is not of the same kind.\n"
                f"Convert it: np.asarray(x).astype(np.{self._type.dtype.name})."
            )

    def _another_shape(self, shape):
        return ValueError(self._shape_message(shape))

    def _shape_message(self, shape):
        return (
            f"the {self.described} is assigned an array of shape {_shown(shape)}\n"
            f"A variable keeps its shape, and nothing is broadcast by itself.\n"
            f"Assign np.broadcast_to(x, {self._type.shape}), or write into it: v[...] = x."
        )

    # -- in a graph --------------------------------------------------------------------------------

    def _input(self, recorder) -> VariableInput:
        """The variable in a graph; an input of it from its first use on."""
        variables = recorder.state(TraceVariables)
        known = variables.inputs.get(id(self))
        if recorder.is_eager:
            return self._computed_input(recorder, known)
        if known is None:
            if recorder.takes_feeds:
                raise staging_error(
                    f"the {self.described} is used in a graph that a session runs",
                    "Such a graph has nothing but what it is fed with.",
                    "Use rt.function, or a placeholder.",
                )
            is_new = any(self is variable for variable, _ in variables.created)
            if self._array.__class__ is Nothing and not is_new:
                raise self._empty()
            value = recorder.input(self._type, trace.identifier(self.name or "variable"))
            known = VariableInput(self, Tensor(value, recorder.graph), value)
            variables.inputs[id(self)] = known
            recorder.state(ArrayInputs).add(known.tensor, value)
        return known

    def _computed_input(self, recorder, known):
        """The variable where operations are computed as they are recorded, as it is now."""
        if known is None or known.tensor.eager_value() is not self._array:
            if self._array.__class__ is not np.ndarray:
                raise self._empty()
            value = recorder.constant(self._array)
            known = VariableInput(self, Tensor(value, recorder.graph), value)
            recorder.state(TraceVariables).inputs[id(self)] = known
        return known

    def _empty(self):
        return staging_error(
            f"the {self.described} has no value",
            "It was created by a run that has ended before it came to its initial value.",
            "Create it again.",
        )

    def _create_in(self, recorder):
        """Notes that a graph which is being recorded creates the variable."""
        if recorder.is_staged_block:
            raise staging_error(
                "a variable is created in a staged branch or loop",
                "Whether, and how often, it is created would depend on the run.",
                "Create it before the branch or loop, or outside of the function.",
            )
        variables = recorder.state(TraceVariables)
        if not variables.may_create:
            raise staging_error(
                "a variable is created by a function that has created its variables before",
                "A function may create variables the first time that it is recorded, and keeps "
                "them: what it creates later would be another variable in every graph.",
                "Create it once: `if self.v is None: self.v = rt.Variable(...)`, or outside of the "
                "function.",
            )
        variables.created.append((self, users_location()))

    def _create_staged(self, initial, dtype):
        """Creates it with an initial value that the run computes: it is assigned there."""
        if not all(isinstance(size, int) for size in initial.type.shape):
            raise staging_error(
                f"a variable is created from {initial!r}, of which a size is not known",
                "A variable has a shape that stays.",
                "Give it a value whose shape is known.",
            )
        wanted = tensor_type(initial.dtype if dtype is None else dtype).dtype
        self._type, self._array = array_type(wanted, initial.type.shape), Nothing()
        self.assign(initial.astype(wanted))

    # -- copies ------------------------------------------------------------------------------------

    def __copy__(self) -> "Variable":
        return Variable(self.value, self.name, self.dtype, self.trainable)

    def __deepcopy__(self, memo) -> "Variable":
        return copy.copy(self)

    def __reduce__(self):
        return Variable, (np.array(self._read()), self.name, self.dtype, self.trainable)


def _can_hold(dtype, given):
    """Whether a variable of a dtype can hold numbers of a dtype, or of a type of Python's."""
    if isinstance(given, type):
        return dtype.kind in SCALAR_KINDS[given]
    return np.can_cast(given, dtype, "same_kind")


def known_value(value: Any, recorder: trace.Trace) -> Any:
    """The value of a staged value that is the same in every run; any other as it is."""
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


def _shown(shape):
    sizes = ["?" if size is None else str(size) for size in shape]
    return f"({sizes[0]},)" if len(sizes) == 1 else f"({', '.join(sizes)})"
