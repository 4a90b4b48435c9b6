"""A function for one signature: its graph, the guard that selects it, and how it runs.

    guard.match(*bound)                  the arrays of a call: arguments, captured arrays, variables
    compiled(*inputs)                    the outputs of the graph
    variables, arrays written into       get the last outputs
    result.rebuilt(outputs)              the result; then the side effects on objects

`function_tracer.py` makes it.
"""

import contextlib
import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from runtime.engines.entry import Entry
from runtime.engines.executable import Executable
from runtime.engines.run_warnings import noting_warnings, without_reports_of, without_warnings_of
from runtime.errors import LibraryResultError, staging_error
from runtime.function.argument_aliasing import Pattern, memories, pattern_of
from runtime.function.boundary import shown_to_user
from runtime.function.entry import entry_for
from runtime.function.executable import CompiledGraph
from runtime.function.failed_run import LOST, explain_as, restore
from runtime.function.guards.guard import Guard
from runtime.function.plain_call import Dispatch, plain_call
from runtime.function.rehearsal import quiet
from runtime.function.shown_graph import ShownGraph
from runtime.function.variable_inputs import VariableInputs
from runtime.ir.graph import Graph, walk
from runtime.ops.answers import noting_answers
from runtime.spellings.members import CONCRETE, Answers
from runtime.staging.calls.eigenvalues import has_dtype_of_run
from runtime.staging.calls.replayed_calls import can_be_replayed, replayed
from runtime.staging.loop_trials import LoopOutcome
from runtime.staging.output_template import OutputTemplate, output_types
from runtime.staging.own_conditions import is_unrepeatable
from runtime.staging.recorded_changes import NOTHING_RECORDED, RecordedChanges
from runtime.staging.side_effects import SideEffect
from runtime.staging.templates import Const, Output, RunValues, VariableRef
from runtime.state.variable import WRITING, Variable
from runtime.tracing.parameters import Parameters
from runtime.tracing.signature import Signature, leaf_paths


