"""What a call gives, made anew by every run: from what the graph computes, and what is known.

    return x * 2, [y, "ok"], Point(x, y)

    graph hands out:  x * 2, y, x, y
    template:         (computed, [computed, 'ok'], Point with x = computed, y = computed)

Arguments come out as they came in; objects that the function has made are made by every run,
without their constructors, which have run while the graph was recorded.
"""

import contextlib
import functools
import operator
import weakref
from collections.abc import Iterator
from dataclasses import dataclass
from types import FunctionType, GeneratorType
from typing import Any

import numpy as np

from autograph.functions.policy import is_users_class
from autograph.staging.object_state import attributes, object_with
from runtime.errors import staging_error
from runtime.ir.graph import Operand, operand_type
from runtime.ir.pytree import flatten
from runtime.ir.types import DTYPE_NAMES
from runtime.staging.lists.trace_list import TraceList
from runtime.tracing.aliases import is_view, root_of
from runtime.tracing.array_inputs import ArrayInputs
from runtime.tracing.array_like import ArrayLike
from runtime.tracing.maybe import MaybeNone, MaybeUnbound
from runtime.tracing.tensor import Tensor, staged
from runtime.tracing.tensor import operand as operand_of
from runtime.tracing.trace import Trace


@dataclass(frozen=True)
class Output:
    """An output of the graph; if `optional`, another output says whether it is None instead."""

    optional: bool = False


@dataclass(frozen=True)
class Argument:
    """An argument, or something in one, as it came: the parameter's number, keys from there on."""

    way: tuple


@dataclass(frozen=True)
class Updated:
    """An array of the caller's that the function has written into: that array, and no copy.

    `is_view`: a view of it, which the graph hands out as one of what the array holds in the end.
    """

    place: int
    is_view: bool = False


@dataclass(frozen=True, eq=False)
class Const:
    """A value of Python's that is the same in every run."""

    value: Any


@dataclass(frozen=True, eq=False)
class VariableRef:
    """A variable, which others keep: the check of a call finds it, or another graph is needed."""

    reference: Any

    @property
    def value(self) -> Any:
        """The variable."""
        return self.reference()


@dataclass(frozen=True, eq=False)
class Container:
    """A tuple, list or dict, or, with a `serial` number, an object of the user's."""

    kind: type
    keys: tuple
    parts: tuple
    serial: int | None = None


@dataclass(frozen=True)
class Ref:
    """The object that was made under a serial number."""

    serial: int


Template = Output | Argument | Updated | Const | VariableRef | Container | Ref


class OutputTemplate:
    """The template of a value, and the operands that a graph has to hand out for it."""

    def __init__(self, value: Any, recorder: Trace, arguments: dict[int, tuple]):
        """`arguments` are the ways to what the function is given, by identity."""
        self.operands: list[Operand] = []
        self._recorder = recorder
        self._arguments = arguments
        self._made: dict[int, tuple[int, Any]] = {}
        self.template = self._template(value)

    @property
    def is_one_output(self) -> bool:
        """Whether it is what the graph hands out, and nothing else."""
        return isinstance(self.template, Output) and not self.template.optional

    # -- while the graph is recorded ---------------------------------------------------------------

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
            return Argument(self._arguments[id(value)])
        if kind is dict:
            return Container(kind, tuple(value), tuple(map(self._template, value.values())))
        if kind in (list, tuple) or isinstance(value, tuple) and hasattr(kind, "_fields"):
            return Container(kind, (), tuple(map(self._template, value)))
        if is_users_class(kind) and holds_staged(value):
            return self._object(value)
        if isinstance(value, ArrayLike):
            return VariableRef(weakref.ref(value))
        _refuse_what_keeps(value)
        return Const(value)

    def _written(self, value) -> int | None:
        """Which input of the graph an array is, if the function has written into it."""
        given = self._recorder.state(ArrayInputs).input_of(value)
        if given is None or value._value is given:
            return None
        return self._recorder.graph.inputs.index(given)

    def _object(self, value):
        if id(value) in self._made:
            return Ref(self._made[id(value)][0])
        serial = len(self._made)
        self._made[id(value)] = serial, value
        held = attributes(value)
        parts = tuple(map(self._template, held.values()))
        return Container(type(value), tuple(held), parts, serial)

    # -- in a run ----------------------------------------------------------------------------------

    def made(self, found: Iterator, bound: tuple, inputs: tuple, finals: dict[int, Any]) -> Any:
        """The value, from what the graph has handed out, the arguments in order, the graph's
        inputs, and what those of them that are written into hold in the end."""
        return _made(self.template, found, (bound, inputs, finals), {})

    def shown(self, types: Iterator) -> str:
        """The value as it is shown, with the types of what is computed."""
        return _shown(self.template, types)


