"""Decides for each call of foreign code, while a graph is recorded, when it happens.

    math.sin(0.5), sorted(z)            now: it is pure
    os.remove(path), log.info(text)     in each run, if it is in a staged branch or loop,
                                        or if an argument is staged; else now
    fetch(url)                          unknown, its result is not used: as an effect
    y = fetch(url)                      unknown, its result is used: now, with a warning

The user's own functions are converted, and the calls in them decided one by one.
"""

import abc
import itertools
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from functools import partial
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from autograph.functions.bytecode import is_result_entered, is_result_unused
from autograph.functions.calls import converted_call
from autograph.functions.frames import instead_of
from autograph.staging.held_objects import leads_to_user
from runtime.errors import OutsideWriteError, staging_error
from runtime.ir.host import described
from runtime.ir.types import OBJECT
from runtime.ops.host import call_from
from runtime.staging.calls.arguments import (
    changed_arguments,
    converted_argument,
    has_abstract_class,
    has_host_value,
    is_followed,
)
from runtime.staging.calls.call_results import (
    RESULT_OF_HOST_VALUE,
)
from runtime.staging.calls.code_in_branches import in_branch
from runtime.staging.calls.contexts import entered_by_with, observed, users_context_manager
from runtime.staging.calls.draws import draw_of_call, is_draw
from runtime.staging.calls.given_arguments import refusing_kept
from runtime.staging.calls.held_warnings import warn_of_recording
from runtime.staging.calls.host_calls import record_host_call, users_callers
from runtime.staging.calls.impure import RUN_ONCE
from runtime.staging.calls.made_calls import MadeCalls, fills_data
from runtime.staging.calls.made_generators import made_in_run, note_streams
from runtime.staging.calls.made_objects import MadeObjects
from runtime.staging.calls.made_with_state import made_own, note_made
from runtime.staging.calls.natures import (
    AT_ONCE,
    NATURE_OF_UNKNOWN,
    OWN,
    Nature,
    hides_state,
    is_stateful,
    nature_of,
)
from runtime.staging.calls.opened_files import opens_for_writing
from runtime.staging.calls.other_threads import plain_elsewhere, refuse_shared, starts_work
from runtime.staging.calls.outside_answers import OutsideAnswers, decimal_context
from runtime.staging.calls.package_objects import read_now
from runtime.staging.calls.recorded_effects import MadeWhileRecording, RecordedEffects
from runtime.staging.calls.refused_arguments import called, refusing
from runtime.staging.calls.suppressing import ObservedSuppress
from runtime.staging.loop_trials import LoopTrials, refuse_in_trial
from runtime.staging.outside_iterators import refuse_outside_iterator
from runtime.staging.python_errors import name_method
from runtime.staging.reached_values import reaches_staged
from runtime.staging.staged_values import VARIABLES_TOO, holds_staged
from runtime.tracing import trace
from runtime.tracing.strings import StagedString

TAKING = ("__next__", "send", "throw")  # methods of iterators and generators
ENTER_CONTEXT = "contextlib.ExitStack.enter_context"
FILES = {__file__}  # of gates: their frames come between the user's call and the question
EXITS = ("sys.exit", "builtins.exit", "builtins.quit")


def gated(function: Any, known: Any) -> Any:
    """The callable to use in place of `function`, for which the runtime has `known`."""
    nature = nature_of(function)
    if nature.kind == OWN and type(function) is BuiltinFunctionType:
        return refusing(function, known)
    if nature.kind == "frame" and "effect" in nature.kinds:
        return in_branch(function, known)
    if nature.kind == OWN and isinstance(function, type) and hides_state(function):
        return partial(made_own, known)
    if nature.kind == OWN or nature.kind == "frame":
        return known
    if function is suppress:
        return ObservedSuppress
    if nature is NATURE_OF_UNKNOWN and type(function) is FunctionType:
        written = users_context_manager(function)
        if written is not None:
            return partial(entered_by_with, converted_call(written))
    return Gate(function, known, nature)


