"""A call of the Python function without its effects, which a run has had already.

    print("start", o.t)                 the run prints, and raises KeyError
    o.t = np.max(x)
    raise KeyError("limit")             the replay writes o.t, prints nothing, and raises KeyError

A graph stores attributes, items and variables when it has ended, so a run that an exception ends
has stored nothing.  The Python function then computes what it has changed up to the exception.  Its
code runs converted, with Python's meaning, and its calls of foreign code are decided here: a call
whose result the run has used returns that result, or raises what it has raised; one whose result is
dropped is left out; a pure one is made.

Methods that Python calls without a call in the code (`__str__`, `__bool__`, `__new__`) run
converted, too (`dunder_methods.py`).  A replay is given up where a call fits none of these, and in
transformed functions.  Objects then hold what they held before.
"""

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import partial
from types import FunctionType, MethodType
from typing import Any

import numpy as np

from autograph.backend import Backend, staging
from autograph.functions.calls import converted_call
from autograph.functions.policy import is_users_class, is_users_function
from autograph.staging.dunder_methods import ConvertedClasses
from autograph.staging.heap_diff import HeapSnapshot
from autograph.staging.held_objects import is_registered
from runtime.ir.graph import Graph, walk
from runtime.ir.host import CalledFrom, Host, Method, Watched
from runtime.ir.traits import Effect
from runtime.ir.types import OBJECT
from runtime.ops.answers import Answers
from runtime.ops.host import converted
from runtime.staging.calls import gate
from runtime.staging.calls.arguments import is_followed
from runtime.staging.calls.gate import Gate
from runtime.staging.calls.host_calls import host_call, type_like
from runtime.staging.calls.made_calls import fills_data, is_same
from runtime.staging.calls.natures import AT_ONCE, OWN, nature_of
from runtime.staging.calls.shared_memory import CHANGING_STATEMENTS
from runtime.tracing.parameters import Parameters

gate.FILES.add(__file__)


class GivenUp(BaseException):
    """A replay cannot tell what a call has returned, or cannot leave out its effects."""


class Replay:
    """The answers that a run has got from its host calls, which a replay gives again, in order."""

    def __init__(self, answers: Answers):
        self._rest = iter(answers.given)
        self._next = next(self._rest, None)
        self.is_given_up = not answers.are_complete

    def give_up(self) -> GivenUp:
        """Notes that the replay has ended; no handler of the user's code changes that."""
        self.is_given_up = True
        return GivenUp()

    def answers(self, function: Any) -> bool:
        """Whether the run has called a function next."""
        return self._next is not None and is_same(self._next.function, function)

    def answer(self) -> Any:
        """The result of the next call of the run.  Raises the exception that it has raised."""
        made, self._next = self._next, next(self._rest, None)
        if made.error is not None:
            raise made.error
        return made.result

    @property
    def is_over(self) -> bool:
        """Whether every answer has been given."""
        return self._next is None and not self.is_given_up


_replay: ContextVar[Replay] = ContextVar("replay")


class Replaying(Backend):
    """Python's meaning of everything but foreign calls."""

    stages_in_blocks_only = True

    def call(self, function: Any, converted: Any = None) -> Any:
        if function is host_call:
            return _asked
        if type(function) is partial:
            return function  # its function comes here next
        if is_registered(_function_of(function)):
            return _untransformed(function)
        nature = nature_of(function)
        if nature.kind == OWN and not _replay.get().answers(function):
            return function if _is_users(function) else partial(_without_callbacks, function)
        return Replayed(function, function, nature)


REPLAYING = Replaying()


