"""Templates: the parts of a result of a call, and how each run rebuilds the result from them.

See `output_template.py`, which makes them while a graph is recorded.
"""

import functools
import operator
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any

import numpy as np

from autograph.staging.object_state import fill

DICTIONARIES = (dict, OrderedDict, defaultdict, Counter)
PAIRS = (object(),)  # the keys of a dict or set of which the parts are lists of keys and values
WHOLE = "elements"  # the key of the only part of a collection that is all of its elements
COLLECTIONS = (list, set, deque, bytearray)
SUBCLASSED = (dict, list, set)  # by the user's classes
_REFILL = {dict: dict.update, list: list.extend, set: set.update}


@dataclass(frozen=True)
class Output:
    """An output of the graph; if `optional`, another output says whether the value is None."""

    optional: bool = False


@dataclass(frozen=True)
class FormedOutput:
    """An output of the graph: a list whose elements are named tuples, dicts or objects."""

    type: Any
    made: Any  # the function of its value and type


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

    @property
    def is_whole(self) -> bool:
        """Whether the only part is a list of all elements."""
        return self.kind in (list, deque, tuple) and self.keys == (WHOLE,)

    @property
    def has_known_parts(self) -> bool:
        """Whether it is a builtin container whose keys or length do not depend on the run."""
        return not (self.is_object or self.is_whole or self.keys is PAIRS)


@dataclass(frozen=True)
class Ref:
    """The object with a serial number, which is in the template already."""

    serial: int


@dataclass(frozen=True, eq=False)
class Optional:
    """A container or object that is None if an output of the graph says so."""

    present: Any


@dataclass(frozen=True, eq=False)
class Either:
    """One of two objects: an output of the graph says which."""

    one: Any
    other: Any


@dataclass(frozen=True, eq=False)
class OneOf:
    """One of several objects: an output of the graph is its number."""

    options: tuple


Template = (
    Either
    | OneOf
    | Output
    | FormedOutput
    | ArgumentRef
    | Updated
    | Const
    | VariableRef
    | ContainerTemplate
    | Ref
    | Optional
)


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


def rebuilt(template, run):
    """The value of a template for a run."""
    match template:
        case Output(optional=False):
            return next(run.outputs)
        case FormedOutput(kind, made):
            return made(next(run.outputs), kind)
        case Output():
            value, is_none = next(run.outputs), next(run.outputs)
            return None if is_none else value
        case Either(one, other):
            holds, *found = next(run.outputs), rebuilt(one, run), rebuilt(other, run)
            return found[0] if holds else found[1]
        case OneOf(options):
            number = next(run.outputs)
            return [rebuilt(option, run) for option in options][number]
        case Optional(present):
            is_none, found = next(run.outputs), rebuilt(present, run)
            return None if is_none else found
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
        parts = [rebuilt(part, run) for part in template.parts]
        parts = parts[0] if template.is_whole else parts
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
    parts = [rebuilt(part, run) for part in template.parts]
    if template.is_object:
        fill(made, dict(zip(template.keys, parts, strict=False)))
        if template.base is not object:
            _REFILL[template.base](made, parts[-1])
    elif template.kind in DICTIONARIES and template.keys is PAIRS:
        for key, part in zip(*parts, strict=True):
            made[key] = part
    elif template.kind in DICTIONARIES:
        for key, part in zip(template.keys, parts, strict=True):
            made[key] = part
    elif template.kind is set:
        made.update(parts[0] if template.keys is PAIRS else parts)
    else:
        made.extend(parts[0] if template.is_whole else parts)
    return made


def _empty(template):
    if template.is_object:
        maker = SimpleNamespace if template.kind is SimpleNamespace else template.base
        return maker.__new__(template.kind)
    if template.kind is defaultdict:
        return defaultdict(template.default)
    return deque(maxlen=template.default) if template.kind is deque else template.kind()


def settled(template, shared):
    """A template without the serial numbers that no other place refers to."""
    if isinstance(template, Optional):
        return Optional(settled(template.present, shared))
    if isinstance(template, Either):
        return Either(settled(template.one, shared), settled(template.other, shared))
    if isinstance(template, OneOf):
        return OneOf(tuple(settled(one, shared) for one in template.options))
    if not isinstance(template, ContainerTemplate):
        return template
    parts = tuple(settled(part, shared) for part in template.parts)
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


def described(template, types):
    """A template as error messages show it, with the types of outputs."""
    match template:
        case Updated(is_view=True) | FormedOutput():
            return str(next(types))
        case Output(optional):
            shown = str(next(types))
            if optional:
                next(types)
            return f"{shown} or None" if optional else shown
        case Either(one, other):
            next(types)
            return f"{described(one, types)} or {described(other, types)}"
        case OneOf(options):
            next(types)
            return " or ".join(described(one, types) for one in options)
        case Optional(present):
            next(types)
            return f"{described(present, types)} or None"
        case ArgumentRef() | Updated():
            return "an argument"
        case Const() | VariableRef():
            return repr(template.value)
        case Ref():
            return "the same object"
    parts = [described(part, types) for part in template.parts]
    if template.is_object:
        pairs = zip(template.keys, parts, strict=False)
        return f"{template.kind.__name__}({', '.join(f'{name}={text}' for name, text in pairs)})"
    if template.keys is PAIRS:
        return f"{template.kind.__name__}({', '.join(parts)})"
    if template.kind in DICTIONARIES:
        pairs = zip(template.keys, parts, strict=True)
        return "{" + ", ".join(f"{key!r}: {text}" for key, text in pairs) + "}"
    return f"[{', '.join(parts)}]" if template.kind is list else f"({', '.join(parts)})"
