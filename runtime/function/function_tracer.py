"""Traces a function: from arguments to a concrete function.

    arguments -> staged values             arrays that the function can read -> staged values too
    the converted function runs            the trace (tracing/trace.py) records its operations
    results, arrays written into           outputs of the graph

While the function is traced, the arrays that it can read through variables, attributes and items
are replaced by staged values, and put back afterwards: reading a variable needs no wrapper, and no
array becomes a constant.  One graph is traced at a time, whatever the thread; other threads see
the arrays (`tracing/stand_ins.py`), and calls that read one wait until tracing has finished.
"""

import functools
import operator as python_operator
from collections.abc import Callable
from typing import Any

import numpy as np

from autograph.backend import staging
from autograph.staging import refusals
from autograph.staging.dunder_methods import ConvertedClasses
from autograph.staging.locate import users_frame
from runtime.errors import SharedMemoryError, staging_error
from runtime.function.argument_aliasing import Pattern
from runtime.function.concrete_function import ConcreteFunction
from runtime.function.executable import CompiledGraph
from runtime.function.guards.captured_arrays import Substitution
from runtime.function.guards.environment import collect_guards
from runtime.function.guards.guard import Guard
from runtime.function.rehearsal import left_to_python
from runtime.function.traced_inputs import selection_of, without_unused_inputs
from runtime.function.variable_inputs import (
    VariableInputs,
    final_values,
    separated_from_variables,
)
from runtime.ir.graph import copy, used_values, walk
from runtime.ir.pytree import flatten, unflatten
from runtime.ir.types import TensorType, Type
from runtime.passes import optimized
from runtime.passes.unused_failures import keep_unused_failures
from runtime.staging.backend import BACKEND
from runtime.staging.calls.asked_objects import AskedObjects
from runtime.staging.calls.cached_functions import CachedResults
from runtime.staging.calls.drawn_streams import DrawnStreams
from runtime.staging.calls.given_arguments import GivenArguments
from runtime.staging.calls.made_calls import MadeCalls
from runtime.staging.calls.made_objects import MadeObjects
from runtime.staging.calls.outside_answers import OutsideAnswers
from runtime.staging.calls.package_objects import ReadObjects
from runtime.staging.calls.recorded_effects import RecordedEffects
from runtime.staging.control_flow.cond import run_function
from runtime.staging.control_flow.try_blocks import HandledErrors
from runtime.staging.lists.merged_objects import WatchedClasses
from runtime.staging.loop_trials import LoopTrials, refuse_widened
from runtime.staging.output_template import OutputTemplate
from runtime.staging.own_conditions import OwnConditions, is_unrepeatable, refuse_lost_changes
from runtime.staging.side_effects import SideEffects
from runtime.state.trace_variables import TraceVariables
from runtime.tracing import trace
from runtime.tracing.array_inputs import ArrayInputs
from runtime.tracing.call_values import CallValues
from runtime.tracing.numpy_api.memory_layout import LayoutsRead
from runtime.tracing.parameters import Parameters
from runtime.tracing.signature import Identity, Signature, is_value
from runtime.tracing.stand_ins import StandIn, StandInView
from runtime.tracing.tensor import Tensor, operand
from runtime.tracing.widenings import Widenings