@dataclass(eq=False, repr=False)
class ConcreteFunction(ShownGraph, Answers):
    """A function for one signature: its traced graph, and the compiled graph.

    It is called like the function, but only with arguments that its guard accepts.
    """

    _spellings = CONCRETE

    name: str
    parameters: Parameters
    signature: Signature
    guard: Guard
    graph: Graph
    compiled: CompiledGraph
    result: OutputTemplate
    side_effects: list[SideEffect]  # on attributes, items and variables
    written: list[int]  # the inputs that the function writes into, in the order of the outputs
    widenings: list[str]  # where a result may have a wider type than in Python
    loops: list[LoopOutcome]  # over known elements: which are staged, and why others are not
    variable_inputs: VariableInputs
    created: list[tuple]  # the variables that were created while tracing, and where
    pattern: Pattern = ()
    own_numbers: frozenset = frozenset()  # places of numbers that the function reads and changes
    fixed_numbers: frozenset = frozenset()  # those of which recording needs the values
    handled: tuple[type[Exception], ...] = ()  # exceptions with which a run is left to Python
    caught: tuple[type[Exception], ...] = ()  # the ones that handlers would catch
    rehearsal: CompiledGraph | None = None  # run first, to find out whether they are raised
    records_effects: bool = False  # whether recording had effects that runs do not have
    recorded: RecordedChanges | None = None  # what it has changed; None after the first run
    overlapping: dict[Pattern, "ConcreteFunction"] = field(default_factory=dict)
    function: Callable[[], Any] = lambda: None  # the `rt.function` that it belongs to

    def __copy__(self) -> "ConcreteFunction":
        return self

    def __deepcopy__(self, memo: dict) -> "ConcreteFunction":
        return self

    def __repr__(self) -> str:
        names = leaf_paths(self.signature.structure, self.parameters.names)
        pairs = zip(names, self.signature.keys, strict=True)
        arguments = ", ".join(f"{name}: {key}" for name, key in pairs)
        return f"<graph of {self.name}({arguments}) -> {self.result_types()}>"

    def __post_init__(self):
        self._plain_calls: dict[str, Callable[..., Any] | None] = {}  # by the engine that is set
        self._called: dict[str, Executable] = {}  # those that plain calls run
        self._entries: dict[str, Entry | None] = {}
        self._aside: dict[str, Entry | None] = {}
        writes = self.side_effects or self.written or self.variable_inputs.written
        self._is_plain = self.result.is_one_output and not writes
        if self._is_plain and not self.handled:
            self.recorded = None
        is_constant = isinstance(self.result.template, (Const, VariableRef))
        self._is_mixed = bool(self.side_effects or self.written) or not (
            is_constant or self.result.is_one_output
        )
        self._containers = [
            effect.variable for effect in self.side_effects if effect.variable is not None
        ]

    @functools.cached_property
    def has_side_effects(self) -> bool:
        """Whether runs write into arrays, variables or objects, or inputs share memory."""
        return bool(
            self.side_effects or self.written or self.variable_inputs.written or self.pattern
        )

    @property
    def has_changes(self) -> bool:
        """Whether the recording has changed objects, and the graph has not run since."""
        return self.recorded is not None and not self.recorded.is_empty

    @property
    def __wrapped__(self) -> Callable[..., Any]:
        """The Python function, whose signature tools show."""
        return self.parameters.function

    def plain_call(self, dispatch: Dispatch, engine: str) -> Callable[..., Any] | None:
        """The generated function for plain calls (`plain_call.py`); None if there is none.

        It is generated once for each executable of an engine; later calls return the same function.
        """
        if self.is_outdated(engine):
            del self._plain_calls[engine]
            self._entries.pop(engine, None)
        if engine not in self._plain_calls:
            made = None
            if not self.has_side_effects and not self._left_to_python:
                own = self.compiled.engine(engine)
                executable = self._called[engine] = self.compiled.plain_of(own)
                parameters, template = self.parameters, self.result.template
                made = plain_call(parameters, self.guard, executable, template, dispatch, engine)
            self._plain_calls[engine] = made
        return self._plain_calls[engine]

    def is_outdated(self, engine: str) -> bool:
        """Whether plain calls run an executable in whose place another one is due."""
        called = self._called.get(engine)
        return called is not None and called.is_superseded

    def entry(self, function: Any, engine: str) -> Entry | None:
        """The machine code of whole calls (`entry.py`), of a graph with a plain call."""
        if engine not in self._entries:
            executable = self.compiled.plain_of(self.compiled.engine(engine))
            self._entries[engine] = self._aside.pop(engine, None) or entry_for(
                function, self.parameters, self.guard, executable, self.result.template, engine
            )
        return self._entries[engine]

    def put_aside(self, engine: str) -> None:
        """Leaves calls to Python until `entry` is called again."""
        self._aside[engine] = self._entries.pop(engine, None)

    def known_entry(self, engine: str) -> Entry | None:
        """The machine code of whole calls, if it has been made."""
        return self._entries.get(engine)

    @property
    def source(self) -> str:
        """The generated program, as the engine shows it."""
        return self.compiled.source

    @property
    def captured(self) -> list[str]:
        """The paths of the arrays that the graph takes besides the arguments: `self.w`, `TABLE`."""
        return self.guard.captured

    @property
    def creates(self) -> bool:
        """Whether the function has created variables, which only its first call may do."""
        return bool(self.created)

    @property
    def variables(self) -> list[Variable]:
        """The variables among the inputs of the graph, in order; they are its last inputs.

        A variable that was freed is left out.
        """
        return self.variable_inputs.variables

    @shown_to_user
    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the graph.  Raises `TypeError`, with the reason, if it is not valid for the call."""
        bound = self.parameters.bind(*args, **kwargs)
        arrays = self.guard.match(*bound)
        if arrays is None:
            raise TypeError(
                f"this graph of {self.name} is for other arguments: "
                f"{self.guard.difference(bound)}\n"
                f"Call {self.name} itself: it chooses the graph for the arguments, or traces one."
            )
        return self.run(arrays, bound)

    def run(self, arrays: tuple, bound: tuple) -> Any:
        """The result for the arrays of a call, which the guard returned, and its arguments."""
        if self._left_to_python:
            return self._run_or_python(arrays, bound)
        if self._is_plain:
            return self.compiled(*arrays)[0]
        if not self.variable_inputs.written:
            return self._run(arrays, bound)
        with WRITING:
            try:
                run = self._run if self._is_mixed else self._run_on_variables
                return run(arrays, bound)
            finally:
                self.variable_inputs.running = ()

    @functools.cached_property
    def needs_python(self) -> bool:
        """Whether a run may leave a call to the Python function."""
        return bool(self.handled) or has_dtype_of_run(self.graph)

    @functools.cached_property
    def _left_to_python(self):
        """The exceptions that end a run, and leave the call to the Python function."""
        is_possible = self._is_repeatable or self.rehearsal is not None
        if not self.needs_python or not is_possible or self.function() is None:
            return ()
        if self.rehearsal is not None:
            return self.handled
        return (*self.handled, LibraryResultError)

    def _run_or_python(self, arrays, bound):
        """The result of a run; that of the Python function if a handler would catch its exception,
        or a function returns another dtype than stated."""
        if self.rehearsal is None:
            with noting_warnings() as shown, contextlib.suppress(*self._left_to_python):
                return self._run(arrays, bound)
            with without_warnings_of(shown):
                return self._in_python(bound)
        with WRITING if self.variable_inputs.written else contextlib.nullcontext():
            try:
                if not self._is_caught(arrays):
                    return self._run(arrays, bound)
            finally:
                self.variable_inputs.running = ()
        return self._in_python(bound)

    def _in_python(self, bound):
        """The result of the Python function."""
        self._taken_recorded().undo()
        return self.function()._run_eagerly(bound)

    def _is_caught(self, arrays):
        """Whether a run raises an exception that a handler would catch: effects are left out."""
        with quiet():
            try:
                self.rehearsal(*self._all_inputs(arrays))
            except Exception as error:
                return isinstance(error, self._left_to_python)
        return False

    def _run_on_variables(self, arrays, bound):
        """A run that only writes variables, and returns an output or a constant."""
        first = len(arrays) - self.variable_inputs.count
        variables = arrays[first:]
        outputs = self.compiled(*arrays[:first], *self.variable_inputs.arrays(variables))
        self.variable_inputs.store(variables, outputs)
        template = self.result.template
        return outputs[0] if template.__class__ is Output else template.value

    def _run(self, arrays, bound):
        first = len(arrays) - len(self._containers)
        variables = arrays[first - self.variable_inputs.count : first]
        containers = iter(arrays[first:])
        inputs = self._all_inputs(arrays)
        failure = None
        try:
            with self._noting_answers() as answers, noting_warnings() as shown:
                outputs = self.compiled(*inputs)
        except BaseException as error:
            failure = error
        if failure is not None:  # outside of the handler: the context of exceptions is the user's
            overwritten = self.variable_inputs.overwritten()
            if isinstance(failure, self._left_to_python):
                restore(overwritten)
            elif isinstance(failure, (Exception, SystemExit)):
                with without_reports_of(shown):
                    self._change_as_python(failure, bound, containers, overwritten, answers)
            raise failure
        self.recorded = None
        self.variable_inputs.store(variables, outputs)
        stored = len(outputs) - len(self.variable_inputs.written)
        finals = outputs[stored - len(self.written) : stored]
        for i, new in zip(self.written, finals, strict=True):
            np.copyto(inputs[i], new)
        updated = dict(zip(self.written, finals, strict=True))
        results = RunValues(iter(outputs), bound, inputs, updated)
        result = self.result.rebuilt(results)
        for effect, container in self._changed(containers):
            effect.apply(container, results)
        return result

    def _changed(self, containers):
        """The side effects of a run, each with the container that it changes."""
        return [
            (one, one.container if one.variable is None else next(containers))
            for one in self.side_effects
        ]

    def _all_inputs(self, arrays):
        """The inputs of the graph for the arrays of a call; those of variables are the last."""
        first = len(arrays) - len(self._containers)
        middle = first - self.variable_inputs.count
        variables = self.variable_inputs.arrays(arrays[middle:first])
        return (*self._inputs(arrays[:middle]), *variables)

    def _change_as_python(self, failure, bound, containers, overwritten, answers):
        """Changes arrays and objects as the Python function does before the exception that has
        ended a run: it is called, with the arrays as they were, and without the effects that the
        run has had.  The exception gets the cause and the context that it has in Python."""
        function = self.function()
        called = None if function is None else function.python_function
        found, recorded = None, self._taken_recorded()
        if called is not None and self._is_repeatable:
            restore(overwritten)
            recorded.undo()
            try:
                self.parameters.call(called, bound)
            except (Exception, SystemExit) as error:
                found = error
        elif called is not None and self._is_replayable and function.transform is None:
            undone = self.variable_inputs.undone(overwritten)
            recorded.undo()
            found = replayed(function.converted, self.parameters, bound, answers, failure)
            if found is None:
                for redo in undone:
                    redo()
                recorded.redo()
        if found is not None:
            explain_as(failure, found)
        elif not self._is_repeatable:
            self._keep_constants(failure, bound, containers)

    def _taken_recorded(self):
        """The changes that the recording has made, if this is the first run."""
        found, self.recorded = self.recorded or NOTHING_RECORDED, None
        return found

    def _keep_constants(self, failure, bound, containers):
        """Makes the changes that each run makes, before an exception that has ended a run."""
        for effect, container in self._changed(containers):
            if effect.is_constant:
                effect.apply(container, RunValues(iter(()), bound, (), {}))
        failure.add_note(LOST)

    @functools.cached_property
    def _is_repeatable(self):
        """Whether the Python function can be called after a run that has raised an exception."""
        has_effects = self.variable_inputs.written or self.records_effects
        return not (has_effects or self.guard.is_fleeting) and not any(
            map(is_unrepeatable, walk(self.graph))
        )

    def _noting_answers(self):
        """Notes the results of host calls if the call may have to be replayed."""
        is_needed = not self._is_repeatable and self._is_replayable
        return noting_answers() if is_needed else contextlib.nullcontext()

    @functools.cached_property
    def _is_replayable(self):
        """Whether it can be called without its effects, which the run has had."""
        return not self.guard.is_fleeting and can_be_replayed(self.graph)

    def _inputs(self, arrays):
        """The inputs of the graph: arrays that share memory are replaced by that memory."""
        if not self.pattern:
            return arrays
        grouped = {s.argument for group in self.pattern for s in group.selections}
        alone = [array for i, array in enumerate(arrays) if i not in grouped]
        return (*alone, *memories(arrays, self.pattern))

    def overlaps(self, arrays: tuple) -> Pattern:
        """How arrays of a call share memory with one that the function writes into."""
        if not self.written or len(arrays) < 2:
            return ()
        count = len(arrays) - len(self._containers) - self.variable_inputs.count
        pattern = pattern_of(arrays[:count], frozenset(self.written))
        if pattern and self.guard.is_fleeting:  # recording again would read again
            raise staging_error(
                f"arguments of {self.name} share memory, and it writes into them",
                "It also reads what reading uses up, such as an iterator.",
                "Pass copies, or read before the call.",
            )
        return pattern

    def result_types(self) -> str:
        """The types of the result, as a string: `(f64[3], i64)`."""
        return self.result.described(output_types(self.graph.outputs))
