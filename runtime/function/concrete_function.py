"""A function for one signature: how its graph is recorded, and how it runs.

    arguments -> staged values             arrays that the function can read -> staged values too
    converted function runs                the trace (tracing/trace.py) records what they meet
    results, arrays written into           outputs of the graph

While a graph is recorded, the arrays that the function reaches through variables, attributes and
items are replaced by staged values where they stand, and put back afterwards: reading a variable
needs no wrapper, and no array becomes a constant.  One graph is recorded at a time, whatever the
thread; calls that find a staged value in such a place wait until it is done.
"""

import functools
import operator as python_operator
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from autograph.backend import staging
from autograph.staging.dunder_methods import ConvertedClasses
from autograph.staging.try_blocks import Refusal
from runtime.errors import staging_error
from runtime.function.argument_aliasing import Pattern, memories, pattern_of
from runtime.function.executable import CompiledGraph
from runtime.function.guards.captured_arrays import substituted
from runtime.function.guards.environment import collect_guards
from runtime.function.guards.guard import Guard
from runtime.function.plain_call import Dispatch, plain_call
from runtime.function.variable_inputs import Held, apart_from_variables, finals_of_variables
from runtime.ir.graph import Graph, copy, used_values
from runtime.ir.op import find
from runtime.ir.pytree import flatten, unflatten
from runtime.ir.slot import Slot
from runtime.ir.types import TensorType, Type
from runtime.passes import optimized
from runtime.staging.backend import BACKEND
from runtime.staging.control_flow.cond import run_function
from runtime.staging.control_flow.type_widening import Widenings
from runtime.staging.output_template import (
    Const,
    Output,
    OutputTemplate,
    Run,
    VariableRef,
    output_types,
)
from runtime.staging.side_effects import SideEffect, SideEffects
from runtime.state.trace_variables import TraceVariables
from runtime.state.variable import WRITING, Variable
from runtime.tracing import trace
from runtime.tracing.aliases import view
from runtime.tracing.array_inputs import ArrayInputs
from runtime.tracing.parameters import Parameters
from runtime.tracing.signature import Identity, Signature, is_value
from runtime.tracing.tensor import Tensor, operand, record_op, staged


