"""The output template: rebuilds the result of a call from graph outputs and constants.

    return x * 2, [y, "ok"], Point(x, y)

    graph outputs:    x * 2, y, x, y
    template:         (output, [output, 'ok'], Point with x = output, y = output)

Arguments, and containers that other code has made, are returned as they are.  Those that the
function makes are made by each run, once for each place that refers to them; objects without their
constructors, which have run while tracing.
"""

import functools
import operator
import weakref
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Container, Iterator
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from autograph.functions.policy import is_users_class
from autograph.staging.dunder_methods import NewObjects
from autograph.staging.object_state import attributes, fill
from runtime.errors import ResultError, staging_error
from runtime.ir.graph import Operand, operand_type
from runtime.ir.pytree import is_dict
from runtime.ir.types import DTYPE_NAMES
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.refused_results import refuse_result
from runtime.staging.staged_values import holds_staged
from runtime.tracing.aliases import is_view, root_of
from runtime.tracing.array_inputs import ArrayInputs
from runtime.tracing.array_like import ArrayLike
from runtime.tracing.maybe import MaybeNone, MaybeUnbound
from runtime.tracing.tensor import Tensor, staged
from runtime.tracing.tensor import operand as operand_of
from runtime.tracing.trace import Trace

DICTIONARIES = (dict, OrderedDict, defaultdict, Counter)
COLLECTIONS = (list, set, deque, bytearray)
SUBCLASSED = (dict, list, set)  # by the user's classes
_REFILL = {dict: dict.update, list: list.extend, set: set.update}


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
    """A container, or an object of a user's class, whose attributes are the parts then.

    It has a `serial` number if other places refer to it.
    """

    kind: type
    keys: tuple
    parts: tuple
    serial: int | None = None
    default: Any = None  # the factory of a defaultdict, the greatest length of a deque
    base: type | None = None  # of an object: a builtin container, whose contents are the last part

    @property
    def is_object(self) -> bool:
        """Whether it is an object of a user's class."""
        return self.base is not None


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
    made: dict[int, Any] = field(default_factory=dict)  # by serial number


class MadeContainers:
    """The containers in the templates of one graph, by identity, and those that are shared."""

    def __init__(self) -> None:
        self._serials: dict[int, tuple[int, Any]] = {}
        self.open: set[int] = set()  # whose parts are not known yet
        self.shared: set[int] = set()

    def add(self, value: Any) -> int:
        """The serial number of a new container."""
        serial = len(self._serials)
        self._serials[id(value)] = serial, value
        return serial

    def found(self, value: Any) -> "Ref | None":
        """The reference to a container that is in a template already."""
        if id(value) not in self._serials:
            return None
        serial = self._serials[id(value)][0]
        if serial in self.open and isinstance(value, tuple):
            raise staging_error(
                "a tuple that contains itself is returned or stored",
                "Each run makes the tuple, after its items.",
                "Use a list.",
                ResultError,
            )
        self.shared.add(serial)
        return Ref(serial)


