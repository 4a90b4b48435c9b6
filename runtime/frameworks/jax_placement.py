"""Functions whose arrays stay on a device, or on the devices of a mesh: see `rt.function`.

    step(w, x)         leaves -> placed by in_shardings -> one program of XLA -> arrays of JAX

The whole graph is one program (`jax_function.py`), so nothing comes to the host between its
operations.  A run that fails, where NumPy raises or an int leaves 64 bits, says so by one bool; the
NumPy program of the same operands then raises, or computes the results.

The new values of variables are outputs of the program, and stay on the devices
(`state/on_devices.py`).  Their old values are donated: XLA writes into their memory, unless a run
may fail, as NumPy needs them then.
"""

from dataclasses import dataclass
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from jax.sharding import Sharding

from autograph.errors import message
from runtime.errors import users_location
from runtime.export.signature import Form, check, results_of
from runtime.frameworks.jax_function import Recorded, concrete_function, example_of
from runtime.frameworks.jax_lists import RowsOfRun
from runtime.frameworks.jax_prints import Prints
from runtime.frameworks.shardings import Shardings
from runtime.function.concrete_function import ConcreteFunction
from runtime.function.function import Function
from runtime.function.given_arrays import with_dlpack
from runtime.function.graph_inputs import GraphInput, graph_inputs
from runtime.function.placement import Placement
from runtime.function.variable_creation import refuse_without_run
from runtime.ir.pytree import Structure, flatten, leaves_of, unflatten
from runtime.staging.templates import RunValues, rebuilt
from runtime.state import on_devices
from runtime.state.variable import WRITING, Variable
from runtime.tracing.signature import TensorSpec

FORM = Form("a function on devices", "placed on devices", writes_variables=True)


class PlacedRun:
    """Runs a function where its placement says."""

    def __init__(self, function: Function, placement: Placement) -> None:
        self.function = function
        self.shardings = Shardings(placement, function.__name__)
        self.on_one_device = placement.device is not None  # else callbacks have no order
        self._programs: dict[ConcreteFunction, dict[Any, _Program]] = {}

    def __call__(self, bound: tuple[Any, ...]) -> Any:
        """The result of a call with these arguments."""
        leaves, structure = flatten(bound)
        leaves = [one if isinstance(one, jax.Array) else with_dlpack((one,))[0] for one in leaves]
        _refuse_tracers(leaves, self.function.__name__)
        with jax.enable_x64(True):
            examples = unflatten(structure, [example_of(leaf) for leaf in leaves])
            concrete = self._concrete(examples, leaves)
            inputs = graph_inputs(concrete, examples)
            shapes = tuple(np.shape(leaf) for leaf in leaves)
            made = self._programs.setdefault(concrete, {})
            if shapes not in made:
                made[shapes] = self._program(concrete, inputs, examples)
            # Until the variables have their new values, no other run and no reader sees them.
            with WRITING:
                outputs = made[shapes].run(leaves, inputs)
                if outputs is None:
                    return self._by_numpy(concrete, bound, made[shapes])
            return rebuilt(concrete.result.template, RunValues(iter(outputs), bound, (), {}))

    def _by_numpy(self, concrete: ConcreteFunction, bound: Any, program: "_Program") -> Any:
        """The result of the NumPy program, placed.  Raises its exceptions."""
        leaves, structure = flatten(bound)
        if not all(getattr(leaf, "is_fully_addressable", True) for leaf in leaves):
            raise RuntimeError(
                message(
                    f"a run of {concrete.name} on several processes has failed",
                    users_location(),
                    "NumPy raises an exception for these arguments, or an int leaves 64 bits; no "
                    "process has all elements of the arguments.",
                    "Call the function with the same arguments in one process, to see the error.",
                )
            )
        given = unflatten(structure, list(map(_on_host, leaves)))
        return program.placed(concrete.parameters.call(concrete, given))

    def _concrete(self, examples: Any, leaves: list[Any]) -> ConcreteFunction:
        concrete = concrete_function(self.function, examples, leaves)
        if concrete.creates:  # the next graph is that of all later calls
            refuse_without_run(concrete)
            concrete = concrete_function(self.function, examples, leaves)
        if concrete not in self._programs:
            check(concrete, FORM)
            results_of(concrete, FORM)
        return concrete

    def _program(
        self, concrete: ConcreteFunction, inputs: list[GraphInput], examples: Any
    ) -> "_Program":
        leaves = self.shardings.of_inputs(flatten(examples)[1])
        whole, written = self.shardings.whole, concrete.variable_inputs.written
        count = len(concrete.graph.outputs) - len(written)
        first = len(inputs) - concrete.variable_inputs.count
        values = RunValues(iter(map(_Output, range(count))), examples, (), {})
        result = flatten(rebuilt(concrete.result.template, values))
        outputs: list[Sharding | None] = [whole] * (count + len(written))
        for part, sharding in zip(result[0], self.shardings.of_results(result[1]), strict=True):
            if isinstance(part, _Output):
                outputs[part.number] = sharding
        return _Program(
            Recorded.of(concrete, Prints() if self.on_one_device else None, is_placed=True),
            result,
            [whole if one.leaf is None else leaves[one.leaf] for one in inputs],
            outputs,
            [first + i for i in written],
            whole,
        )


