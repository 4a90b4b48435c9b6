"""Layers: callable objects with parameters."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from runtime import random
from runtime.nn.functions import dropout
from runtime.spellings.options import LAYER, AnswersOptions
from runtime.state.variable import Variable


def glorot_uniform(shape: tuple[int, int], generator: Any = None, dtype: Any = float) -> Any:
    """Initial weights that preserve the variance of signals (Glorot and Bengio, 2010): uniform
    between -l and l, l = sqrt(6 / (rows + columns))."""
    limit = float(np.sqrt(6 / (shape[0] + shape[1])))
    draw = random if generator is None else generator
    return draw.uniform(-limit, limit, shape).astype(dtype)


class Layer(AnswersOptions):
    """Base of layers and cells."""

    _options = LAYER


class Dense(Layer):
    """activation(x @ kernel + bias)

    `x` is `f[..., inputs]`, the result `f[..., units]`.  The parameters are created by the first
    call, or immediately with `inputs`.
    """

    def __init__(
        self,
        units: int,
        activation: Callable | None = None,
        inputs: int | None = None,
        use_bias: bool = True,
        generator: Any = None,
        dtype: Any = float,
    ):
        if activation is not None and not callable(activation):
            raise TypeError(
                f"the activation of Dense is {activation!r}, which is not a function\n"
                "The first argument is the number of outputs, and the second is the activation.\n"
                "Write rt.nn.Dense(10, rt.nn.relu); the first call finds the number of inputs."
            )
        self.units, self.activation, self.use_bias = units, activation, use_bias
        self.generator, self.dtype = generator, np.dtype(dtype)
        self.kernel: Variable | None = None
        self.bias: Variable | None = None
        if inputs is not None:
            self.build(inputs)

    def build(self, inputs: int) -> None:
        """Creates the parameters, for a number of inputs."""
        start = glorot_uniform((inputs, self.units), self.generator, self.dtype)
        self.kernel = Variable(start, name="kernel")
        if self.use_bias:
            self.bias = Variable(np.zeros(self.units, self.dtype), name="bias")

    def __call__(self, x: Any) -> Any:
        if self.kernel is None:
            self.build(x.shape[-1])
        found = x @ self.kernel
        if self.bias is not None:
            found = found + self.bias
        return found if self.activation is None else self.activation(found)

    def __repr__(self):
        return f"Dense({self.units})"


class Dropout(Layer):
    """Sets a random fraction `rate` of the elements to zero, in training only."""

    def __init__(self, rate: float, generator: Any = None):
        if not 0 <= rate < 1:
            raise ValueError(f"the rate of dropout must be at least 0 and below 1, not {rate}")
        self.rate, self.generator = rate, generator

    def __call__(self, x: Any, training: Any = False) -> Any:
        return dropout(x, self.rate, self.generator) if training else x

    def __repr__(self):
        return f"Dropout({self.rate})"


class Embedding(Layer):
    """A vector for each of `count` indices: `f[..., units]` for integers `[...]`."""

    def __init__(self, count: int, units: int, generator: Any = None, dtype: Any = float):
        draw = random if generator is None else generator
        start = draw.uniform(-0.05, 0.05, (count, units)).astype(dtype)
        self.table = Variable(start, name="table")

    def __call__(self, indices: Any) -> Any:
        return np.take(self.table, indices, axis=0)

    def __repr__(self):
        return f"Embedding{self.table.shape}"


class LayerNorm(Layer):
    """Normalises along the last axis to mean 0 and variance 1, then scales and shifts by parameters
    (Ba et al., 2016).  They are created by the first call, or immediately with `units`."""

    def __init__(self, units: int | None = None, epsilon: float = 1e-5, dtype: Any = float):
        self.epsilon, self.dtype = epsilon, np.dtype(dtype)
        self.scale: Variable | None = None
        self.offset: Variable | None = None
        if units is not None:
            self.build(units)

    def build(self, units: int) -> None:
        """Creates the parameters, for the size of the last axis."""
        self.scale = Variable(np.ones(units, self.dtype), name="scale")
        self.offset = Variable(np.zeros(units, self.dtype), name="offset")

    def __call__(self, x: Any) -> Any:
        if self.scale is None:
            self.build(x.shape[-1])
        centred = x - np.mean(x, axis=-1, keepdims=True)
        variance = np.mean(np.square(centred), axis=-1, keepdims=True)
        return centred / np.sqrt(variance + self.epsilon) * self.scale + self.offset

    def __repr__(self):
        return "LayerNorm()"


# -- variables of models ---------------------------------------------------------------------------


def variables(model: Any) -> list[Variable]:
    """All variables of a model, each once: in its attributes, and lists, tuples and dicts in them,
    in their order."""
    return list(_variables(model, set()))


def parameters(model: Any) -> list[Variable]:
    """The trainable variables of a model; see `variables`."""
    return [variable for variable in variables(model) if variable.trainable]


def _variables(value: Any, seen: set[int]) -> Iterator[Variable]:
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, Variable):
        yield value
        return
    if isinstance(value, dict):
        inside = list(value.values())
    elif isinstance(value, (list, tuple)):
        inside = list(value)
    else:
        inside = list(getattr(value, "__dict__", {}).values())
    for item in inside:
        yield from _variables(item, seen)