class OutputTemplate:
    """The template of a value, and the operands that the graph has to return for it."""

    def __init__(
        self,
        value: Any,
        recorder: Trace,
        arguments: dict[int, tuple],
        outside: Container[int] = (),
    ):
        """`arguments` are the paths to the arguments and the containers in them, by identity;
        `outside` has the containers that other code has made, and each call finds again."""
        self.operands: list[Operand] = []
        self.returned: list[Any] = []  # of those in `outside`
        self._recorder = recorder
        self._arguments = arguments
        self._outside = outside
        self._made = recorder.state(MadeContainers)
        self.template = self._template(value)

    def settle(self) -> None:
        """Drops the serial numbers of containers to which one place refers, when all are known."""
        self.template = _settled(self.template, self._made.shared)

    @property
    def is_one_output(self) -> bool:
        """Whether the value is the graph's only output."""
        return isinstance(self.template, Output) and not self.template.optional

    # -- while tracing -----------------------------------------------------------------------------

    def _template(self, value) -> Template:
        if isinstance(value, MaybeUnbound):
            value = value.returned()
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
        if id(value) in self._outside:
            self.returned.append(value)
            return Const(value)
        if isinstance(value, ArrayLike):
            return VariableRef(weakref.ref(value))
        return self._made.found(value) or self._container(value, kind)

    def _container(self, value, kind) -> Template:
        """The template of a container that the function has made, which is met for the first
        time; of any other object a constant."""
        if self._is_object(value, kind):
            held = attributes(value)
            base = next((one for one in SUBCLASSED if isinstance(value, one)), object)
            keys, items = tuple(held), [*held.values()]
            if base is not object:
                items.append(base(base.copy(value)))
            return self._parts(value, kind, keys, items, base=base)
        if isinstance(value, TraceList):
            contents = value.contents()
            if not isinstance(contents, tuple):
                return self._template(contents)
            return self._parts(value, list, (), contents)
        if is_dict(kind) or kind in DICTIONARIES:
            default = getattr(value, "default_factory", None)
            kind = dict if is_dict(kind) else kind
            return self._parts(value, kind, tuple(value), value.values(), default=default)
        if kind in COLLECTIONS:
            default = getattr(value, "maxlen", None)
            return self._parts(value, kind, (), tuple(value), default=default)
        if kind is tuple or is_named_tuple(value):
            return self._parts(value, kind, (), value)
        refuse_result(value, self._recorder)
        return Const(value)

    def _is_object(self, value, kind):
        """Whether each run makes the object, with its attributes: one that the function has made,
        or that holds staged values."""
        if kind is SimpleNamespace:
            return True
        if not is_users_class(kind) or isinstance(value, type) or is_named_tuple(value):
            return False
        is_container = isinstance(value, SUBCLASSED)
        return is_container or id(value) in self._recorder.state(NewObjects) or holds_staged(value)

    def _parts(self, value, kind, keys, items, **options):
        serial = self._made.add(value)
        self._made.open.add(serial)
        parts = tuple(map(self._template, items))
        self._made.open.remove(serial)
        return ContainerTemplate(kind, keys, parts, serial, **options)

    def _written(self, value) -> int | None:
        """The index of the input that an array is, if the function has written into it."""
        given = self._recorder.state(ArrayInputs).input_of(value)
        if given is None or value._value is given:
            return None
        return self._recorder.graph.inputs.index(given)

    # -- after a run -------------------------------------------------------------------------------

    def rebuilt(self, run: RunValues) -> Any:
        """The value for a run; takes its outputs from `run.outputs`."""
        return _rebuilt(self.template, run)

    def described(self, types: Iterator) -> str:
        """The value as error messages and `pretty_printed` show it, with the types of outputs."""
        return _described(self.template, types)


def is_named_tuple(value: Any) -> bool:
    """Whether a value is an object of a class that `namedtuple` has made."""
    return isinstance(value, tuple) and hasattr(type(value), "_fields")


def _rebuilt(template, run):
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
            return run.made[serial]
    if isinstance(template.kind, type) and issubclass(template.kind, tuple):
        parts = [_rebuilt(part, run) for part in template.parts]
        made = template.kind(parts) if template.kind is tuple else template.kind(*parts)
        if template.serial is not None:
            run.made[template.serial] = made
        return made
    return _filled(template, run)


def _filled(template, run):
    """A container that is made before its parts, which may refer to it."""
    made = _empty(template)
    if template.serial is not None:
        run.made[template.serial] = made
    parts = [_rebuilt(part, run) for part in template.parts]
    if template.is_object:
        fill(made, dict(zip(template.keys, parts, strict=False)))
        if template.base is not object:
            _REFILL[template.base](made, parts[-1])
    elif template.kind in DICTIONARIES:
        for key, part in zip(template.keys, parts, strict=True):
            made[key] = part
    elif template.kind is set:
        made.update(parts)
    else:
        made.extend(parts)
    return made


def _empty(template):
    if template.is_object:
        maker = SimpleNamespace if template.kind is SimpleNamespace else template.base
        return maker.__new__(template.kind)
    if template.kind is defaultdict:
        return defaultdict(template.default)
    return deque(maxlen=template.default) if template.kind is deque else template.kind()


def _settled(template, shared):
    if not isinstance(template, ContainerTemplate):
        return template
    parts = tuple(_settled(part, shared) for part in template.parts)
    return replace(
        template, parts=parts, serial=template.serial if template.serial in shared else None
    )


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
    if template.is_object:
        pairs = zip(template.keys, parts, strict=False)
        return f"{template.kind.__name__}({', '.join(f'{name}={text}' for name, text in pairs)})"
    if template.kind in DICTIONARIES:
        pairs = zip(template.keys, parts, strict=True)
        return "{" + ", ".join(f"{key!r}: {text}" for key, text in pairs) + "}"
    return f"[{', '.join(parts)}]" if template.kind is list else f"({', '.join(parts)})"


def output_types(operands: list[Operand]) -> Iterator:
    """The types of a graph's outputs."""
    return map(operand_type, operands)
