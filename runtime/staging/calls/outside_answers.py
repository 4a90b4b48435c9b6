"""What the outside has answered while a graph was recorded, which each call asks again.

    os.getenv("MODE")           'fast': the graph is valid while the answer is the same
    generator.random()          every answer is another one: the graph is used once

A call that reads the outside and changes nothing becomes a condition of the graph's guard: it is
made again before each run, and the answers are compared.  An answer that cannot be compared, or
that reading uses up, makes the graph one for a single call: the next call records and reads again.
"""

import builtins
import decimal
import importlib
import pathlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np

from autograph.functions.interruptions import taken
from autograph.functions.policy import is_users_class
from runtime.errors import BatchError, staging_error
from runtime.ir.host import described as described_function
from runtime.tracing import trace
from runtime.tracing.descriptions import VALUES, described
from runtime.tracing.signature import is_value

IMPORTS = (builtins.__import__, importlib.import_module)
VIEWS = {type(view) for d in ({}, OrderedDict()) for view in (d.keys(), d.values(), d.items())}

# Objects that are the same thing as long as they are one object.
BY_IDENTITY = (type, ModuleType, FunctionType, BuiltinFunctionType)


def decimal_context(_: Any = None) -> str:
    """What the operators and functions of decimals depend on."""
    found = decimal.getcontext()
    return f"{found.prec} {found.rounding} {found.Emin} {found.Emax} {found.clamp} {found.traps}"


class NotComparable(Exception):
    """An answer whose contents cannot be compared."""


def comparable(answer: Any) -> Any:
    """The contents of an answer, in values whose `==` runs no user code.

    Raises `NotComparable` for objects whose contents are not known.
    """
    kind = type(answer)
    if is_value(answer):
        return (kind, repr(answer)) if kind in VALUES else (kind, id(answer))
    if issubclass(kind, (tuple, list)) and not is_users_class(kind):
        return (kind, tuple(map(comparable, tuple(answer))))
    if kind is dict:
        return (kind, tuple((comparable(k), comparable(v)) for k, v in answer.items()))
    if kind in VIEWS:  # of a dict, which are other objects each time
        return (kind, tuple(map(comparable, tuple(answer))))
    if kind in (set, frozenset):
        return (kind, frozenset(map(comparable, answer)))
    if issubclass(kind, np.ndarray | np.generic) and answer.dtype.kind != "O":
        return (kind, str(answer.dtype), answer.shape, answer.tobytes())
    if issubclass(kind, pathlib.PurePath) and not is_users_class(kind):
        return (kind, str(answer))
    if kind is decimal.Context:
        return (kind, str(answer))
    if issubclass(kind, BY_IDENTITY):
        return (kind, id(answer))
    raise NotComparable


@dataclass(eq=False)
class Answer:
    """A call that reads the outside, and its answer while the graph was recorded."""

    function: Callable[..., Any]
    args: tuple
    kwargs: dict
    contents: Any = None
    is_iterator: bool = False  # the answer is an iterator: its elements are compared

    def again(self) -> Any:
        """The answer now; the exception where there is one."""
        try:
            found = self.function(*self.args, **self.kwargs)
            return list(found) if self.is_iterator else found
        except Exception as error:
            return error

    def contents_now(self) -> Any:
        """The contents of the answer now; None if they cannot be compared."""
        found = self.again()
        if isinstance(found, Exception):
            return type(found), str(found)
        try:
            return comparable(found)
        except NotComparable:
            return None

    def is_same(self) -> bool:
        """Whether the outside still answers the same."""
        return self.contents is not None and self.contents_now() == self.contents

    def shown(self) -> str:
        """The call as the user writes it, about."""
        return f"{described_function(self.function)}({', '.join(map(described, self.args))})"


@dataclass
class OutsideAnswers:
    """The answers of the outside while a graph is recorded, and the calls that are made once."""

    answers: list[Answer] = field(default_factory=list)
    fleeting: list[str] = field(default_factory=list)
    interruptions: int = field(default_factory=taken)  # before the recording

    def note_interruptions(self) -> None:
        """Notes that a handler has taken an interruption, which other calls would not meet."""
        if taken() > self.interruptions:
            self.fleeting.append("the handler of an interruption")

    def ask(self, function: Callable, args: tuple, kwargs: dict, is_iterator=False) -> Any:
        """The answer of the outside, which each call of the graph compares with its own."""
        one = Answer(function, args, dict(kwargs), is_iterator=is_iterator)
        if not all(map(_is_plain, (*args, *kwargs.values()))):
            self._note(one)
            return function(*args, **kwargs)
        one.contents = one.contents_now()
        found = None
        try:
            found = function(*args, **kwargs)
            return found
        finally:
            if one.is_same():
                self.answers.append(one)
            else:
                is_same = found is not None and one.again() is found  # an object not compared
                self._note(one, is_same)

    def take(self, function: Callable, args: tuple, made: Any = None) -> None:
        """Notes a call whose answer another call would not get; each gets the same module."""
        is_module = isinstance(made, ModuleType) or function in IMPORTS
        self._note(Answer(function, args, {}), is_module)

    def _note(self, one: Answer, is_same: bool = False) -> None:
        """Notes that the graph is one for a single call.

        Raises `StagingError` where the function is mapped over a batch, whose elements would each
        get another answer.
        """
        recorder = trace.current()  # None in a process that the call has forked
        if recorder is not None and recorder.is_mapped and not is_same:
            raise staging_error(
                f"{described_function(one.function)} gives each element of a batch another answer",
                "It is called once, while the graph is being built.",
                "Call it before, and pass the answers as an array with one for each element.",
                BatchError,
            )
        self.fleeting.append(one.shown())


def _is_plain(value: Any) -> bool:
    """Whether a function of a library can be called again with an argument without running user
    code."""
    kind = type(value)
    if kind in (tuple, list):
        return all(map(_is_plain, value))
    if kind is dict:
        return all(map(_is_plain, (*value.keys(), *value.values())))
    return is_value(value) or not is_users_class(kind)
