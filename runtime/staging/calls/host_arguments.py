"""The arguments of calls that each run makes: their operands, and the templates of the rest.

    q.put([x, "big"])             given=(made(list, (_0, 'big')),)
    q.put(SimpleNamespace(a=x))   given=(made(SimpleNamespace, ('a',), (_0,)),)
    q.put(partial(f, x))          given=(called(host('partial'), (host('f'), _0)),)

Staged values become operands.  Containers and objects that hold some, or that the function has
created, are created by each run; other objects are kept.
"""

import sys
from collections import deque
from functools import partial
from types import (
    AsyncGeneratorType,
    BuiltinFunctionType,
    CoroutineType,
    FunctionType,
    GeneratorType,
    MethodType,
    SimpleNamespace,
)
from typing import Any

import numpy as np

from autograph.errors import with_article
from autograph.functions.policy import is_skipped, is_users_class
from autograph.staging.dunder_methods import NewObjects
from autograph.staging.object_state import attributes
from runtime.errors import EffectError, staging_error
from runtime.ir.host import (
    Called,
    Host,
    Kept,
    Made,
    MadeFunction,
    Method,
    Stream,
)
from runtime.ir.slot import Slot
from runtime.ops.host import itself
from runtime.staging.calls.given_arguments import is_changeable
from runtime.staging.calls.host_values import HostValue, asked
from runtime.staging.calls.made_objects import MadeObjects
from runtime.staging.calls.package_objects import is_package_object
from runtime.staging.calls.recorded_effects import MadeWhileRecording
from runtime.staging.calls.staged_range import StagedRange
from runtime.staging.chosen import Chosen
from runtime.staging.containers import StagedContainer
from runtime.staging.control_flow.cond import object_or_none
from runtime.staging.lists.forms import refuse_forms
from runtime.staging.lists.trace_deque import TraceDeque
from runtime.staging.lists.trace_list import TraceList
from runtime.staging.maybe_object import MaybeNoneObject
from runtime.staging.reached_values import is_made_here, reaches_staged
from runtime.staging.staged_values import holds_staged
from runtime.tracing import trace
from runtime.tracing.array_like import ArrayLike, read
from runtime.tracing.maybe import MaybeNone, MaybeUnbound
from runtime.tracing.tensor import Tensor

STREAMS = ("stdin", "stdout", "stderr")
LAZY = (GeneratorType, CoroutineType, AsyncGeneratorType, map, filter, zip, enumerate)
COPIED = (set, frozenset, bytearray)