@dataclass(eq=False)
class ConcreteFunction:
    """A function for one signature: its graph as it was recorded, and the compiled program.

    Called like the function, it runs for arguments of its signature and no others.
    """

    name: str
    parameters: Parameters
    signature: Signature
    guard: Guard
    graph: Graph
    compiled: CompiledGraph
    result: OutputTemplate
    left: list[SideEffect]  # what is put into attributes, items and variables
    written: list[int]  # which of the arrays the function writes into, in the order of the outputs
    widenings: list[str]  # where a result may have a wider type than Python would give
    held: Held  # the variables that it takes
    created: list[tuple]  # those that the function has created meanwhile, and where it did
    pattern: Pattern = ()
    overlapping: dict[Pattern, "ConcreteFunction"] = field(default_factory=dict)

    def __post_init__(self):
        writes = self.left or self.written or self.held.written
        self._is_plain = self.result.is_one_output and not writes
        is_known = isinstance(self.result.template, (Const, VariableRef))
        self._is_mixed = bool(self.left or self.written) or not (
            is_known or self.result.is_one_output
        )
        self._places = [effect.variable for effect in self.left if effect.variable is not None]

    @functools.cached_property
    def has_side_effects(self) -> bool:
        """Whether runs write into arrays, variables or objects, or inputs share memory."""
        return bool(self.left or self.written or self.held.written or self.pattern)

    def plain_call(self, dispatch: Dispatch) -> Callable[..., Any] | None:
        """The generated function for plain calls; None if it needs more than the graph's outputs.

        It is made once: later calls return the same function.
        """
        if not hasattr(self, "_plain_call"):
            made = None
            if not self.has_side_effects:
                executable, template = self.compiled.plain, self.result.template
                made = plain_call(self.parameters, self.guard, executable, template, dispatch)
            self._plain_call = made
        return self._plain_call

    @property
    def source(self) -> str:
        """The generated program, as the engine shows it."""
        return self.compiled.source

    @property
    def captured(self) -> list[str]:
        """The arrays that the graph takes besides the arguments, as the user would write them."""
        return self.guard.captured

    @property
    def creates(self) -> bool:
        """Whether the function has created variables, which it does not in later calls."""
        return bool(self.created)

    @property
    def variables(self) -> list[Variable]:
        """The variables among the inputs of the graph, the last of which they are, in order.

        One that is gone is left out.
        """
        return self.held.variables

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        bound = self.parameters.bind(*args, **kwargs)
        arrays = self.guard.match(*bound)
        if arrays is None:
            raise TypeError(
                f"this graph of {self.name} is for other arguments: {self.guard.difference(bound)}"
            )
        return self.run(arrays, bound)

    def run(self, arrays: tuple, bound: tuple) -> Any:
        """The result for the arrays of a call, which the guard has found, and its arguments."""
        if self._is_plain:
            return self.compiled(*arrays)[0]
        if not self.held.written:
            return self._run(arrays, bound)
        with WRITING:
            try:
                run = self._run if self._is_mixed else self._run_on_variables
                return run(arrays, bound)
            finally:
                self.held.running = ()

    def _run_on_variables(self, arrays, bound):
        """A run that writes variables and nothing else, and returns a value or what is known."""
        first = len(arrays) - self.held.count
        variables = arrays[first:]
        outputs = self.compiled(*arrays[:first], *self.held.arrays(variables))
        self.held.store(variables, outputs)
        template = self.result.template
        return outputs[0] if template.__class__ is Output else template.value

    def _run(self, arrays, bound):
        first = len(arrays) - len(self._places)
        middle = first - self.held.count
        variables, containers = arrays[middle:first], iter(arrays[first:])
        inputs = (*self._inputs(arrays[:middle]), *self.held.arrays(variables))
        outputs = self.compiled(*inputs)
        self.held.store(variables, outputs)
        stored = len(outputs) - len(self.held.written)
        finals = outputs[stored - len(self.written) : stored]
        for place, new in zip(self.written, finals, strict=True):
            np.copyto(inputs[place], new)
        updated = dict(zip(self.written, finals, strict=True))
        results = Run(iter(outputs), bound, inputs, updated)
        result = self.result.rebuilt(results)
        for effect in self.left:
            known = effect.variable is None
            effect.apply(effect.container if known else next(containers), results)
        return result

    def _inputs(self, arrays):
        """The inputs of the graph: of arrays that share memory, that memory."""
        if not self.pattern:
            return arrays
        grouped = {s.argument for group in self.pattern for s in group.selections}
        alone = [array for i, array in enumerate(arrays) if i not in grouped]
        return (*alone, *memories(arrays, self.pattern))

    def overlaps(self, arrays: tuple) -> Pattern:
        """Which of the arrays of a call share memory with one that the function writes into."""
        if not self.written or len(arrays) < 2:
            return ()
        count = len(arrays) - len(self._places) - self.held.count
        return pattern_of(arrays[:count], frozenset(self.written))

    def result_types(self) -> str:
        """The types of the result, as they are shown."""
        return self.result.described(output_types(self.graph.outputs))


# -- recording -------------------------------------------------------------------------------------


