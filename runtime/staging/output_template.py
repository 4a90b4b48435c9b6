"""The output template: rebuilds the result of a call from graph outputs and constants.

    return x * 2, [y, "ok"], Point(x, y)

    graph outputs:    x * 2, y, x, y
    template:         (output, [output, 'ok'], Point with x = output, y = output)

Arguments are returned as they were passed.  Objects that the function creates are created by each
run, without their constructors, which have run while tracing.
"""

import contextlib
import functools
import operator
import weakref
from collections import OrderedDict, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from types import FunctionType, GeneratorType
from typing import Any

import numpy as np

from autograph.functions.policy import is_users_class
from autograph.staging.object_state import attributes, object_with
from runtime.errors import ResultError, staging_error
from runtime.ir.graph import Operand, operand_type
from runtime.ir.pytree import is_dict
from runtime.ir.types import DTYPE_NAMES
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.staged_values import holds_staged
from runtime.tracing.aliases import is_view, root_of
from runtime.tracing.array_inputs import ArrayInputs
from runtime.tracing.array_like import ArrayLike
from runtime.tracing.maybe import MaybeNone, MaybeUnbound
from runtime.tracing.tensor import Tensor, staged
from runtime.tracing.tensor import operand as operand_of
from runtime.tracing.trace import Trace

DICTIONARIES = (dict, OrderedDict, defaultdict)


@dataclass(frozen=True)
class Output:
    """An output of the graph; if `optional`, another output says whether the value is None."""

    optional: bool = False


@dataclass(frozen=True)
class ArgumentRef:
    """An argument, or an item in one: the index of the parameter, then the keys."""

    path: tuple


@dataclass(frozen=True)
class Updated:
    """An array of the caller that the function has written into.

    `is_view`: a view of it, which the graph returns as a view of the final elements.
    """

    index: int
    is_view: bool = False


@dataclass(frozen=True, eq=False)
class Const:
    """A Python value that is the same in every run."""

    value: Any


@dataclass(frozen=True, eq=False)
class VariableRef:
    """A variable, held weakly: the guard finds it, or the call needs another graph."""

    reference: Any

    @property
    def value(self) -> Any:
        """The variable."""
        return self.reference()


@dataclass(frozen=True, eq=False)
class ContainerTemplate:
    """A tuple, list or dict, or, if it has a `serial` number, an object of a user's class."""

    kind: type
    keys: tuple
    parts: tuple
    serial: int | None = None
    default: Any = None  # the factory of a defaultdict


@dataclass(frozen=True)
class Ref:
    """The object with a serial number, which is in the template already."""

    serial: int


Template = Output | ArgumentRef | Updated | Const | VariableRef | ContainerTemplate | Ref


@dataclass(frozen=True)
class RunValues:
    """The results of a run, from which templates rebuild values.

    `outputs` are those of the graph, taken in order; `arguments` those of the call; `inputs` those
    of the graph; `updated` has the final elements of each input that the run has written into.
    """

    outputs: Iterator[Any]
    arguments: tuple
    inputs: tuple
    updated: dict[int, Any]


class OutputTemplate:
    """The template of a value, and the operands that the graph has to return for it."""

    def __init__(self, value: Any, recorder: Trace, arguments: dict[int, tuple]):
        """`arguments` are the paths to the arguments and the containers in them, by identity."""
        self.operands: list[Operand] = []
        self._recorder = recorder
        self._arguments = arguments
        self._objects: dict[int, tuple[int, Any]] = {}
        self.template = self._template(value)

    @property
    def is_one_output(self) -> bool:
        """Whether the value is the graph's only output."""
        return isinstance(self.template, Output) and not self.template.optional

    # -- while tracing -----------------------------------------------------------------------------

    def _template(self, value) -> Template:
        if isinstance(value, MaybeUnbound):
            value = value.returned()
        if isinstance(value, TraceList):
            value = value.contents()
            value = list(value) if isinstance(value, tuple) else value
        kind = type(value)
        if kind is np.ndarray and value.dtype in DTYPE_NAMES and id(value) not in self._arguments:
            value = staged(value)  # an array of its own for every call
        if isinstance(value, MaybeNone):
            self.operands += [value.unchecked()._value, operand_of(value.is_none, self._recorder)]
            return Output(optional=True)
        written = self._written(root_of(value))
        if written is not None and not is_view(value):
            return Updated(written)
        if isinstance(value, Tensor):
            self.operands.append(operand_of(value, self._recorder))
            return Output() if written is None else Updated(written, is_view=True)
        if id(value) in self._arguments:
            return ArgumentRef(self._arguments[id(value)])
        if is_dict(kind):
            return ContainerTemplate(dict, tuple(value), tuple(map(self._template, value.values())))
        if kind in (OrderedDict, defaultdict):
            parts = tuple(map(self._template, value.values()))
            default = getattr(value, "default_factory", None)
            return ContainerTemplate(kind, tuple(value), parts, default=default)
        if kind in (list, tuple) or isinstance(value, tuple) and hasattr(kind, "_fields"):
            return ContainerTemplate(kind, (), tuple(map(self._template, value)))
        if is_users_class(kind) and holds_staged(value):
            return self._object(value)
        if isinstance(value, ArrayLike):
            return VariableRef(weakref.ref(value))
        _refuse_lazy(value)
        return Const(value)

    def _written(self, value) -> int | None:
        """The index of the input that an array is, if the function has written into it."""
        given = self._recorder.state(ArrayInputs).input_of(value)
        if given is None or value._value is given:
            return None
        return self._recorder.graph.inputs.index(given)

    def _object(self, value):
        if id(value) in self._objects:
            return Ref(self._objects[id(value)][0])
        serial = len(self._objects)
        self._objects[id(value)] = serial, value
        held = attributes(value)
        parts = tuple(map(self._template, held.values()))
        return ContainerTemplate(type(value), tuple(held), parts, serial)

    # -- after a run -------------------------------------------------------------------------------

    def rebuilt(self, run: RunValues) -> Any:
        """The value for a run; takes its outputs from `run.outputs`."""
        return _rebuilt(self.template, run, {})

    def described(self, types: Iterator) -> str:
        """The value as error messages and `pretty_printed` show it, with the types of outputs."""
        return _described(self.template, types)