class Replayed(Gate):
    """A foreign function in a replay."""

    __slots__ = ()

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        replay, kind = _replay.get(), self.nature.kind
        if replay.answers(self.function):
            return replay.answer()
        is_changing = "effect" in self.nature.kinds or self.nature.kind == "reads"
        if kind in (*AT_ONCE, "higher", "noreturn") and not is_changing:
            return self.now(args, kwargs)
        changed = self.changed(args, kwargs)
        if kind == "mutates" and all(is_followed(one) or self._writes_into(one) for one in changed):
            return self.now(args, kwargs)
        is_dropped = self.nature.types == () or gate.is_unused()
        if kind == "reads" or not is_dropped or fills_data(changed):
            raise replay.give_up()
        return None

    def _writes_into(self, changed: Any) -> bool:
        """Whether NumPy writes into an array, which is an operation of graphs, not an effect."""
        owner = getattr(self.function, "__self__", None)
        is_numpys = isinstance(owner, np.ndarray) or self.nature.name.startswith("numpy.")
        return isinstance(changed, np.ndarray) and is_numpys


def _asked(function: Any, /, *args: Any, like: Any = None, **kwargs: Any) -> Any:
    """`rt.host_call` in a replay."""
    replay = _replay.get()
    if not replay.answers(function):
        raise replay.give_up()
    types = (OBJECT,) if like is None else (type_like(like),)
    return converted(replay.answer(), types[0], function)


def _function_of(function: Any) -> Any:
    return function.__func__ if type(function) is MethodType else function


def _untransformed(function: Any) -> Any:
    """The conversion of the Python function of an `rt.function`, which may be bound."""
    decorated = _function_of(function)
    written = inspect.getattr_static(decorated, "python_function", None)
    if type(written) is not FunctionType or getattr(decorated, "transform", None) is not None:
        raise _replay.get().give_up()
    called = converted_call(written)
    return called if decorated is function else MethodType(called, function.__self__)


def _is_users(function: Any) -> bool:
    if isinstance(function, type):
        return is_users_class(function) or issubclass(function, BaseException)
    written = _function_of(function)
    return type(written) is FunctionType and is_users_function(written)


def _without_callbacks(function: Any, *args: Any, **kwargs: Any) -> Any:
    """A call of the library's own, which would run functions of the user unseen."""
    if any(map(callable, (*args, *kwargs.values()))):
        raise _replay.get().give_up()
    return function(*args, **kwargs)


def can_be_replayed(graph: Graph) -> bool:
    """Whether the effects of a graph are prints, and calls of functions that its code names."""
    for node in walk(graph):
        if node.op.effect is Effect.CALL:
            return False
        if node.op.effect is Effect.EXTERNAL and not _is_named(node):
            return False
    return True


def _is_named(node):
    if node.op.name != "host_call":
        return node.op.name in ("print", "ask")
    template = node.attributes["function"]
    while isinstance(template, (CalledFrom, Watched)):
        template = template.function
    if isinstance(template, Method):
        return True
    if not isinstance(template, Host) or any(template.value is one for one in CHANGING_STATEMENTS):
        return False
    module = getattr(template.value, "__module__", None) or ""
    return module.partition(".")[0] not in ("runtime", "autograph", "operator", "_operator")


@contextmanager
def _replaying(replay: Replay, roots: tuple) -> Iterator[None]:
    token = _replay.set(replay)
    try:
        with ConvertedClasses().convert_methods(*roots), staging(REPLAYING):
            yield
    finally:
        _replay.reset(token)


def replayed(
    to_call: Callable,
    parameters: Parameters,
    bound: tuple,
    answers: Answers,
    failure: BaseException,
) -> BaseException | None:
    """The exception of a replay, which ends as a run has ended; None if it is given up, and then
    nothing has changed."""
    roots = to_call, bound
    heap, replay, found = HeapSnapshot(roots=roots), Replay(answers), None
    try:
        with _replaying(replay, roots):
            parameters.call(to_call, bound)
    except (Exception, SystemExit, GivenUp) as error:
        found = error
    except BaseException:
        heap.restore()
        raise
    if replay.is_over and type(found) is type(failure):
        return found
    heap.restore()
    return None