class Recording:
    """One trace of a function, from arguments that are bound and their signature."""

    def __init__(
        self,
        function: Callable,
        converted: Callable,
        entered: Callable,
        parameters: Parameters,
        bound: tuple,
    ):
        """`entered` is what is run: the converted function, or a transformation of it."""
        self.function = function
        self.converted = converted
        self.entered = entered
        self.parameters = parameters
        self.bound = bound
        self.leaves = flatten(bound)[0]
        self.arrays: tuple = ()  # what the graph takes, once it is recorded
        name = getattr(function, "__name__", "graph")
        self.trace = trace.Trace(name if name.isidentifier() else "graph")

    def concrete(
        self, signature: Signature, pattern: Pattern = (), engine: str | None = None
    ) -> ConcreteFunction:
        """Records the graph.  Raises what the function raises; `StagingError` for what graphs
        cannot do."""
        guard, read = self._guard(signature)
        captured = list({id(one.array): one for one in read}.values())
        types = [key if isinstance(key, Type) else None for key in signature.keys]
        variables = [v for v, type in zip(guard.leaves, types, strict=True) if type is not None]
        tensors = self._inputs(guard, types, captured, pattern)
        given, stand_ins = tensors[: len(variables)], tensors[len(variables) :]
        arguments = self._arguments(signature, types, given)
        with substituted(read, dict(zip([id(c.array) for c in captured], stand_ins, strict=True))):
            result, left = self._record(arguments, guard)
        written = self._written_inputs()
        self._check_written(written)
        graph = self.trace.graph
        variables += [one.variable for one in captured]
        arrays = [leaf for leaf, type in zip(self.leaves, types, strict=True) if type is not None]
        arrays += [one.array for one in captured]
        paths = [one.path for one in captured]
        held = self._held(guard)
        if not written:
            first = len(given)
            chosen = _without_unused_inputs(graph, first, held.count)
            variables, arrays = [variables[i] for i in chosen], [arrays[i] for i in chosen]
            paths = [paths[i - first] for i in chosen if i >= first]
        places = [effect.variable for effect in left if effect.variable is not None]
        guard.compile([*variables, *held.texts, *places], [*paths, *held.paths])
        self.arrays = (*arrays, *held.given(), *guard.values(places, self.bound))
        program = CompiledGraph(optimized(copy(graph)), held.keep, engine)
        return ConcreteFunction(
            graph.name,
            self.parameters,
            signature,
            guard,
            graph,
            program,
            result,
            left,
            written,
            self.trace.state(Widenings),
            held,
            self.trace.state(TraceVariables).created,
            pattern,
        )

    def _guard(self, signature):
        """The check of the graph, and the arrays that the function can read."""
        guard = Guard(signature, self.parameters.names)
        leaves = zip(guard.leaves, guard.paths, self.leaves, signature.keys, strict=True)
        objects = {v: (path, leaf) for v, path, leaf, key in leaves if isinstance(key, Identity)}
        environment = collect_guards(self.function, objects, guard.names)
        guard.add(environment)
        return guard, environment.arrays

    # -- inputs ------------------------------------------------------------------------------------

    def _inputs(self, guard, types, captured, pattern):
        """A staged value for each array of a call; those that share memory are views of it."""
        wanted = [
            (type, path) for type, path in zip(types, guard.paths, strict=True) if type is not None
        ]
        wanted += [(one.type, one.path) for one in captured]
        grouped = {s.argument: s for group in pattern for s in group.selections}
        tensors: list[Any] = [
            None if i in grouped else self._input(type, path)
            for i, (type, path) in enumerate(wanted)
        ]
        for group in pattern:
            first = wanted[group.selections[0].argument][1]
            memory = self._input(TensorType(group.dtype, (group.size,)), f"memory_of_{first}")
            with trace.recording(self.trace):
                for selection in group.selections:
                    tensors[selection.argument] = _view(memory, selection)
        return tensors

    def _arguments(self, signature, types, given):
        """The arguments as the function gets them."""
        tensors = iter(given)
        pairs = zip(self.leaves, types, strict=True)
        leaves = [leaf if type is None else next(tensors) for leaf, type in pairs]
        return unflatten(signature.structure, leaves)

    def _input(self, type, path):
        value = self.trace.input(type, trace.identifier(path))
        tensor = Tensor(value, self.trace.graph)
        self.trace.state(ArrayInputs).add(tensor, value)
        return tensor

    # -- the run of the function -------------------------------------------------------------------

    def _record(self, arguments, guard):
        """Runs the function: what it returns, and what it leaves elsewhere."""
        recorder = self.trace
        containers = {way: _at(arguments, way) for way in guard.containers}
        own = {
            id(value): guard.containers[way]
            for way, value in containers.items()
            if isinstance(value, (list, dict))
        }
        given = {id(value): way for way, value in containers.items()}
        given |= {
            id(x): way for x, way in zip(self.leaves, guard.keys, strict=True) if not is_value(x)
        }
        side_effects = SideEffects(self.converted, arguments, own)
        classes = recorder.state(ConvertedClasses)
        methods = classes.convert_methods(self.converted, arguments)
        with trace.recording(recorder), staging(BACKEND), side_effects.undone_on_error(), methods:
            value = run_function(lambda: self.parameters.call(self.entered, arguments))
            refusal = recorder.state(Refusal).error
            if refusal is not None:
                raise refusal
            result = OutputTemplate(value, recorder, given)
            left = side_effects.collected(recorder, given, guard.variables)
            outputs = [*result.operands]
            for effect in left:
                outputs += effect.value.operands if effect.value is not None else ()
            outputs = apart_from_variables(outputs, recorder)
            for tensor, given in _arrays_of_caller(recorder):
                if tensor._value is not given:
                    outputs.append(operand(tensor, recorder))
            recorder.graph.outputs = [*outputs, *finals_of_variables(outputs, recorder)]
        return result, left

    def _written_inputs(self):
        """Which inputs of the graph the function has written into."""
        inputs = self.trace.graph.inputs
        return [
            inputs.index(value)
            for tensor, value in _arrays_of_caller(self.trace)
            if tensor._value is not value
        ]

    def _held(self, guard):
        """The variables that the graph takes, which become its last inputs."""
        graph, used = self.trace.graph, set(used_values(self.trace.graph))
        variables = self.trace.state(TraceVariables).inputs
        inputs = list(variables.values())
        values = {one.value for one in inputs}
        kept = [one for one in inputs if one.value in used or one.tensor._value is not one.value]
        graph.inputs = [value for value in graph.inputs if value not in values]
        graph.inputs += [one.value for one in kept]
        variables.clear()  # graphs keep no variable alive
        return Held([(one.variable, guard.variable(one.variable)) for one in kept], [
            i for i, one in enumerate(kept) if one.tensor._value is not one.value
        ])  # fmt: skip

    def _check_written(self, written):
        inputs = self.trace.graph.inputs
        arrays = [leaf for leaf in self.leaves if isinstance(leaf, (np.ndarray, np.generic))]
        for place in written:
            scalar = place < len(arrays) and isinstance(arrays[place], np.generic)
            if scalar and not inputs[place].type.shape:
                raise staging_error(
                    "a NumPy scalar among the arguments is written into",
                    "NumPy's scalars cannot be changed.",
                    "Pass an array: np.array(x).",
                )


def _view(memory, selection):
    """An argument as a selection of the memory that it stands in."""
    op, positions = find("getitem"), staged(selection.positions())
    attributes = {"at": (Slot(0),)}
    (found,) = record_op(op, (memory, positions), attributes)
    return view(found, op, memory, (positions,), attributes)


def _arrays_of_caller(recorder):
    """The staged arrays among the inputs of a graph, but for variables, and the inputs."""
    variables = {id(one.tensor) for one in recorder.state(TraceVariables).inputs.values()}
    arrays = recorder.state(ArrayInputs).of_graph
    return [pair for key, pair in arrays.items() if key not in variables]


def _without_unused_inputs(graph, first, behind):
    """Removes inputs from `first` on that the graph does not use, but for the last ones; the places
    of the others."""
    used, last = set(used_values(graph)), len(graph.inputs) - behind
    chosen = [i for i, value in enumerate(graph.inputs[:last]) if i < first or value in used]
    graph.inputs = [graph.inputs[i] for i in chosen] + graph.inputs[last:]
    return chosen


def _at(arguments, way):
    """What is among the arguments at the end of a way."""
    return functools.reduce(python_operator.getitem, way, arguments)
