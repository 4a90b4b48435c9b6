"""A function for one signature: its graph, the guard that selects it, and how it runs.

    guard.match(*bound)                  the arrays of a call: arguments, captured arrays, variables
    compiled(*inputs)                    the outputs of the graph
    variables, arrays written into       get the last outputs
    result.rebuilt(outputs)              the result; then the side effects on objects

`function_tracer.py` makes it.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from runtime.errors import staging_error
from runtime.function.argument_aliasing import Pattern, memories, pattern_of
from runtime.function.boundary import shown_to_user
from runtime.function.executable import CompiledGraph
from runtime.function.guards.guard import Guard
from runtime.function.pickling import reduced_graph
from runtime.function.plain_call import Dispatch, plain_call
from runtime.function.variable_inputs import VariableInputs
from runtime.ir.graph import Graph
from runtime.spellings.members import CONCRETE, Answers
from runtime.staging.output_template import (
    Const,
    Output,
    OutputTemplate,
    RunValues,
    VariableRef,
    output_types,
)
from runtime.staging.side_effects import SideEffect
from runtime.state.variable import WRITING, Variable
from runtime.tracing.parameters import Parameters
from runtime.tracing.signature import Signature, leaf_paths


@dataclass(eq=False, repr=False)
class ConcreteFunction(Answers):
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
    variable_inputs: VariableInputs
    created: list[tuple]  # the variables that were created while tracing, and where
    pattern: Pattern = ()
    overlapping: dict[Pattern, "ConcreteFunction"] = field(default_factory=dict)
    function: Callable[[], Any] = lambda: None  # the `rt.function` that it belongs to

    def __reduce__(self):
        return reduced_graph(self)

    def __repr__(self) -> str:
        names = leaf_paths(self.signature.structure, self.parameters.names)
        pairs = zip(names, self.signature.keys, strict=True)
        arguments = ", ".join(f"{name}: {key}" for name, key in pairs)
        return f"<graph of {self.name}({arguments}) -> {self.result_types()}>"

    def __post_init__(self):
        writes = self.side_effects or self.written or self.variable_inputs.written
        self._is_plain = self.result.is_one_output and not writes
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
    def __wrapped__(self) -> Callable[..., Any]:
        """The Python function, whose signature tools show."""
        return self.parameters.function

    def plain_call(self, dispatch: Dispatch) -> Callable[..., Any] | None:
        """The generated function for plain calls (`plain_call.py`); None if there is none.

        It is generated once; later calls return the same function.
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
        middle = first - self.variable_inputs.count
        variables, containers = arrays[middle:first], iter(arrays[first:])
        inputs = (*self._inputs(arrays[:middle]), *self.variable_inputs.arrays(variables))
        outputs = self.compiled(*inputs)
        self.variable_inputs.store(variables, outputs)
        stored = len(outputs) - len(self.variable_inputs.written)
        finals = outputs[stored - len(self.written) : stored]
        for i, new in zip(self.written, finals, strict=True):
            np.copyto(inputs[i], new)
        updated = dict(zip(self.written, finals, strict=True))
        results = RunValues(iter(outputs), bound, inputs, updated)
        result = self.result.rebuilt(results)
        for effect in self.side_effects:
            is_constant = effect.variable is None
            effect.apply(effect.container if is_constant else next(containers), results)
        return result

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
