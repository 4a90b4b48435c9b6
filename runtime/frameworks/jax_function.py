"""`rt.to_jax`: a graph for the shapes and dtypes of a call, recorded by JAX.

    g(x, n)      leaves f32[3], 2 -> the graph of f(f32[3], 2) -> jax.jit(...)(x) -> the result

The arguments are those of `rt.function`: arrays are staged, all other values are constants of the
graph.  A scalar of JAX that has a weak type is a number of Python (`jax.jit(g)(x, 0.1)`).

A run that fails (`jax_evaluation.py`) calls the NumPy program, which raises the exception.
"""

import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from types import MethodType
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np

import runtime.engines.xla.program
import runtime.frameworks.jax_control_flow
import runtime.frameworks.jax_functions
import runtime.frameworks.jax_linalg
import runtime.frameworks.jax_lists  # noqa: F401  (these fill the table of lowerings)
from runtime.analyses.counted_ranges import CountedRanges
from runtime.analyses.intervals import Ranges
from runtime.engines.xla.evaluation import Rows
from runtime.engines.xla.lowering import NotLowered
from runtime.export.signature import Form, check, refused, results_of
from runtime.export.unions import merge_unions
from runtime.frameworks.jax_evaluation import GraphEvaluation
from runtime.frameworks.jax_lists import Growth, RowsOfRun, elements, traced_with_capacities
from runtime.frameworks.jax_prints import Prints, refuse_text
from runtime.function.concrete_function import ConcreteFunction
from runtime.function.decorator import function
from runtime.function.function import Function
from runtime.function.graph_inputs import graph_inputs
from runtime.ir.graph import Graph, copy, walk
from runtime.ir.pytree import flatten, unflatten
from runtime.ir.types import PYTHON_TYPES, PythonType, is_array
from runtime.staging.templates import RunValues, rebuilt
from runtime.state.variable import Variable
from runtime.tracing.recording_lock import RECORDING
from runtime.tracing.signature import TensorSpec

FORM = Form("a function of JAX")
UNUSUAL = (
    "a number leaves the 64 bits that XLA has for a Python int, or a division or conversion has no "
    "result in XLA; NumPy computes one"
)


def jax_function(fn: Callable[..., Any], checks: bool) -> Callable[..., Any]:
    """The function of JAX for a NumPy-style function."""
    if isinstance(fn, MethodType) and isinstance(fn.__func__, Function):
        staged, owner = fn.__func__, (fn.__self__,)
    else:
        staged, owner = fn if isinstance(fn, Function) else function(fn), ()
    programs: dict[ConcreteFunction, Callable[..., Any]] = {}

    def called(*args: Any, **kwargs: Any) -> Any:
        bound = staged._parameters.bind(*owner, *args, **kwargs)
        leaves, structure = flatten(bound)
        examples = unflatten(structure, [example_of(leaf) for leaf in leaves])
        concrete = concrete_function(staged, examples, leaves)
        if concrete not in programs:
            check(concrete, FORM)
            results_of(concrete, FORM)
            programs[concrete] = _program(concrete, checks)
        with jax.enable_x64(True):  # without, 64 bits become 32
            given = [
                jnp.asarray(leaves[one.leaf]) if one.leaf is not None else held_value(one.held)
                for one in graph_inputs(concrete, examples)
            ]
            outputs = programs[concrete](*given)
        return rebuilt(concrete.result.template, RunValues(iter(outputs), bound, given, {}))

    return functools.update_wrapper(called, fn, updated=())


def example_of(leaf: Any) -> Any:
    """A leaf of the arguments as the graph is recorded for it."""
    if not isinstance(leaf, jax.Array):
        return leaf
    if leaf.weak_type and not leaf.ndim and leaf.dtype.kind in "bifc":
        return leaf.dtype.type().item()
    return TensorSpec(leaf.shape, np.dtype(leaf.dtype))