class FunctionTracer:
    """Traces a function once, for bound arguments and their signature."""

    def __init__(
        self,
        function: Callable,
        converted: Callable,
        entered: Callable,
        parameters: Parameters,
        bound: tuple,
        numbers: frozenset = frozenset(),
    ):
        """`entered` is called: the converted function, or a transformation of it.  The Python
        numbers in the places `numbers` become inputs."""
        self.numbers = numbers
        self.function = function
        self.converted = converted
        self.entered = entered
        self.parameters = parameters
        self.bound = bound
        self.leaves = flatten(bound)[0]
        self.arrays: tuple = ()  # the inputs of the graph for this call, after tracing
        name = getattr(function, "__name__", "graph")
        self.trace = trace.Trace(name if name.isidentifier() else "graph")

    def concrete_function(
        self, signature: Signature, pattern: Pattern = (), engine: str | None = None
    ) -> ConcreteFunction:
        """Traces the graph and compiles it.

        Raises the function's own exceptions, and `StagingError` for operations without a graph op.
        """
        guard, read = self._guard(signature)
        captured = list({one.key: one for one in read}.values())
        types = [key if isinstance(key, Type) else None for key in signature.keys]
        variables = [v for v, type in zip(guard.leaves, types, strict=True) if type is not None]
        tensors = self._inputs(guard, types, captured, pattern)
        given, stand_ins = tensors[: len(variables)], tensors[len(variables) :]
        self._note_values(types, given)
        arguments = self._arguments(signature, types, given)
        tensors = dict(zip([one.key for one in captured], stand_ins, strict=True))
        with Substitution(read, tensors) as self.substitution:
            result, side_effects = self._run(arguments, guard)
        written = self._written_inputs()
        self._check_written(written)
        all_paths = [p for p, kind in zip(guard.paths, types, strict=True) if kind is not None]
        all_paths += [one.path for one in captured]
        guard.add_layouts(self._layouts(variables + [one.variable for one in captured], all_paths))
        graph = self.trace.graph
        variables += [one.variable for one in captured]
        arrays = [leaf for leaf, type in zip(self.leaves, types, strict=True) if type is not None]
        arrays += [one.array for one in captured]
        paths = [one.path for one in captured]
        inputs = self._variable_inputs(guard)
        if not written:
            first = len(given)
            chosen = without_unused_inputs(graph, first, inputs.count)
            variables, arrays = [variables[i] for i in chosen], [arrays[i] for i in chosen]
            paths = [paths[i - first] for i in chosen if i >= first]
        containers = [effect.variable for effect in side_effects if effect.variable is not None]
        guard.add_answers(self.trace.state(OutsideAnswers), self.trace.state(ReadObjects).answers())
        guard.add_results(self.trace.state(CachedResults))
        guard.compile([*variables, *inputs.expressions, *containers], [*paths, *inputs.paths])
        found = dict(zip(containers, guard.values(containers, self.bound), strict=True))
        found |= self.outside
        self.arrays = (*arrays, *inputs.values(), *(found[one] for one in containers))
        compiled = CompiledGraph(optimized(copy(graph)), inputs.write_back, engine)
        given = self.parameters, signature, guard, graph, compiled, result, side_effects, written
        return self._concrete(given, inputs, pattern, engine)

    def _concrete(self, given, inputs, pattern, engine):
        """The concrete function; `given` are its first parts."""
        return ConcreteFunction(
            self.trace.graph.name,
            *given,
            self.trace.state(Widenings),
            list(self.trace.state(LoopTrials).outcomes.values()),
            inputs,
            self.trace.state(TraceVariables).created,
            pattern,
            own_numbers=frozenset(self.conditions.numbers),
            handled=self.handled,
            caught=self.trace.state(HandledErrors).caught,
            rehearsal=self.rehearsal and CompiledGraph(optimized(self.rehearsal), engine=engine),
            records_effects=self.records_effects,
            recorded=self.recorded,
        )

    def _guard(self, signature):
        """The guard of the graph, and the arrays that the function can read."""
        guard = Guard(signature, self.parameters.names)
        leaves = zip(guard.leaves, guard.paths, self.leaves, signature.keys, strict=True)
        objects = {v: (path, leaf) for v, path, leaf, key in leaves if isinstance(key, Identity)}
        results = self.trace.state(CachedResults).walked()
        environment = collect_guards(self.function, objects, guard.names, self.numbers, results)
        self.conditions = OwnConditions(
            environment.compared, environment.whole, environment.variables
        )
        guard.add(environment)
        self.trace.state(CachedResults).outside = environment.variables
        self.objects = environment.objects
        self.trace.state(DrawnStreams).read = environment.streams
        self.trace.state(OutsideAnswers).fleeting += environment.iterators
        if environment.iterators:  # a second recording would not find their elements
            self.trace.state(LoopTrials).are_allowed = False
        return guard, environment.arrays

    # -- inputs ------------------------------------------------------------------------------------

    def _inputs(self, guard, types, captured, pattern):
        """A staged value for each array of a call; arrays that share memory are views of it."""
        pairs = zip(types, guard.paths, strict=True)
        wanted = [(type, path, None) for type, path in pairs if type is not None]
        wanted += [(one.type, one.path, one.array) for one in captured]
        grouped = {s.argument: s for group in pattern for s in group.selections}
        tensors: list[Any] = [
            None if i in grouped else self._input(*one) for i, one in enumerate(wanted)
        ]
        for group in pattern:
            first = wanted[group.selections[0].argument][1]
            memory = self._input(TensorType(group.dtype, (group.size,)), f"memory_of_{first}")
            with trace.recording(self.trace):
                for selection in group.selections:
                    found, array = selection_of(memory, selection), wanted[selection.argument][2]
                    is_captured = array is not None
                    found = StandInView(found, self.trace, array) if is_captured else found
                    tensors[selection.argument] = found
        return tensors

    def _note_values(self, types, given):
        """Notes the arguments of this call, from which types of results are found."""
        arrays = [leaf for leaf, type in zip(self.leaves, types, strict=True) if type is not None]
        known = self.trace.state(CallValues).known
        known.update(
            (tensor._value, array)
            for tensor, array in zip(given, arrays, strict=True)
            if type(tensor) is Tensor
        )

    def _arguments(self, signature, types, given):
        """The arguments with staged values in place of arrays."""
        tensors = iter(given)
        pairs = zip(self.leaves, types, strict=True)
        leaves = [leaf if type is None else next(tensors) for leaf, type in pairs]
        return unflatten(signature.structure, leaves)

    def _input(self, type, path, captured=None):
        """A staged value for an input; one that stands for `captured` outside of the function."""
        value = self.trace.input(type, trace.identifier(path))
        if captured is None:
            tensor = Tensor(value, self.trace.graph)
        else:
            tensor = StandIn(value, self.trace, captured)
            self.trace.state(CallValues).captured[value] = captured
            self.trace.state(CallValues).known[value] = captured
        self.trace.state(ArrayInputs).add(tensor, value)
        return tensor

    # -- running the function ----------------------------------------------------------------------

    def _run(self, arguments, guard):
        """Runs the function; returns the template of its result and its side effects."""
        recorder = self.trace
        containers = {path: _at(arguments, path) for path in guard.containers}
        own = {
            id(value): guard.containers[path]
            for path, value in containers.items()
            if isinstance(value, (list, dict))
        }
        given = {id(value): path for path, value in containers.items()}
        # Scalars are staged: one in a result is another object, though all np.True_ are one.
        leaves = zip(self.leaves, guard.keys, strict=True)
        given |= {
            id(x): path for x, path in leaves if not (is_value(x) or isinstance(x, np.generic))
        }
        results = [one.result for one in recorder.state(CachedResults).found]
        heap = SideEffects(self.converted, (arguments, results), own, self.conditions)
        classes = recorder.state(ConvertedClasses)
        methods = classes.convert_methods(self.converted, arguments)
        asking = recorder.state(AskedObjects).open()
        watched = recorder.state(WatchedClasses).open()
        with (
            recorder.called_by(users_frame(), self.function),
            trace.recording(recorder),
            staging(BACKEND),
            heap.undone_on_error(),
            methods,
            asking,
            watched,
        ):
            recorder.state(HandledErrors).are_allowed = True
            while self.objects:
                found = self.objects.pop()
                recorder.state(AskedObjects).watch(found)
                recorder.state(ReadObjects).note_outside(found)
                recorder.state(MadeObjects).outside[id(found)] = found
            returned = run_function(
                lambda: self.parameters.call(self.entered, arguments), lambda: heap.belongs_to_runs
            )
            result, side_effects = self._templates(returned, heap, given, guard)
            outputs = _outputs(result, side_effects, recorder)
            recorder.graph.outputs = [*outputs, *final_values(outputs, recorder)]
            self._note_effects(heap, outputs)
        return result, side_effects

    def _templates(self, returned, heap, given, guard):
        """The templates of the result and the side effects of a function that has been recorded."""
        recorder = self.trace
        refusals.check()
        recorder.state(OutsideAnswers).note_interruptions()
        refuse_widened(recorder)
        recorder.state(GivenArguments).compare()
        recorder.state(RecordedEffects).compare()
        recorder.state(DrawnStreams).compare()
        outside = heap.found_again(guard.variables)
        result = OutputTemplate(returned, recorder, given, outside)
        side_effects = heap.collected(recorder, given, guard.variables)
        recorder.state(MadeObjects).compare()
        self.outside = heap.outside
        guard.add_lost(self.conditions.lost)
        for template in (result, *(one.value for one in side_effects if one.value is not None)):
            template.settle()
            guard.add_identities(template.returned)
        return result, side_effects

    def _note_effects(self, heap, outputs):
        """Notes what the recording has done besides the graph.  Refuses what no run can repeat."""
        recorder = self.trace
        self.recorded = heap.recorded()
        self.records_effects = len(recorder.state(MadeCalls)) > 0
        has_effects = self._has_effects(outputs)
        repeats = not (self.records_effects or recorder.state(OutsideAnswers).fleeting)
        self.handled, self.rehearsal = left_to_python(recorder, has_effects, repeats)
        keep_unused_failures(recorder.graph)
        if self.numbers:
            refuse_lost_changes(recorder, self._writes(outputs))

    def _writes(self, outputs):
        """Whether a run writes into arrays or variables."""
        return bool(self._written_inputs() or final_values(outputs, self.trace))

    def _has_effects(self, outputs):
        """Whether a run, or the recording, has effects that the Python function would repeat."""
        reads_once = bool(self.trace.state(OutsideAnswers).fleeting)
        has_effects = self.records_effects or reads_once or self._writes(outputs)
        return has_effects or any(map(is_unrepeatable, walk(self.trace.graph)))

    def _written_inputs(self):
        """The inputs of the graph that the function has written into, by position."""
        inputs = self.trace.graph.inputs
        return [
            inputs.index(value)
            for tensor, value in _array_inputs(self.trace)
            if tensor._value is not value
        ]

    def _layouts(self, variables, paths):
        """The inputs whose memory layout decides what the code has read: the variable of the guard
        that holds each, its path and its layout."""
        places = dict(
            zip(self.trace.graph.inputs, zip(variables, paths, strict=True), strict=False)
        )
        known = self.trace.state(LayoutsRead).known
        return [(*places[value], layout) for value, layout in known.items()]

    def _variable_inputs(self, guard):
        """The variables that the graph takes, which become its last inputs."""
        graph, used = self.trace.graph, set(used_values(self.trace.graph))
        variables = self.trace.state(TraceVariables).inputs
        inputs = list(variables.values())
        values = {one.value for one in inputs}
        kept = [one for one in inputs if one.value in used or _is_written(one)]
        graph.inputs = [value for value in graph.inputs if value not in values]
        graph.inputs += [one.value for one in kept]
        variables.clear()  # graphs keep no variable alive
        found = [(one.variable, guard.variable(one.variable)) for one in kept]
        return VariableInputs(found, [i for i, one in enumerate(kept) if _is_written(one)])

    def _check_written(self, written):
        inputs = self.trace.graph.inputs
        arrays = [leaf for leaf in self.leaves if isinstance(leaf, (np.ndarray, np.generic))]
        for i in written:
            is_scalar = i < len(arrays) and isinstance(arrays[i], np.generic)
            if is_scalar and not inputs[i].type.shape:
                raise staging_error(
                    "a NumPy scalar among the arguments is written into",
                    "NumPy scalars cannot be changed.",
                    "Pass an array: np.array(x).",
                    SharedMemoryError,
                )


def _is_written(one):
    """Whether a traced variable has another value than at the start."""
    return one.tensor._value is not one.value


def _outputs(result, side_effects, recorder):
    """The outputs of the graph: of its result, of its side effects, and of arrays written into."""
    outputs = [*result.operands]
    for effect in side_effects:
        outputs += effect.value.operands if effect.value is not None else ()
    outputs = separated_from_variables(outputs, recorder)
    for tensor, value in _array_inputs(recorder):
        if tensor._value is not value:
            outputs.append(operand(tensor, recorder))
    return outputs


def _array_inputs(recorder):
    """The staged arrays among the inputs of a graph, without variables, each with its input."""
    variables = {id(one.tensor) for one in recorder.state(TraceVariables).inputs.values()}
    arrays = recorder.state(ArrayInputs).of_graph
    return [pair for key, pair in arrays.items() if key not in variables]


def _at(arguments, path):
    """The item of the arguments at a path of keys."""
    return functools.reduce(python_operator.getitem, path, arguments)