def _refuse_lazy(value):
    """Raises `StagingError` for values that would use staged values after tracing."""
    held: list = []
    if isinstance(value, FunctionType):
        for cell in value.__closure__ or ():
            with contextlib.suppress(ValueError):
                held.append(cell.cell_contents)
    elif isinstance(value, functools.partial):
        held = [*value.args, *value.keywords.values()]
    is_lazy = isinstance(value, (GeneratorType, map, filter, zip, enumerate))
    if is_lazy or any(map(holds_staged, held)):
        raise staging_error(
            f"the function returns a {type(value).__name__} that works with staged values",
            "They have no values after the graph is built.",
            "Return its results: a list, an array, or numbers.",
            ResultError,
        )


def _rebuilt(template, run, objects):
    match template:
        case Output(optional=False):
            return next(run.outputs)
        case Output():
            value, is_none = next(run.outputs), next(run.outputs)
            return None if is_none else value
        case ArgumentRef(path):
            return functools.reduce(operator.getitem, path, run.arguments)
        case Updated(index, is_view=False):
            return run.inputs[index]
        case Updated(index):
            return _same_view(next(run.outputs), run.updated[index], run.inputs[index])
        case Const() | VariableRef():
            return template.value
        case Ref(serial):
            return objects[serial]
    parts = [_rebuilt(part, run, objects) for part in template.parts]
    if template.serial is not None:
        held = dict(zip(template.keys, parts, strict=True))
        made = objects[template.serial] = object_with(template.kind, held)
        return made
    if template.kind is defaultdict:
        return defaultdict(template.default, zip(template.keys, parts, strict=True))
    if template.kind in DICTIONARIES:
        return template.kind(zip(template.keys, parts, strict=True))
    return template.kind(parts) if template.kind in (list, tuple) else template.kind(*parts)


def _same_view(view, of, array):
    """The view of `array` that a view is of another array with the same contents."""
    plain = of.flags.c_contiguous and array.flags.c_contiguous
    if not (plain and np.may_share_memory(view, of) and view.dtype == of.dtype):
        return view
    start = (view.__array_interface__["data"][0] - of.__array_interface__["data"][0]) // of.itemsize
    return np.lib.stride_tricks.as_strided(array.reshape(-1)[start:], view.shape, view.strides)


def _described(template, types):
    match template:
        case Updated(is_view=True):
            return str(next(types))
        case Output(optional):
            shown = str(next(types))
            if optional:
                next(types)
            return f"{shown} or None" if optional else shown
        case ArgumentRef() | Updated():
            return "an argument"
        case Const() | VariableRef():
            return repr(template.value)
        case Ref():
            return "the same object"
    parts = [_described(part, types) for part in template.parts]
    if template.serial is not None:
        pairs = zip(template.keys, parts, strict=True)
        return f"{template.kind.__name__}({', '.join(f'{name}={text}' for name, text in pairs)})"
    if template.kind in DICTIONARIES:
        pairs = zip(template.keys, parts, strict=True)
        return "{" + ", ".join(f"{key!r}: {text}" for key, text in pairs) + "}"
    return f"[{', '.join(parts)}]" if template.kind is list else f"({', '.join(parts)})"


def output_types(operands: list[Operand]) -> Iterator:
    """The types of a graph's outputs."""
    return map(operand_type, operands)