def concrete_function(staged: Function, bound: Any, leaves: list[Any]) -> ConcreteFunction:
    """The graph for the arguments of a call, of which `bound` are examples."""
    weak = {
        place: PYTHON_TYPES[type(one)]
        for place, (one, leaf) in enumerate(zip(flatten(bound)[0], leaves, strict=True))
        if isinstance(leaf, jax.Array) and not isinstance(one, TensorSpec)
    }
    signature = staged._signature(bound)
    keys = [weak.get(place, key) for place, key in enumerate(signature.keys)]
    wanted = replace(signature, keys=tuple(keys))
    return RECORDING.exclusively(staged, lambda: staged.of_signature(bound, wanted))


def held_value(value: Any) -> Any:
    """What the function reads: an array, a number, or a variable."""
    return np.array(value._read() if isinstance(value, Variable) else value)


def _program(concrete: ConcreteFunction, checks: bool) -> Callable[..., Any]:
    """The graph as a function of JAX, which returns its outputs."""
    recorded = Recorded.of(concrete)

    def program(*given: Any) -> list[Any]:
        outputs, failed = recorded(*given)
        if checks and failed is not False:
            recorded.check(failed, given)
        return outputs

    program.__name__ = program.__qualname__ = concrete.name  # as JAX shows it
    return jax.jit(program)


@dataclass(frozen=True)
class Recorded:
    """A graph, which JAX records when it is called: its outputs, and whether the run has failed;
    that is False, and no value of the run, if no run fails."""

    concrete: ConcreteFunction
    graph: Graph
    ranges: Ranges
    prints: Prints | None = None  # None if they are refused
    is_placed: bool = False  # whether a result may be a list whose length only the run knows

    @classmethod
    def of(
        cls, concrete: ConcreteFunction, prints: Prints | None = None, is_placed: bool = False
    ) -> "Recorded":
        """The graph of a function."""
        graph = copy(concrete.graph)
        if prints is not None:
            prints.look_at(graph)
        merge_unions(graph)
        return cls(concrete, graph, CountedRanges(graph), prints, is_placed)

    def __call__(self, *given: Any) -> tuple[list[Any], Any]:
        inputs = [
            jnp.asarray(one, value.type.dtype)
            for value, one in zip(self.graph.inputs, given, strict=True)
        ]
        growth = Growth()
        if any(node.op.name == "list_new" for node in walk(self.graph)):
            growth = Growth(
                traced_with_capacities(
                    lambda found: jax.eval_shape(lambda *x: self._run(found, x)[0], *inputs)
                )
            )
        outputs, run = self._run(growth, inputs)
        return outputs, run.failed

    def _run(self, growth: Growth, inputs: Any) -> tuple[list[Any], GraphEvaluation]:
        run = GraphEvaluation()
        run.capacities, run.ranges, run.prints = growth, self.ranges, self.prints
        for value, one in zip(self.graph.inputs, inputs, strict=True):
            run.define(value, one)
        run.run(self.graph.nodes)
        for value in self.graph.outputs:
            refuse_text(run.read(value))
        found = [run.converted(value, value.type) for value in self.graph.outputs]
        return [self._result(run, one) for one in found], run

    def _result(self, run: GraphEvaluation, value: Any) -> Any:
        if not isinstance(value, Rows):
            return jnp.asarray(value)
        if self.is_placed and value.place in run.capacities.inexact:
            return RowsOfRun(value.rows, value.length)
        try:
            return elements(run, value)
        except NotLowered as error:
            remedy = "Return an array of a known size, and the number of elements in use."
            raise refused(self.concrete.name, str(error), "A result is a list.", remedy) from error

    def check(self, failed: Any, inputs: tuple[Any, ...]) -> None:
        """Raises, in the run, the exception of the NumPy program."""
        raises = functools.partial(jax.debug.callback, self._raise, failed, *inputs)
        jax.lax.cond(jnp.asarray(failed, bool), raises, lambda: None)

    def _raise(self, failed: Any, *given: Any) -> None:
        if not failed:  # `jax.vmap` runs both sides of a branch
            return
        self.concrete.compiled(
            *(
                value_of_run(value.type, one)
                for value, one in zip(self.graph.inputs, given, strict=True)
            )
        )
        raise OverflowError(UNUSUAL)


def value_of_run(kind: Any, value: Any) -> Any:
    """A value of JAX as an operand of the NumPy program."""
    array = np.array(value)
    if isinstance(kind, PythonType):
        return array.item()
    return array if is_array(kind) else array[()]