def _refuse_what_keeps(value):
    """Raises `StagingError` for what would go on to work with staged values after the recording."""
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
            f"a {type(value).__name__} is returned that works with staged values",
            "They have no values once the graph is recorded.",
            "Return what it gives: a list, an array, or numbers.",
        )


def _made(template, found, given, objects):
    match template:
        case Output(optional=False):
            return next(found)
        case Output():
            value, is_none = next(found), next(found)
            return None if is_none else value
        case Argument(way):
            return functools.reduce(operator.getitem, way, given[0])
        case Updated(place, is_view=False):
            return given[1][place]
        case Updated(place):
            return _same_view(next(found), given[2][place], given[1][place])
        case Const() | VariableRef():
            return template.value
        case Ref(serial):
            return objects[serial]
    parts = [_made(part, found, given, objects) for part in template.parts]
    if template.serial is not None:
        held = dict(zip(template.keys, parts, strict=True))
        made = objects[template.serial] = object_with(template.kind, held)
        return made
    if template.kind is dict:
        return dict(zip(template.keys, parts, strict=True))
    return template.kind(parts) if template.kind in (list, tuple) else template.kind(*parts)


def _same_view(view, of, array):
    """The view of an array that a view is of another one with the same contents."""
    plain = of.flags.c_contiguous and array.flags.c_contiguous
    if not (plain and np.may_share_memory(view, of) and view.dtype == of.dtype):
        return view
    start = (view.__array_interface__["data"][0] - of.__array_interface__["data"][0]) // of.itemsize
    return np.lib.stride_tricks.as_strided(array.reshape(-1)[start:], view.shape, view.strides)


def _shown(template, types):
    match template:
        case Updated(is_view=True):
            return str(next(types))
        case Output(optional):
            shown = str(next(types))
            if optional:
                next(types)
            return f"{shown} or None" if optional else shown
        case Argument() | Updated():
            return "an argument"
        case Const() | VariableRef():
            return repr(template.value)
        case Ref():
            return "the same object"
    parts = [_shown(part, types) for part in template.parts]
    if template.serial is not None:
        pairs = zip(template.keys, parts, strict=True)
        return f"{template.kind.__name__}({', '.join(f'{name}={text}' for name, text in pairs)})"
    if template.kind is dict:
        pairs = zip(template.keys, parts, strict=True)
        return "{" + ", ".join(f"{key!r}: {text}" for key, text in pairs) + "}"
    return f"[{', '.join(parts)}]" if template.kind is list else f"({', '.join(parts)})"


def output_types(operands: list[Operand]) -> Iterator:
    """The types of what a graph hands out."""
    return map(operand_type, operands)


def holds_staged(value: Any, seen: frozenset = frozenset()) -> bool:
    """Whether a value is staged, or something staged is in it, however deep."""
    if isinstance(value, Tensor) or isinstance(value, TraceList) and value.value is not None:
        return True
    if id(value) in seen:
        return False
    seen = seen | {id(value)}
    leaves, structure = flatten(list(value) if isinstance(value, TraceList) else value)
    if structure.kind is not None:
        return any(holds_staged(leaf, seen) for leaf in leaves)
    if not is_users_class(type(value)) or isinstance(value, type):
        return False
    return any(holds_staged(held, seen) for held in attributes(value).values())