class Gate:
    """A foreign function, class or method; a call of it happens now or in each run."""

    __slots__ = ("function", "known", "nature")

    def __init__(self, function: Any, known: Any, nature: Nature):
        self.function, self.known, self.nature = function, known, nature

    def __str__(self) -> str:
        """The function as Python's errors about the arguments of a call name it."""
        name = getattr(self.function, "__qualname__", None)
        if name is None:
            return str(self.function)
        module = getattr(self.function, "__module__", None)
        return f"{name}()" if module in (None, "builtins") else f"{module}.{name}()"

    def __call__(self, /, *args: Any, **kwargs: Any) -> Any:
        recorder = trace.current()
        if recorder is None:
            return self.now(*plain_elsewhere((args, kwargs)))
        if recorder.is_eager:
            return self.now(args, kwargs)
        if starts_work(self.nature):
            refuse_shared(self.function, args, kwargs)
        asks_for_class = self.function is isinstance or self.function is issubclass
        if asks_for_class and has_abstract_class(args[1:]):
            recorder.state(OutsideAnswers).ask(abc.get_cache_token, (), {})
        values = (*args, *kwargs.values())
        if has_host_value(values) or recorder.state(RecordedEffects).change(values):
            return self.with_host_values(args, kwargs)
        if recorder.state(MadeObjects).is_in_runs() or opens_for_writing(
            self.function, self.nature.name, args, kwargs
        ):
            return self.in_each_run(args, kwargs)
        self.refuse_outside_iterators(args)
        is_drawn = not self.is_replaced and is_draw(self.function, self.nature.name)
        if is_drawn and not self.is_own(recorder):
            drawn = draw_of_call(self.function, args, kwargs)
            if drawn is not None:
                return drawn.result
        is_marked = self.nature.is_marked and self.nature.kind == "effect"
        try:
            if self.is_replaced and not is_marked and self.function not in RUN_ONCE:
                return self.now(args, kwargs)
            return getattr(self, f"_{self.nature.kind}")(args, kwargs, recorder)
        except TypeError as error:
            if type(self.function) is BuiltinFunctionType:
                name_method(error, self.function)
            raise

    def refuse_outside_iterators(self, args: tuple) -> None:
        """Raises `StagingError` if the call takes elements from an iterator that was made outside
        of the staged block that is being recorded."""
        if getattr(self.function, "__name__", "") in TAKING:
            refuse_outside_iterator(getattr(self.function, "__self__", None))
        if not _is_one_of(self.function, NOT_TAKING):
            for value in args:
                refuse_outside_iterator(value)

    @property
    def is_replaced(self) -> bool:
        """Whether the runtime has a replacement of the function."""
        return self.known is not self.function

    def now(self, args: tuple, kwargs: dict) -> Any:
        """Calls the function while the graph is being built."""
        return read_now(self._made_now, self.function, args, kwargs)

    def _made_now(self, args: tuple, kwargs: dict) -> Any:
        if self.nature.name == ENTER_CONTEXT and args:
            args = (observed(args[0]), *args[1:])
        if self.nature.shows_callers:
            return call_from(users_callers(), self.function, args, dict(kwargs))
        if self.is_replaced:
            return called(self.function, self.known, args, kwargs)
        if "higher" in self.nature.kinds and "effect" not in self.nature.kinds:
            args = tuple(map(converted_argument, args))
            kwargs = {name: converted_argument(value) for name, value in kwargs.items()}
        instead = instead_of(self.function) if type(self.function) is FunctionType else None
        return called(self.function, instead or self.function, args, kwargs)

    def in_each_run(self, args: tuple, kwargs: dict) -> Any:
        """Records the call."""
        types = self.nature.types
        if types is None:
            types = () if is_unused() else (OBJECT,)
        if self.nature.kind not in (*AT_ONCE, "reads"):
            is_unknown = self.nature.kind == "unknown"
            changed = (*args, *kwargs.values()) if is_unknown else self.changed(args, kwargs)
            trace.current().state(RecordedEffects).add(self.function, *changed)
        callers = self.nature.shows_callers
        result = record_host_call(self.function, args, kwargs, types, callers)
        return made_in_run(self.function, result)

    # -- by nature ---------------------------------------------------------------------------------

    def _pure(self, args, kwargs, recorder):
        if recorder.depends_on_run and self.makes_path_of(args):
            return self.in_each_run(args, kwargs)
        if not recorder.depends_on_run and self.is_of_outside_state(recorder):
            return self._reads(args, kwargs, recorder)
        if self.nature.name.startswith("decimal."):
            recorder.state(OutsideAnswers).ask(decimal_context, (), {})
        made = self.now(args, kwargs)
        note_streams(recorder, made, args)
        if not self.has_made(made, args):
            return made
        if recorder.depends_on_run:
            return self.in_each_run(args, kwargs)
        note_made(recorder, made)
        return made

    def _iterator(self, args, kwargs, recorder):
        if "reads" in self.nature.kinds:
            return self._reads(args, kwargs, recorder)
        return self._pure(args, kwargs, recorder)

    def _higher(self, args, kwargs, recorder):
        if recorder.depends_on_run and self.nature.changed:
            return self._mutates(args, kwargs, recorder)
        return self._pure(args, kwargs, recorder)

    def _reads(self, args, kwargs, recorder):
        is_staged = recorder.depends_on_run or self.is_changed_by_run(recorder)
        if is_staged or holds_staged((args, kwargs), VARIABLES_TOO):
            return self.in_each_run(args, kwargs)
        if _is_one_of(self.function, OF_IDENTITY) or self.is_replaced:
            return self.now(args, kwargs)
        if self.nature.name.startswith("decimal."):
            recorder.state(OutsideAnswers).ask(decimal_context, (), {})
        is_iterator = self.nature.kind == "iterator"
        return recorder.state(OutsideAnswers).ask(self.function, args, kwargs, is_iterator)

    def _effect(self, args, kwargs, recorder):
        is_staged = recorder.depends_on_run or self.nature.is_marked
        is_staged |= recorder.state(LoopTrials).effects_wait and is_unused()
        is_staged |= self.is_changed_by_run(recorder)
        is_staged |= not self.is_own(recorder) and reaches_staged((args, kwargs))
        if is_staged or holds_staged((args, kwargs), VARIABLES_TOO):
            return self.in_each_run(args, kwargs)
        calls = recorder.state(MadeCalls)
        changed = self.changed(args, kwargs)
        if recorder.is_mapped and self.is_asked_of_object(recorder) and not is_unused():
            recorder.state(OutsideAnswers).take(self.function, args)
        made = calls.once(self.function, lambda: self.now(args, kwargs), changed)
        self.note_spawned(made, args, recorder)
        if fills_data(changed) and not self.is_own(recorder):
            recorder.state(OutsideAnswers).take(self.function, args)
        elif self.has_made(made, args):
            note_made(recorder, made)
            if self.nature.kind == "effect" and not self.is_replaced and not is_unused():
                recorder.state(OutsideAnswers).take(self.function, args)
        elif made is not None and not self.is_replaced and not is_unused():
            self._note_answer(made, args, kwargs, recorder)
        return made

    def is_own(self, recorder: Any) -> bool:
        """Whether it is a method of an object that the code being recorded has made."""
        owner = getattr(self.function, "__self__", None)
        return id(owner) in recorder.state(MadeWhileRecording)

    def note_spawned(self, made: Any, args: tuple, recorder: Any) -> None:
        """Notes streams that a stream has made, which the code being recorded has made."""
        if recorder.state(MadeObjects).is_made(getattr(self.function, "__self__", None)):
            note_streams(recorder, made, args)

    def is_changed_by_run(self, recorder: Any) -> bool:
        """Whether effects of the run may change the answer: they come before the call, and it
        concerns more than an object that the code being recorded has made."""
        return recorder.state(RecordedEffects).happen and not self.is_own(recorder)

    def is_asked_of_object(self, recorder: Any) -> bool:
        """Whether it is a method of an object that other code has made, such as a queue."""
        owner = getattr(self.function, "__self__", None)
        is_method = owner is not None and not isinstance(owner, (type, ModuleType))
        return is_method and not self.is_own(recorder)

    def is_of_outside_state(self, recorder: Any) -> bool:
        """Whether it is a method of an object whose state changes, made by other code."""
        owner = getattr(self.function, "__self__", None)
        return owner is not None and is_stateful(type(owner)) and not self.is_own(recorder)

    def _note_answer(self, made, args, kwargs, recorder):
        """Notes that each call of the graph would get another answer, unless the function itself
        has made what the call changes."""
        known = recorder.state(MadeWhileRecording)
        changed = self.changed(args, kwargs)
        is_own = bool(changed) and all(id(one) in known or one is made for one in changed)
        if not is_own and not isinstance(made, AbstractContextManager):
            recorder.state(OutsideAnswers).take(self.function, args, made)

    def _mutates(self, args, kwargs, recorder):
        changed = self.changed(args, kwargs)
        if all(map(is_followed, changed)):
            return self.now(args, kwargs)
        if recorder.depends_on_run and any(isinstance(one, np.ndarray) for one in changed):
            raise staging_error(
                f"{described(self.function)} changes an array that is not staged, in a branch or "
                "loop that a run may not reach",
                "It was made by a function that graphs do not follow.",
                "Copy it in the function: x = np.array(x), or pass it as an argument.",
                OutsideWriteError,
            )
        return self._effect(args, kwargs, recorder)

    def _noreturn(self, args, kwargs, recorder):
        if self.nature.name in EXITS:
            raise SystemExit(*args)
        if not recorder.depends_on_run:
            return self.now(args, kwargs)
        record_host_call(self.function, args, kwargs, ())
        raise SystemExit  # which no run reaches

    def _unknown(self, args, kwargs, recorder):
        if not callable(self.function):
            return self.now(args, kwargs)  # which raises the error of Python
        if not recorder.depends_on_run:
            is_staged = holds_staged((args, kwargs), VARIABLES_TOO)
            if not (is_staged or leads_to_user(self.function) or is_unused()):
                _announce(self.function)
            calls = recorder.state(MadeCalls)
            with refusing_kept(described(self.function), args):
                made = calls.once(self.function, lambda: self.now(args, kwargs))
            self.note_spawned(made, args, recorder)
            return made
        is_context = is_unused(is_result_entered) and not leads_to_user(self.function)
        if is_context or is_unused():
            return self.in_each_run(args, kwargs)
        refuse_in_trial(f"{described(self.function)} is called, and what it does is not known")
        _announce(self.function)
        return self.now(args, kwargs)

    # -- arguments ---------------------------------------------------------------------------------

    def makes_path_of(self, args: tuple) -> bool:
        """Whether the function makes the path of a file from a text that only a run has."""
        is_path = self.nature.name.startswith(("pathlib.", "os.path."))
        return is_path and any(isinstance(value, StagedString) for value in args)

    def with_host_values(self, args: tuple, kwargs: dict) -> Any:
        """Records a call with objects that only a run has."""
        if _is_one_of(self.function, FORMATTING):
            return self.known(*args, **kwargs)
        changed = self.changed(args, kwargs) if self.nature.kind == "mutates" else []
        if changed and all(map(is_followed, changed)):
            return self.now(args, kwargs)  # `z.append(found)`: the code goes on with the container
        kind = RESULT_OF_HOST_VALUE.get(self.function)
        if kind is not None:
            return record_host_call(self.function, args, kwargs, (kind,))
        return self.in_each_run(args, kwargs)

    def has_made(self, found: Any, args: tuple) -> bool:
        """Whether the result of a call is a new object with a state."""
        is_new = isinstance(self.function, type)
        return is_stateful(type(found), is_new) and not any(found is value for value in args)

    def changed(self, args: tuple, kwargs: dict) -> list[Any]:
        """The arguments that a call changes."""
        return changed_arguments(self.function, self.nature.changed, args, kwargs)