class Arguments:
    """The operands of a call, and the templates of its arguments."""

    def __init__(self, name: str):
        self.name = name
        self.operands: list[Any] = []
        self.changeable: list[Any] = []  # the arguments of which the function gets copies
        self.changes_objects = True  # unless it is known to be pure

    def callee(self, function: Any) -> Any:
        """The template of the function."""
        owner = getattr(function, "__self__", None)
        if isinstance(function, HostValue):
            return self.part(function)
        stream = _stream(owner)
        if stream is not None:
            return Method(stream, function.__name__)
        if owner is not None and is_made_here(owner):
            made = self.part(owner)
            return Host(function) if isinstance(made, Host) else Method(made, function.__name__)
        if owner is not None and not isinstance(owner, (type, type(sys))):
            self.refuse_new(owner)
        found = self.part(function) if isinstance(function, FunctionType) else None
        if owner is None and not isinstance(function, (FunctionType, BuiltinFunctionType, type)):
            self.refuse_new(function)
        return found if isinstance(found, MadeFunction) else Host(function)

    def part(self, value: Any) -> Any:
        """The template of an argument."""
        if isinstance(value, MaybeUnbound):
            value.check_bound()
            value = value.__unchecked__()
        if isinstance(value, (MaybeNone, MaybeNoneObject)):
            value = object_or_none(value)
        if isinstance(value, Chosen):
            value = value.each(lambda one: asked(itself, one))
        if isinstance(value, ArrayLike):
            value = read(value)
        if isinstance(value, StagedRange):
            value = value.of_run()
        if isinstance(value, (Tensor, np.ndarray)):
            return self.operand(value)
        if isinstance(value, StagedContainer):
            raise value.refused("a copy")
        if isinstance(value, TraceList):
            self.watch(value)
            made = self.elements(value.contents())
            is_deque = isinstance(value, TraceDeque)
            return Called(Host(deque), (made, value.maxlen)) if is_deque else made
        if type(value) in (bool, int, float, complex, str, bytes, type(None), type(...)):
            return value
        return self.object(value)

    def elements(self, contents: Any) -> Any:
        """The template of a list with the elements of one that the function has created."""
        if isinstance(contents, Tensor):
            refuse_forms(contents.type, "an argument of a call that each run makes")
            return self.operand(contents)
        return Made(list, (), tuple(map(self.part, contents)))

    def operand(self, value: Any) -> Slot | Kept:
        """The slot of a staged value or array."""
        self.operands.append(value)
        self.watch(value)
        is_object = isinstance(value, HostValue)
        return (Kept if is_object else Slot)(len(self.operands) - 1)

    def watch(self, value: Any) -> None:
        """Notes that the function gets a copy of a value that the program may change."""
        if is_changeable(value):
            self.changeable.append(value)

    def object(self, value: Any) -> Any:
        """The template of a container, or of an object that graphs do not hold."""
        kind = type(value)
        if kind in (list, tuple) or isinstance(value, tuple) and hasattr(kind, "_fields"):
            self.watch(value)
            return Made(kind, (), tuple(map(self.part, value)))
        if kind is dict:
            self.watch(value)
            keys = tuple(map(self.part, value))
            return Made(dict, keys, tuple(map(self.part, value.values())))
        if kind is slice:
            return Made(slice, (), tuple(map(self.part, (value.start, value.stop, value.step))))
        if kind in COPIED and not holds_staged(tuple(value)):
            self.watch(value)
            return Made(kind, (), tuple(map(self.part, value)))
        if isinstance(value, LAZY):
            if kind is CoroutineType:
                value.close()  # else Python warns that nothing awaits it
            raise staging_error(
                f"{with_article(kind.__name__)} is an argument of {self.name}, which each run "
                "calls",
                "It was made while the graph was being built, and the first run would use it up.",
                "Pass a list, or make it in a function marked with @rt.effect.",
                EffectError,
            )
        return self.kept(value)

    def kept(self, value: Any) -> Any:
        """The template of an object that is the same in every run."""
        stream = _stream(value)
        if stream is not None:
            return stream
        if isinstance(value, FunctionType):
            self.refuse_staged(value, closure_of(value))
        elif isinstance(value, MethodType) and not isinstance(value.__self__, type):
            made = self.part(value.__self__)
            return Host(value) if isinstance(made, Host) else Method(made, value.__name__)
        elif is_users_class(type(value)) and not isinstance(value, type):
            held = tuple(attributes(value).values())
            if id(value) in trace.current().state(NewObjects):
                self.watch(value)
                return Made(type(value), tuple(attributes(value)), tuple(map(self.part, held)))
            self.refuse_staged(value, held)
        elif reaches_staged(value):
            return self.made_again(value)
        self.refuse_new(value)
        return Host(value)

    def made_again(self, value: Any) -> Any:
        """The template of an object of Python that holds staged values."""
        if type(value) is partial:
            return self.made_partial(value)
        if type(value) is SimpleNamespace and trace.current().state(MadeObjects).is_made(value):
            self.watch(value)
            held = tuple(map(self.part, vars(value).values()))
            return Made(SimpleNamespace, tuple(vars(value)), held)
        raise self.staged_inside(value)

    def made_partial(self, value: partial) -> Called:
        """The template of a `partial`."""
        named = tuple((name, self.part(one)) for name, one in value.keywords.items())
        given = (self.part(value.func), *map(self.part, value.args))
        return Called(Host(partial), given, named)

    def refuse_staged(self, value: Any, held: tuple) -> None:
        """Raises `StagingError` if an object holds staged values, which it will not have in a
        run."""
        if any(map(holds_staged, held)):
            raise self.staged_inside(value)

    def staged_inside(self, value: Any) -> BaseException:
        """The error about an object that holds staged values."""
        return staging_error(
            f"{with_article(type(value).__name__)} that holds staged values is an argument of "
            f"{self.name}, which each run calls",
            "The run writes into the object when it has ended.",
            "Pass the values themselves.",
            EffectError,
        )

    def refuse_new(self, value: Any) -> None:
        """Raises `StagingError` for an object of which each run should have its own."""
        made = trace.current().state(MadeObjects)
        for one in made.reached_from(value) if self.changes_objects else ():
            made.need_own(one, f"is given to {self.name}, which each run calls")
        if is_package_object(value):
            made.hand(value)
        made.note_used(value, f"is used by {self.name}, which each run calls")
        if id(value) in trace.current().state(MadeWhileRecording):
            name = type(value).__qualname__
            raise staging_error(
                f"{self.name} is to be called by each run, with {with_article(name)} that was made "
                "while the graph was being built",
                f"Each call of the function would make its own {name}; the graph has only one.",
                f"Create it outside of the function, or in each run: rt.host_call({name}, ...).",
                EffectError,
            )


def closure_of(function: FunctionType) -> tuple:
    held = []
    for cell in function.__closure__ or ():
        try:
            held.append(cell.cell_contents)
        except ValueError:
            continue
    return tuple(held)


def _stream(value: Any) -> Stream | None:
    """A standard stream that the user's code has just looked up in `sys`."""
    for name in STREAMS:
        if value is not None and value is getattr(sys, name):
            frame = sys._getframe(1)
            while frame.f_back is not None and is_skipped(frame.f_code.co_filename):
                frame = frame.f_back
            return Stream(name) if name in frame.f_code.co_names else None
    return None