@dataclass(frozen=True)
class _Output:
    """An output of the graph in a result that is rebuilt for its structure."""

    number: int


@dataclass
class _Program:
    """The graph of a function for some shapes: one program of XLA, compiled when it first runs.

    `result` has the leaves of the result, of which some are outputs, and its structure; `places`
    and `outputs` are the shardings of the inputs and outputs of the graph, `whole` is that of an
    array of which each device has all; `written` are the inputs of variables that runs write.
    """

    recorded: Recorded
    result: tuple[list[Any], Structure]
    places: list[Sharding | None]
    outputs: list[Sharding | None]
    written: list[int]
    whole: Sharding | None
    may_fail: bool = True
    compiled: Any = None

    def run(self, leaves: list[Any], inputs: list[GraphInput]) -> list[Any] | None:
        """The outputs of a run, of which the variables get theirs; None for a run that fails."""
        try:
            given = [
                _placed(_value(one, leaves), place)
                for one, place in zip(inputs, self.places, strict=True)
            ]
        except OverflowError:  # an int beyond 64 bits
            return None
        if self.compiled is None:
            self.compiled = self._compiled(given)
        prints = self.recorded.prints
        if prints is not None:
            prints.discard()
        outputs, failed = self.compiled(*given)
        for one, value in zip(inputs, given, strict=True):
            if isinstance(one.held, Variable):
                on_devices.keep(one.held, value)
        if self.may_fail and bool(failed):
            return None
        count = len(outputs) - len(self.written)
        try:
            if prints is not None:
                prints.print_kept()
        finally:  # the old values may be donated
            for place, new in zip(self.written, outputs[count:], strict=True):
                on_devices.keep(inputs[place].held, new)
        return [one.elements() if isinstance(one, RowsOfRun) else one for one in outputs[:count]]

    def placed(self, result: Any) -> Any:
        """A result of the NumPy program, with its arrays on the devices."""
        parts, structure = self.result
        leaves = leaves_of(structure, result)
        return unflatten(
            structure,
            [
                _placed_result(leaf, self.outputs[part.number])
                if isinstance(part, _Output)
                else leaf
                for part, leaf in zip(parts, leaves, strict=True)
            ],
        )

    def _compiled(self, given: list[Any]) -> Any:
        def program(*values: Any) -> Any:
            outputs, failed = self.recorded(*values)
            self.may_fail = failed is not False
            return outputs, jnp.asarray(failed, bool)

        program.__name__ = program.__qualname__ = self.recorded.concrete.name  # as JAX shows it
        if self.written:
            jax.eval_shape(program, *given)  # which says whether a run may fail
        return jax.jit(
            program,
            in_shardings=tuple(self.places),
            out_shardings=(list(self.outputs), self.whole),
            donate_argnums=() if self.may_fail else tuple(self.written),
        )


def _value(one: GraphInput, leaves: list[Any]) -> Any:
    """The value of an input in a call; that of a variable is where it is."""
    value = one.held if one.leaf is None else leaves[one.leaf]
    if isinstance(value, Variable):
        value = on_devices.found(value)
        value = value if isinstance(value, (np.ndarray, jax.Array)) else one.held._read()
    return value


def _placed(value: Any, place: Sharding | None) -> Any:
    """A value on the devices.  Raises `OverflowError` for an int beyond 64 bits."""
    value = value if isinstance(value, jax.Array) else jnp.asarray(np.asarray(value))
    return value if place is None else jax.device_put(value, place)


def _on_host(leaf: Any) -> Any:
    """A leaf of the arguments as the NumPy program takes it."""
    example = example_of(leaf)
    if not isinstance(leaf, jax.Array):
        return leaf
    array = np.array(leaf)
    return array if isinstance(example, TensorSpec) else array.item()


def _placed_result(value: Any, place: Sharding | None) -> Any:
    """A result of the NumPy program on the devices; an int beyond 64 bits stays Python's."""
    if isinstance(value, list):
        return [_placed_result(one, place) for one in value]
    array = np.asarray(value)
    return value if array.dtype == object else _placed(array, place)


def _refuse_tracers(leaves: list[Any], name: str) -> None:
    """Raises `TypeError` for arguments of which JAX has no values, as in `jax.jit`."""
    if any(isinstance(leaf, jax.core.Tracer) for leaf in leaves):
        raise TypeError(
            message(
                f"{name}, which has a placement, is called while JAX records a function",
                users_location(),
                "It is a program of its own, which runs at once.",
                f"Call rt.to_jax({name}) there.",
            )
        )