# Functions that read nothing but which object an object is.
OF_IDENTITY = (id,)

# Functions whose replacements take objects that only a run has.
FORMATTING = (print, str, repr, ascii, format)


def _is_one_of(function: Any, functions: tuple) -> bool:
    """Whether it is one of these objects: `==` may be the user's."""
    return any(function is one for one in functions)


# Functions that take no element from an iterator among their arguments.
NOT_TAKING = (iter, zip, map, filter, enumerate, type, id, isinstance, issubclass, callable)
NOT_TAKING += (hasattr, getattr, setattr, repr, str, print, format, vars, dir, itertools.islice)
NOT_TAKING += (itertools.chain, itertools.cycle, itertools.count, itertools.repeat)


# -- calls ----------------------------------------------------------------------------------------


def is_unused(question: Callable[[CodeType, int], bool] = is_result_unused) -> bool:
    """Whether the user's code drops the result of the call that is running (or `question`)."""
    frame = sys._getframe(1)
    while frame.f_code.co_filename in FILES:
        frame = frame.f_back
    return question(frame.f_code, frame.f_lasti)


def _announce(function: Any) -> None:
    name = described(function)
    warn_of_recording(
        f"{name} is called once, while the graph is being built: what it does is not known, and "
        f"its result is used.  Mark it: rt.pure({name}) if it has no effect, rt.effect({name}) if "
        "each run shall call it."
    )
